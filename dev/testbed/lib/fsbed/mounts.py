"""Reads from the kernel's table what is mounted below a directory, without a request to the mounts."""

import os
import subprocess


def below(directory):
    """Returns the mount points below `directory` with their device numbers, in the order of mounting."""
    found = []
    with open("/proc/self/mountinfo", encoding="utf-8") as table:
        for point, device in map(point_and_device, table):
            if point.startswith(directory.rstrip("/") + "/"):
                found.append((point, device))
    return found


def point_and_device(line):
    """Returns the mount point and the device number of a line of a mountinfo table."""
    fields = line.split()
    return fields[4].replace("\\040", " "), fields[2]


def file_system_type(directory):
    """Returns the type of the file system that holds `directory`."""
    best, kind = "", ""
    with open("/proc/self/mountinfo", encoding="utf-8") as table:
        for line in table:
            fields = line.split()
            point = fields[4]
            inside = directory == point or directory.startswith(point.rstrip("/") + "/")
            if inside and len(point) >= len(best):
                best, kind = point, fields[fields.index("-") + 1]
    return kind


def detach_all(directory):
    """Lazily unmounts everything below. This works on mounts whose server is dead or that are in use."""
    for point, _ in reversed(below(directory)):
        subprocess.run(["umount", "-l", point], check=False)


def cut_connections(directory, connections):
    """Ends the FUSE connections of all mounts below, whatever state their server is in. A server whose threads
    hang in the kernel can't even be killed before. `connections` is the mount point of fusectl."""
    for _, device in below(directory):
        try:
            with open(f"{connections}/{device.split(':')[1]}/abort", "w", encoding="utf-8") as f:
                f.write("1")
        except OSError:
            pass


def is_mounted(point):
    return any(found == point for found, _ in below(os.path.dirname(point)))


def mount_memory(directory, megabytes):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", directory], check=True)


def share(directory):
    """Mounts the directory on itself, so that changes below it also reach the namespaces of nodes (nodes.py)."""
    subprocess.run(["mount", "--bind", directory, directory], check=True)
    subprocess.run(["mount", "--make-private", directory], check=True)
    subprocess.run(["mount", "--make-shared", directory], check=True)


def unshare(directory):
    while is_mounted(directory):
        subprocess.run(["umount", "-l", directory], check=True)


def set_readahead(directory, kilobytes):
    """Lets the kernel read ahead as far as a parallel file system's client would."""
    for _, device in below(directory):
        try:
            with open(f"/sys/class/bdi/{device}/read_ahead_kb", "w", encoding="utf-8") as f:
                f.write(str(kilobytes))
        except OSError:
            pass
