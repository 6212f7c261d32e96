"""The kind of file system that a directory is on, from the kernel's mount table: the node's memory, a disk of
the node, or a file system that other nodes see as well. The types are those of FileSystemKind in the engine;
a test compares them."""

import os
import re

MEMORY = {"ramfs", "tmpfs"}
SHARED = {"afs", "beegfs", "ceph", "cifs", "dvs", "gpfs", "lustre", "nfs", "nfs4", "orangefs", "panfs",
          "pvfs2", "smb3", "wekafs"} | {
    f"fuse.{name}" for name in ("beegfs", "ceph-fuse", "glusterfs", "juicefs", "mfs", "orangefs",
                                "pfs", "wekafs")}


def kind(path, table="/proc/self/mountinfo"):
    """(memory, local or shared; the file system's type)."""
    _, found = mount_of(path, table)
    return kind_of(found), found


def mount_of(path, table="/proc/self/mountinfo"):
    """(the mount point of a path's file system, its type)."""
    path = os.path.realpath(path)
    point, found = "", "unknown"
    for here, type_ in mounts(table):
        inside = path == here or path.startswith(here.rstrip("/") + "/")
        # A later mount hides an earlier one at the same place.
        if inside and len(here) >= len(point):
            point, found = here, type_
    return point, found


def kind_of(type_):
    return "memory" if type_ in MEMORY else "shared" if type_ in SHARED else "local"


def mounts(table="/proc/self/mountinfo"):
    """[(directory, type)], in the order of mounting."""
    with open(table, encoding="utf-8", errors="surrogateescape") as f:
        lines = [line.split() for line in f]
    return [(_unescaped(fields[4]), _type(*fields[fields.index("-", 6) + 1:][:2])) for fields in lines]


def _type(named, source):
    """The mount table may give a FUSE file system's name only as the start of its source:
    `fuse mfs#master:9421`."""
    name, number_sign, _ = _unescaped(source).partition("#")
    return f"fuse.{name}" if named == "fuse" and number_sign else named


def _unescaped(field):
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m.group(1), 8)), field)
