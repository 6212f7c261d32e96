"""Finds the processes of a test run, shows what they do at the moment, and ends them.

A run has a variable of its own in its environment, NAME=VALUE. Everything that it starts inherits it, also daemons
whose parents have ended.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

PROC = pathlib.Path("/proc")
LOG = re.compile(r"(log|out|err)$")
LAST_LINES = 40
# Limits in seconds of all thread dumps together, and of each: a JVM that hangs gives none.
ENOUGH = 180
JCMD = 20


def _read(file):
    try:
        return file.read_bytes()
    except OSError:  # the process has ended, or is somebody else's
        return b""


class Process:
    """A running process. Once it has ended, all answers are empty."""

    def __init__(self, pid):
        self.pid = int(pid)
        self.folder = PROC / str(pid)

    def is_marked(self, mark):
        return mark.encode() in _read(self.folder / "environ").split(b"\0")

    @property
    def command(self):
        return _read(self.folder / "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()

    @property
    def is_jvm(self):
        return os.path.basename(self.command.split(" ")[0]) == "java"

    @property
    def parent(self):
        # Before these fields is the name, in brackets, which may have any character.
        fields = _read(self.folder / "stat").rpartition(b")")[2].split()
        return int(fields[1]) if fields else 0

    @property
    def place(self):
        try:
            return os.readlink(self.folder / "cwd")
        except OSError:
            return ""

    @property
    def logs(self):
        """The open files whose names match LOG."""
        try:
            links = [os.readlink(file) for file in (self.folder / "fd").iterdir()]
        except OSError:
            return set()
        return {link for link in links if LOG.search(link) and os.path.isfile(link)}

    def threads(self, seconds):
        jcmd = os.path.join(os.environ["JAVA_HOME"], "bin", "jcmd") if os.environ.get("JAVA_HOME") else "jcmd"
        try:
            done = subprocess.run(
                [jcmd, str(self.pid), "Thread.print", "-l"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
            )
            return done.stdout + done.stderr
        except (OSError, subprocess.TimeoutExpired) as failure:
            return f"no thread dump: {failure}\n"


def _callers():
    """Returns the ids of this process and of its ancestors."""
    found, pid = set(), os.getpid()
    while pid > 1:
        found.add(pid)
        pid = Process(pid).parent
    return found


def _with_offspring(pids, parents):
    found = set(pids)
    while True:
        below = {pid for pid, parent in parents.items() if parent in found} - found
        if not below:
            return found
        found |= below


def of(mark, pid, about=""):
    """Returns the processes that have the mark, and all below them or below `pid`, except the callers.

    With `about`, returns only those that have it in their command or their directory, and what these started.
    """
    everybody = {int(entry.name): Process(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()}
    parents = {process.pid: process.parent for process in everybody.values() if process.command}
    marked = {one for one in parents if everybody[one].is_marked(mark)}
    found = (_with_offspring(marked | {pid}, parents) & set(parents)) - _callers() - {pid}
    if about:
        chosen = {one for one in found if about in everybody[one].command or about in everybody[one].place}
        found &= _with_offspring(chosen, parents)
    return [everybody[one] for one in sorted(found)]


def describe(processes, to=None):
    """Prints commands, thread dumps of JVMs, and the ends of the logs that they have open."""

    def say(text):
        print(text, file=to or sys.stdout, flush=True)

    deadline, logs = time.monotonic() + ENOUGH, set()
    for process in processes:
        say(f"-- process {process.pid}, in {process.place}: {process.command[:2000]}")
        logs |= process.logs
        if process.is_jvm:
            seconds = min(JCMD, deadline - time.monotonic())
            say(process.threads(seconds) if seconds > 0 else f"no thread dump: there were {ENOUGH} s for all")
    for log in sorted(logs):
        lines = _read(pathlib.Path(log)).decode(errors="replace").splitlines()[-LAST_LINES:]
        say("\n".join([f"-- the last {len(lines)} lines of {log}", *lines]))


def end(mark, pid, about=""):
    """Ends the processes by SIGKILL, also those that start meanwhile."""
    for _ in range(10):
        left = of(mark, pid, about)
        for process in left:
            try:
                os.kill(process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        if not left:
            return
        time.sleep(0.1)
