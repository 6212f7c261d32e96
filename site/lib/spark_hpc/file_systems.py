"""What a directory is on, by the kernel's mount table: the node's memory, a disk of the node, or what
other nodes see as well. The types are those of FileSystemKind in core; a test compares them."""

import os
import re

MEMORY = {"ramfs", "tmpfs"}
SHARED = {"afs", "beegfs", "ceph", "cifs", "dvs", "gpfs", "lustre", "nfs", "nfs4", "orangefs", "panfs",
          "pvfs2", "smb3", "wekafs"} | {
    f"fuse.{name}" for name in ("beegfs", "ceph-fuse", "glusterfs", "juicefs", "mfs", "orangefs",
                                "pfs", "wekafs")}


def kind(path, table="/proc/self/mountinfo"):
    """(memory, local or shared; the type of the file system)."""
    path = os.path.realpath(path)
    point, found = "", "unknown"
    with open(table, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            fields = line.split()
            here = re.sub(r"\\([0-7]{3})", lambda m: chr(int(m.group(1), 8)), fields[4])
            inside = path == here or path.startswith(here.rstrip("/") + "/")
            # A later mount hides an earlier one at the same place.
            if inside and len(here) >= len(point):
                point, found = here, fields[fields.index("-", 6) + 1]
    return ("memory" if found in MEMORY else "shared" if found in SHARED else "local"), found
