"""What this node's client of a file system has counted: the requests of all programs here, since it was mounted.

Each client has statistics of its own, with its own names of requests:

    Lustre    llite/NAME/stats of all mounts, if this user may read it: calls, also those that the client's cache answers
    NFS       /proc/self/mountstats: requests to the server
    MooseFS   .stats in the top directory: calls, also those that the client's cache answers
"""

import glob
import os
import re

from spark_hpc import file_systems

LLITE = ("/proc/fs/lustre/llite/*/stats", "/sys/kernel/debug/lustre/llite/*/stats")
MOUNTSTATS = "/proc/self/mountstats"

# The calls that move a file's content. All others are metadata but for those that say nothing of files.
_DATA = {"read", "write", "commit", "read_bytes", "write_bytes", "fsync"}
_NEITHER = re.compile(r"null|sequence|renew|.*session|exchange_id|.*clientid.*|.*lease.*|reclaim_complete|secinfo.*|"
                      r"bind_conn.*|seek|inactive|pagefault|page_mkwrite|readahead.*|osc_.*|direct_.*|"
                      r"(?:read|write)_latency|brw_.*|ignored_.*|dirty_.*")
# KIND COUNT samples [UNIT] MIN MAX SUM
_LLITE_LINE = re.compile(r"(\w+)\s+(\d+) samples ")
# KIND: OPERATIONS TRANSMISSIONS TIMEOUTS ...
_NFS_LINE = re.compile(r"\s+([A-Z_0-9]+): (\d+) ")
_MOOSEFS_LINE = re.compile(r"fuse_ops\.(\w+): (\d+)")


def read(directory):
    """{kind: number} for the file system of a directory; None if its client has no statistics or doesn't show them."""
    point, kind = file_systems.mount_of(directory)
    if kind == "lustre":
        return _sum(_LLITE_LINE.findall("".join(map(_text, _all(LLITE)))))
    if kind in ("nfs", "nfs4"):
        return _sum(_NFS_LINE.findall(_of_mount(_text(MOUNTSTATS), point)))
    if kind == "fuse.mfs":
        return _sum(_MOOSEFS_LINE.findall(_text(os.path.join(point, ".stats"))))
    return None


def since(before, now):
    """(metadata requests, data requests) between two readings; None without one of these."""
    if before is None or now is None:
        return None
    more = {kind: number - before.get(kind, 0) for kind, number in now.items() if not _NEITHER.fullmatch(kind)}
    data = sum(number for kind, number in more.items() if kind in _DATA)
    return sum(more.values()) - data, data


def _sum(lines):
    found = {}
    for kind, number in lines:
        found[kind.lower()] = found.get(kind.lower(), 0) + int(number)
    return found or None


def _all(patterns):
    return [path for pattern in patterns for path in sorted(glob.glob(pattern))]


def _text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def _of_mount(text, point):
    """The part of mountstats on that mount point."""
    parts = re.split(r"(?m)^device ", text)
    return next((part for part in parts if f" mounted on {point} with " in part), "")
