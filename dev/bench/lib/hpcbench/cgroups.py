"""CPU time of whole process trees from outside them: a control group each, where we may make one."""

import os
import sys
import time

from . import processes

PATIENCE = 20  # seconds for killed processes to end
# The group is entered by the process itself, before it becomes the command.
_ENTER = 'echo $$ >"$1" && shift && exec "$@"'


def _writable_root():
    """The directory of our own group in the version 2 hierarchy, or None."""
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
    """A control group: what runs through `command` is in it, with all that it starts."""

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

    def remove(self):
        """Waits for processes that are ending; a group that stays busy costs no figure, but is told."""
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
    """Without control groups: what `pids` used, and their descendants that were waited for."""

    how = "times of ended children (no writable cgroup v2 here)"

    @staticmethod
    def command(words):
        return list(words)

    @staticmethod
    def seconds(pids):
        return sum(processes.cpu_with_reaped(pid) for pid in pids)

    @staticmethod
    def remove():
        """Nothing was made."""


def make(name):
    root = _writable_root()
    if root is None:
        return Reaped()
    try:
        return Group(os.path.join(root, f"hpcbench-{os.getpid()}-{name}"))
    except OSError:
        return Reaped()


def how():
    """How CPU time is measured on this machine."""
    probe = make("probe")
    probe.remove()
    return probe.how
