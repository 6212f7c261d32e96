"""Processes on this node that belong to one cluster: each has a mark in its environment, which what
it starts inherits, so that none is forgotten and none of another cluster is meant."""

import os
import signal
import time

MARK = "SPARK_HPC_NODE"
_PAUSE = 0.1


def marked(mark):
    """The ids of this user's processes with this mark."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if wanted in f.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            # Another user's, or it has just ended.
            continue
    return found


def end(mark, seconds):
    """In order if they do that in time, otherwise by force. Whoever started them reaps them."""
    _signal(marked(mark), signal.SIGTERM)
    if not _gone(mark, seconds):
        _gone(mark, 5, force=True)


def _gone(mark, seconds, force=False):
    deadline = time.monotonic() + seconds
    while True:
        left = marked(mark)
        if not left or time.monotonic() > deadline:
            return not left
        if force:
            _signal(left, signal.SIGKILL)
        time.sleep(_PAUSE)


def _signal(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
