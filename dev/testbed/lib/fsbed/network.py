"""A private network namespace, kept by a file. The processes in it are recognised by the namespace alone."""

import os
import signal
import subprocess
import time

PATIENCE = 10  # seconds until killed processes are gone

_UP = 'ip link set lo up && for address; do ip addr add "$address" dev lo || exit; done'


def create(path, addresses):
    """Makes a namespace whose loopback has these addresses. It exists until `path` is unmounted and its processes
    end."""
    with open(path, "w", encoding="utf-8"):
        pass
    subprocess.run(["unshare", f"--net={path}", "sh", "-c", _UP, "sh", *addresses], check=True)


def inside(path, *command):
    """Returns the command line that runs `command` in the namespace. Everything except the network is as outside."""
    return ["nsenter", f"--net={path}", *command]


def processes(path):
    """Returns the ids of all processes in the namespace."""
    try:
        wanted = os.stat(path)
    except OSError:
        return []
    return [int(pid) for pid in filter(str.isdigit, os.listdir("/proc"))
            if _same(wanted, f"/proc/{pid}/ns/net")]


def leaders(path):
    """Returns the ids of those processes whose parent is outside. What they fork may come and go."""
    found = processes(path)
    parents = {pid: _parent(pid) for pid in found}
    return [pid for pid, parent in parents.items() if parent not in (None, *found)]


def _parent(pid):
    """None if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return int(f.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def _same(wanted, path):
    try:
        found = os.stat(path)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino)


def kill_all(path):
    """Ends all processes in it."""
    for _ in range(100 * PATIENCE):
        found = processes(path)
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)
