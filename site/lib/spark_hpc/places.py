"""Directories of the mount table where scratch could be: only mounts that hold users' files."""

import os

from spark_hpc import file_systems

# Other types can't hold scratch files, or belong to the system.
_DISKS = {"btrfs", "ext3", "ext4", "xfs", "zfs"}
# Mounts there belong to the system, whatever their type: control groups are below a tmpfs.
_OF_THE_SYSTEM = ("/boot", "/dev", "/etc", "/proc", "/run", "/sys", "/var/run")
_SHARED_MEMORY = "/dev/shm"
# A tmpfs below these was mounted by a program for itself, such as a test.
_TEMPORARY = (_SHARED_MEMORY, "/tmp", "/var/tmp")


def places(table="/proc/self/mountinfo"):
    """{kind: directories of the mount table where this user may write}."""
    found = {"memory": [], "local": [], "shared": []}
    for point, type_ in dict(file_systems.mounts(table)).items():
        kind = file_systems.kind_of(type_)
        if is_for_files(point, type_, kind) and os.path.isdir(point) and os.access(point, os.W_OK | os.X_OK):
            found[kind].append(point)
    return found


def is_for_files(point, type_, kind):
    """Whether a mount of that type at that point is for users' files."""
    if point != _SHARED_MEMORY and _is_below(point, _OF_THE_SYSTEM):
        return False
    if kind == "memory":
        return type_ == "tmpfs" and not any(_is_below(point, [place]) and point != place
                                            for place in _TEMPORARY)
    return kind == "shared" or type_ in _DISKS


def _is_below(point, directories):
    """Whether it is one of the directories, or below one."""
    return any(point == directory or point.startswith(directory + "/") for directory in directories)
