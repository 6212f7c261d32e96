"""The processes of one cluster on this node. Each has a mark in its environment, which its child processes
inherit, so none is missed, and no process of another cluster is signalled."""

import os
import signal
import time

from spark_hpc import pauses

MARK = "SPARK_HPC_NODE"
_PAUSE = 0.1


def mark_of(job, node):
    """The mark of a cluster's processes on that node, drivers included."""
    return "-".join([*job, node])


def marked(mark, variable=MARK):
    """The ids of this user's processes with this mark. An id alone may have been reused by another process."""
    wanted = f"{variable}={mark}".encode()
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if wanted in f.read().split(b"\0"):
                    found.append(int(pid))
        except OSError:
            # The process is another user's, or has just ended.
            continue
    return found


def says(pid, word):
    """Whether `word` is an argument of the process's command."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            return word.encode() in f.read().split(b"\0")
    except OSError:
        return False


def end(mark, seconds):
    """Ends the processes by SIGTERM, and by SIGKILL if they take longer than `seconds`. Their parents reap
    them."""
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
