"""The command hpc-loopfs: gives a node without a disk a file system of its own, in one large file on a shared
file system. Opening and creating files in it costs the servers no request: they see only reads and writes of
the one file.

Only root may mount, so it runs in the scheduler's prolog and epilog, or in a site's privileged helper. The
image belongs to one node; unmount deletes it with all its contents.
"""

import argparse
import fcntl
import os
import pwd
import re
import struct
import subprocess
import sys

from spark_hpc import kinds
from spark_hpc.refused import Refused

LEAST = 300 << 20  # mkfs.xfs refuses a smaller one
_GOING_DOWN = 0x8004587D  # XFS_IOC_GOINGDOWN
_WITHOUT_LOG = 2


def main(_home, arguments, _env):
    """The exit code."""
    options = _parser().parse_args(arguments)
    try:
        if os.geteuid() != 0:
            raise Refused("root is needed to mount: run it in the scheduler's prolog and epilog, or by "
                          "your site's privileged helper")
        if options.verb == "mount":
            mount(options.image, options.directory, options.size, options.user)
        else:
            unmount(options.directory)
    except Refused as why:
        print(f"hpc-loopfs: {why}", file=sys.stderr)
        return 1
    except OSError as why:
        print(f"hpc-loopfs: {why.filename}: {why.strerror}", file=sys.stderr)
        return 1
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="hpc-loopfs", description="A file system of this node's own, "
                                     "in a file on a shared one.")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    verbs.required = True
    verb = verbs.add_parser("mount", help="makes IMAGE, with an empty XFS in it, and mounts it")
    verb.add_argument("image", metavar="IMAGE", help="a file that isn't there yet")
    verb.add_argument("directory", metavar="DIR")
    verb.add_argument("--size", required=True, help="the most that IMAGE may take, such as 200g")
    verb.add_argument("--user", metavar="NAME", help="its owner; without it, all users may write there, as in /tmp")
    verbs.add_parser("unmount", help="discards its contents and removes its image").add_argument(
        "directory", metavar="DIR")
    return parser


def mount(image, directory, size, user):
    size = _bytes(size)
    owner = _owner(user)
    directory = os.path.realpath(directory)
    if _device(directory):
        raise Refused(f"{directory} is mounted already: hpc-loopfs unmount {directory}")
    os.makedirs(directory, exist_ok=True)
    try:
        new = os.open(image, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refused(f"{image} is there: each node and job needs one of its own; remove it if it is a "
                      "leftover") from None
    try:
        # A sparse file takes space only as it is written.
        os.ftruncate(new, size)
        os.close(new)
        _run("mkfs.xfs", "-q", image)
        _run("mount", "-t", "xfs", "-o", "loop,nosuid,nodev,noatime", image, directory)
    except BaseException:
        os.unlink(image)
        raise
    if owner:
        os.chown(directory, owner.pw_uid, owner.pw_gid)
    os.chmod(directory, 0o700 if owner else 0o1777)


def unmount(directory):
    directory = os.path.realpath(directory)
    device = _device(directory)
    if device is None:
        raise Refused(f"{directory} isn't an hpc-loopfs: nothing is mounted there from a file")
    with open(f"/sys/block/{device}/loop/backing_file", encoding="utf-8") as f:
        image = f.read().rstrip("\n")
    # Without writing back: the image is deleted next, and nobody waits for a slow file system.
    root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.ioctl(root, _GOING_DOWN, struct.pack("I", _WITHOUT_LOG))
    finally:
        os.close(root)
    # A process that still uses it keeps the device, but gets only errors.
    _run("umount", "-l", directory)
    os.unlink(image)


def _bytes(text):
    try:
        size = kinds.BYTES.read(text)
    except ValueError:
        size = 0
    if size < LEAST:
        raise Refused(f"--size {text}: it takes bytes, such as 200g, and at least {LEAST >> 20}m")
    return size


def _owner(user):
    try:
        return pwd.getpwnam(user) if user else None
    except KeyError:
        raise Refused(f"--user {user}: there is no such user") from None


def _device(directory):
    """The name of the loop device that is mounted at `directory`, or None."""
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as f:
        mounts = [line.split() for line in f]
    numbers = [fields[2] for fields in mounts if re.sub(
        r"\\([0-7]{3})", lambda m: chr(int(m.group(1), 8)), fields[4]) == directory]
    name = os.path.basename(os.path.realpath(f"/sys/dev/block/{numbers[-1]}")) if numbers else ""
    return name if os.path.exists(f"/sys/block/{name}/loop/backing_file") else None


def _run(*command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    except FileNotFoundError:
        raise Refused(f"{command[0]} is missing: install xfsprogs and util-linux") from None
    if done.returncode != 0:
        first = (done.stdout.strip().splitlines() or ["no reason given"])[0]
        raise Refused(f"{' '.join(command)} failed: {first}")
