"""Measures the CPU time of whole process trees from outside: with a control group for each, where that is allowed."""

import os
import sys
import time

from . import processes

PATIENCE = 20  # seconds for killed processes to end
# The process enters the group itself, before it executes the command.
_ENTER = 'echo $$ >"$1" && shift && exec "$@"'


def _writable_root():
    """Returns the directory of this process's cgroup v2 group, or None if it isn't writable."""
    mount = None
    with open("/proc/self/mountinfo", encoding="utf-8") as table:
        for line in table:
            fields = line.split()
            if fields[fields.index("-") + 1] == "cgroup2":
                mount = fields[4]
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        own = next((line.strip()[3:] for line in file if line.startswith("0::")), None)
    if mount is None or own is None:
        return None
    path = mount + own.rstrip("/")
    return path if os.access(os.path.join(path, "cgroup.procs"), os.W_OK) else None


class Group:
    """A control group. It contains the processes that run through `command` and all that they start."""

    how = "control group"

    def __init__(self, path):
        self.path = path
        os.mkdir(path)

    def command(self, words):
        return ["sh", "-c", _ENTER, "sh", os.path.join(self.path, "cgroup.procs"), *words]

    def seconds(self, pids):
        del pids
        with open(os.path.join(self.path, "cpu.stat"), encoding="utf-8") as file:
            usage = next(line for line in file if line.startswith("usage_usec"))
        return int(usage.split()[1]) / 1e6

    def pids(self, leaders):
        del leaders
        with open(os.path.join(self.path, "cgroup.procs"), encoding="utf-8") as file:
            return [int(line) for line in file]

    def remove(self):
        """Waits until its processes have ended. If some still run, no figure is wrong, so it only warns."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return os.rmdir(self.path)
            except OSError as failure:
                if time.monotonic() > end:
                    print(f"bench: {failure}; processes of it still run", file=sys.stderr)
                    return None
            time.sleep(0.05)


class Reaped:
    """Replaces control groups: CPU time of `pids` and of their descendants that were waited for."""

    how = "times of ended children (no writable cgroup v2 here)"

    @staticmethod
    def command(words):
        return list(words)

    @staticmethod
    def seconds(pids):
        return sum(processes.cpu_with_reaped(pid) for pid in pids)

    @staticmethod
    def pids(leaders):
        return [pid for leader in leaders for pid in processes.members(leader)]

    @staticmethod
    def remove():
        """There is nothing to remove."""


def make(name):
    root = _writable_root()
    if root is None:
        return Reaped()
    try:
        return Group(os.path.join(root, f"hpcbench-{os.getpid()}-{name}"))
    except OSError:
        return Reaped()


def how():
    """Says how CPU time is measured on this machine."""
    probe = make("probe")
    probe.remove()
    return probe.how
