"""Whether anybody could put another directory in the place of one: Spark-HPC's executors refuse such places
(class Exposure in core), so they are passed over here and named by doctor."""

import errno
import os
import stat

REMEDY = "chmod o-w or chmod +t it, or name another directory"


def to_everybody(path):
    """The first directory on the way to it, itself included, in which everybody may rename what is there;
    None if there is none. Links between links are followed by the executors only."""
    for name in dict.fromkeys([*_way(os.path.abspath(path)), *_way(os.path.realpath(path))]):
        try:
            mode = os.stat(name).st_mode
        except OSError:
            return None
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return name
    return None


def refusal(path):
    """Why it isn't used, as a sentence; None when it is."""
    open_one = to_everybody(path)
    return open_one and f"everybody can replace what is in {open_one}"


def check(path):
    why = refusal(path)
    if why:
        raise PermissionError(errno.EPERM, f"{why}: {REMEDY}", path)


def _way(path):
    parent = os.path.dirname(path)
    return [path] if parent == path else [*_way(parent), path]
