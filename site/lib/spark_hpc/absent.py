"""Directories that somebody mistyped: a place whose parent isn't there either is never made, but refused."""

import os


def parent(path):
    """The parent of that path if it isn't there; otherwise None."""
    above = os.path.dirname(os.path.abspath(path))
    return None if os.path.isdir(above) else above


def check(conf, key, path):
    """Refuses the value of that setting."""
    gone = parent(path)
    if gone:
        raise conf.refusal(key, f"there is no directory {gone}: correct the path, or make it (mkdir -p {gone})")
