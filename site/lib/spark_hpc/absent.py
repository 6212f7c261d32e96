"""Refuses mistyped directories: a directory whose parent does not exist either is never created."""

import os


def parent(path):
    """The parent directory of `path` if it does not exist; otherwise None."""
    above = os.path.dirname(os.path.abspath(path))
    return None if os.path.isdir(above) else above


def check(conf, key, path):
    """Refuses the setting `key` if the parent directory of its value `path` does not exist."""
    gone = parent(path)
    if gone:
        raise conf.refusal(key, f"there is no directory {gone}: correct the path, or make it (mkdir -p {gone})")
