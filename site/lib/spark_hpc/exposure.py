"""Finds directories that any user could replace by another one. Spark-HPC's executors refuse them (class
Exposure in core), so start passes over them, and doctor reports them."""

import errno
import os
import stat

REMEDY = "chmod o-w or chmod +t it, or name another directory"


def to_everybody(path):
    """The first directory on the way to `path`, itself included, in which every user may rename entries; None
    if there is none. Links between links are followed only by the executors' check."""
    for name in dict.fromkeys([*_way(os.path.abspath(path)), *_way(os.path.realpath(path))]):
        try:
            mode = os.stat(name).st_mode
        except OSError:
            return None
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return name
    return None


def refusal(path):
    """The reason why the directory isn't used, as a sentence; None if it is used."""
    open_one = to_everybody(path)
    return open_one and f"everybody can replace what is in {open_one}"


def check(path):
    why = refusal(path)
    if why:
        raise PermissionError(errno.EPERM, f"{why}: {REMEDY}", path)


def _way(path):
    parent = os.path.dirname(path)
    return [path] if parent == path else [*_way(parent), path]
