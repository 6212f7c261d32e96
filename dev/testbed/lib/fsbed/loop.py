"""Makes file systems in image files (sparse image, XFS, loop device, mount), and removes them."""

import contextlib
import fcntl
import os
import struct
import subprocess
import time

from fsbed import mounts
from fsbed.refused import Refused

PATIENCE = 10  # seconds until the kernel has let go of a loop device
_XFS_IOC_GOINGDOWN = 0x8004587D
_WITHOUT_LOG = 2


def make(image, size):
    """Makes an empty XFS in a new sparse file. Removes a left-over file of that name."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(image)
    with open(image, "xb") as f:
        f.truncate(size)
    made = subprocess.run(["mkfs.xfs", "-q", image], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Refused(f"mkfs.xfs {image}: {_first_line(made.stderr)}")


def mount(image, mount_point):
    """Mounts the image. Its device is released with the mount, whoever unmounts it."""
    done = subprocess.run(["mount", "-t", "xfs", "-o", "loop", image, mount_point],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refused(f"mount {image}: {_first_line(done.stderr)}")


def _first_line(text):
    return (text.strip().splitlines() or ["no reason given"])[0]


def device(mount_point):
    """Returns the name of the loop device below the mount, such as loop3, or None if nothing is mounted."""
    for point, number in mounts.below(os.path.dirname(mount_point)):
        if point == mount_point:
            return os.path.basename(os.path.realpath(f"/sys/dev/block/{number}"))
    return None


def unmount(mount_point):
    """Drops the data and releases the device. Nothing is written, so it ends at once even if the image is on
    a slow or dead file system. Returns the device's name if processes still hold it, otherwise None."""
    name = device(mount_point)
    if name is None:
        return None
    _give_up_data(mount_point)
    subprocess.run(["umount", "-l", mount_point], check=True)
    for _ in range(100 * PATIENCE):
        if not os.path.exists(f"/sys/block/{name}/loop/backing_file"):
            return None
        time.sleep(0.01)
    return name


def _give_up_data(mount_point):
    try:
        root = os.open(mount_point, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return  # XFS has dropped the data itself, after an error of the device
    try:
        fcntl.ioctl(root, _XFS_IOC_GOINGDOWN, struct.pack("I", _WITHOUT_LOG))
    finally:
        os.close(root)


def xfs_counters(name):
    """Returns {kind: count} of the XFS on that device, since it was mounted."""
    with open(f"/sys/fs/xfs/{name}/stats/stats", encoding="utf-8") as f:
        rows = {line.split()[0]: [int(n) for n in line.split()[1:]] for line in f}
    lookups, entered, removed, listed = rows["dir"]
    writes, reads = rows["rw"]
    _, written, read = rows["xpc"]
    return {"lookup": lookups, "create": entered, "unlink": removed, "readdir": listed,
            "read": reads, "write": writes, "bytes read": read, "bytes write": written}


def device_counters(name):
    """Returns {kind: count} of the block device: requests that reached the image."""
    with open(f"/sys/block/{name}/stat", encoding="utf-8") as f:
        fields = [int(n) for n in f.read().split()]
    return {"device read": fields[0], "device read bytes": 512 * fields[2],
            "device write": fields[4], "device write bytes": 512 * fields[6],
            "device discard": fields[11], "device flush": fields[15]}
