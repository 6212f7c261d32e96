"""Finds out whether a process still runs, its command line, and which processes have given variables in their environment
or a mount in their namespace."""

import os

from fsbed import mounts


def running(pid):
    """Returns whether a process runs. A zombie doesn't: it has ended, and only its parent can remove it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def command_of(pid):
    """Returns the command line of a process, as words; none if it is gone."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8") as f:
            return f.read().split("\0")[:-1]
    except OSError:
        return []


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


def with_mount(point, device):
    """Returns the ids of the processes that have this device mounted there, as far as we may read them."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/mountinfo", encoding="utf-8") as table:
                if any(mounts.point_and_device(line) == (point, device) for line in table):
                    found.append(int(pid))
        except OSError:
            continue
    return found
