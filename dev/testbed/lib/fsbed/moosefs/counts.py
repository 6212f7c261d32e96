"""The counts of MooseFS, under the names that all kinds share.

A mount counts the kernel's requests (`fuse_ops`, in its pseudo file .stats). The proxy counts the mounts'
requests to the master, by type of packet.
"""

import os

# Kind -> the counters whose sum it is; a counter with a minus is subtracted.
OPERATIONS = {
    "lookup": ("lookup", "-lookup.internal"), "getattr": ("getattr",), "setattr": ("setattr",),
    "access": ("access",), "open": ("open",), "create": ("create",), "close": ("release",),
    "flush": ("flush",), "mkdir": ("mkdir",), "mknod": ("mknod",), "unlink": ("unlink",),
    "rmdir": ("rmdir",), "rename": ("rename",), "link": ("link",), "symlink": ("symlink",),
    "readlink": ("readlink",), "opendir": ("opendir",), "readdir": ("readdir", "readdirplus"),
    "closedir": ("releasedir",), "statfs": ("statfs",), "getxattr": ("getxattr", "listxattr"),
    "setxattr": ("setxattr", "removexattr"), "lock": ("setlk", "getlk", "flock"),
    "read": ("read",), "write": ("write",), "fsync": ("fsync",),
    "cached_attr": ("getattr-cached",),
}

# The requests of reading .stats; its name is cached, and a lookup of it would be internal.
OF_READING = {"open": 1, "read": 1, "flush": 1, "close": 1}

# Not a kind: all packets that a mount sent to the master, including keep-alives.
PACKETS = "packets"

# A mount asks for a chunk's place before it reads or writes the chunk.
REQUESTS = {
    402: "statfs", 404: "access", 406: "lookup", 408: "getattr", 410: "setattr", 412: "readlink",
    414: "symlink", 416: "mknod", 418: "mkdir", 420: "unlink", 422: "rmdir", 424: "rename",
    426: "link", 428: "readdir", 430: "open", 432: "read_chunk", 434: "write_chunk",
    436: "write_chunk_end", 464: "truncate", 478: "getxattr", 480: "setxattr", 482: "create",
    492: "lock", 494: "lock", 498: "fsync",
}


def of_mount(mount_point):
    """Returns {kind: count} since the mount's start."""
    descriptor = os.open(os.path.join(mount_point, ".stats"), os.O_RDONLY)
    try:
        text = os.read(descriptor, 1 << 20).decode()
    finally:
        os.close(descriptor)
    raw = {}
    for line in text.splitlines():
        name, _, value = line.partition(": ")
        raw[name] = int(value.strip("[]"))
    counts = {kind: sum(_term(raw, name) for name in names) for kind, names in OPERATIONS.items()}
    return {**counts, PACKETS: raw["master.packets_sent"]}


def _term(raw, name):
    return -raw[f"fuse_ops.{name[1:]}"] if name.startswith("-") else raw[f"fuse_ops.{name}"]


def of_proxy(packets):
    """Returns {kind: count} for the proxy's {type of packet: count}."""
    counts = {}
    for number, count in packets.items():
        kind = REQUESTS.get(int(number), "other")
        counts[kind] = counts.get(kind, 0) + count
    return counts
