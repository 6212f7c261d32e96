"""Processes on this node that belong to one cluster: each has a mark in its environment, which what
it starts inherits, so that none is forgotten and none of another cluster is meant."""

import os
import signal
import time

from spark_hpc import pauses

MARK = "SPARK_HPC_NODE"
_PAUSE = 0.1


def mark_of(job, node):
    """What the environment of a cluster's processes on that node says, drivers' too."""
    return "-".join([*job, node])


def marked(mark, variable=MARK):
    """The ids of this user's processes with this mark. An id alone may have become another's."""
    wanted = f"{variable}={mark}".encode()
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


def says(pid, word):
    """Whether that is an argument of its command."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            return word.encode() in f.read().split(b"\0")
    except OSError:
        return False


def end(mark, seconds):
    """In order if they do that in time, otherwise by force. Whoever started them reaps them."""
    send(marked(mark), signal.SIGTERM)
    if not _gone(mark, seconds):
        _gone(mark, 5, force=True)


def _gone(mark, seconds, force=False):
    deadline = time.monotonic() + seconds
    for pause in pauses.growing(_PAUSE):
        left = marked(mark)
        if not left or time.monotonic() > deadline:
            return not left
        if force:
            send(left, signal.SIGKILL)
        time.sleep(pause)


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
