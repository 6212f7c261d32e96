"""A directory for scratch, as doctor reports it: its kind, its free space, the command that shows its quota,
and how long an open, a create and a write of 1 MiB take there now."""

import fcntl
import os
import shlex
import statistics
import tempfile
import time

from spark_hpc import file_systems
from spark_hpc.sizing import MB

_FILES = 10  # for each operation: enough for a median, and few enough for a slow server
_QUOTA = {"beegfs": "beegfs-ctl --getquota --uid $USER", "gpfs": "mmlsquota",
          "lustre": "lfs quota -h {}", "nfs": "quota -s", "nfs4": "quota -s",
          "panfs": "pan_quota {}", "xfs": "quota -s", "ext4": "quota -s"}


def examine(path):
    """The details that --json prints; OSError if the directory can't be written."""
    kind, type_ = file_systems.kind(path)
    room = os.statvfs(path)
    return {"path": path, "kind": kind, "type": type_, "free": room.f_bavail * room.f_frsize,
            # Some file systems make inodes on demand, and report 0 of 0.
            "files": room.f_favail if room.f_files else None,
            "microseconds": _measure(path), "locks": has_locks(path), "quota": quota(path, type_)}


def has_locks(path):
    """Whether JVMs can lock files there: not on a Lustre that is mounted without `flock`."""
    with tempfile.TemporaryFile(prefix="spark-hpc-doctor.", dir=path) as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def text(path, found):
    times = ", ".join(f"{name} {time:.0f} us" for name, time in found["microseconds"].items())
    files = "" if found["files"] is None else f" and {found['files']} files"
    asked = f"; quota: {found['quota']}" if found["quota"] else ""
    return (f"{path}: {found['kind']} ({found['type']}), {found['free'] // MB} MB{files} free, "
            f"{times}{asked}")


def quota(path, type_):
    """The command that shows the quota, which statfs doesn't report; None if the type has no such command."""
    command = _QUOTA.get(type_)
    return command.format(shlex.quote(path)) if command else None


def _measure(path):
    """{operation: median of its microseconds}."""
    with tempfile.TemporaryDirectory(prefix="spark-hpc-doctor.", dir=path) as directory:
        names = [os.path.join(directory, str(number)) for number in range(_FILES)]
        block = bytes(MB)
        return {"create": _median(names, lambda name: os.close(os.open(
                    name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))),
                "open": _median(names, lambda name: os.close(os.open(name, os.O_RDONLY))),
                "write 1 MiB": _median(names[:3], lambda name: _write(name, block))}


def _write(name, block):
    with open(name, "wb", buffering=0) as f:
        f.write(block)


def _median(names, operation):
    times = []
    for name in names:
        start = time.perf_counter()
        operation(name)
        times.append((time.perf_counter() - start) * 1e6)
    return round(statistics.median(times), 1)
