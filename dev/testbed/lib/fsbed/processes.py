"""Finds out whether a process still runs, and which processes have given variables in their environment."""

import os


def running(pid):
    """Returns whether a process runs. A zombie doesn't: it has ended, and only its parent can remove it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def with_environment(**wanted):
    """Returns the ids of the processes that were started with these variables, as far as we may read them."""
    lines = {f"{name}={value}".encode() for name, value in wanted.items()}
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                if lines <= set(f.read().split(b"\0")):
                    found.append(int(pid))
        except OSError:
            continue
    return found
