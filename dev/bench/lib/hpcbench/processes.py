"""Runs commands in sessions of their own, so that everything they start can be found and ended."""

import contextlib
import os
import re
import signal
import subprocess
import time

from .refusal import Refusal

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
PATIENCE = 10  # seconds between SIGTERM and SIGKILL


def stat(pid):
    """Returns the fields of /proc/PID/stat from the state on (field 3 in proc(5)), or None."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None


def members(session):
    """Returns the running processes of a session. Zombies have ended."""
    found = []
    for name in os.listdir("/proc"):
        fields = stat(name) if name.isdigit() else None
        if fields and int(fields[3]) == session and fields[0] != "Z":
            found.append(int(name))
    return found


def own_cpu(pid):
    """Returns the user and system seconds of one process, without its children."""
    fields = stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


def cpu_with_reaped(pid):
    """Returns own_cpu and the seconds of all descendants that ended and were waited for."""
    fields = stat(pid)
    return sum(int(field) for field in fields[11:15]) / TICKS if fields else 0.0


def resident_bytes(pid):
    """Returns the bytes of a process that are in memory, or 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/statm", encoding="utf-8") as file:
            return int(file.read().split()[1]) * PAGE
    except (FileNotFoundError, ProcessLookupError):
        return 0


def moved_bytes(pid):
    """Returns the bytes of reads and writes of a process and of the children that it has waited for
    (proc(5): rchar and wchar)."""
    with open(f"/proc/{pid}/io", encoding="utf-8") as file:
        fields = dict(line.split(": ") for line in file)
    return {"read": int(fields["rchar"]), "written": int(fields["wchar"])}


def on_cores(cores):
    """Returns the prefix of a command that binds it to these cores."""
    return ["taskset", "-c", ",".join(map(str, cores))]


def keep_on(cores, pid):
    """Binds all threads of a running process to these cores, and thereby whatever the threads start."""
    elsewhere = True
    while elsewhere:
        elsewhere = False
        for thread in map(int, os.listdir(f"/proc/{pid}/task")):
            with contextlib.suppress(ProcessLookupError):
                elsewhere |= os.sched_getaffinity(thread) != set(cores)
                os.sched_setaffinity(thread, cores)


class Daemon:
    """A command that serves until it is ended; its output goes to a log. Its session is a new one, unless it is to
    stay in this process's."""

    def __init__(self, command, environment, log, stays=False):
        self.log = log
        with open(log, "wb") as out:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                start_new_session=not stays)
        self.pid = self.process.pid

    def wait_for(self, pattern, seconds=60):
        """Returns the first match in the log. If none comes, refuses with the log's last line."""
        end = time.monotonic() + seconds
        while True:
            ended = self.process.poll() is not None
            with open(self.log, encoding="utf-8", errors="replace") as file:
                text = file.read()
            found = re.search(pattern, text)
            if found:
                return found
            if ended or time.monotonic() > end:
                last = text.strip().rpartition("\n")[2]
                raise Refusal(f"{self.log}: nothing matched '{pattern}'; it ends with: {last}")
            time.sleep(0.05)

    def end(self):
        end_session(self.pid, self.process)


def end_session(session, process):
    """Sends SIGTERM to all processes, SIGKILL to those that remain, and waits for their leader's exit."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(session, number)
        except ProcessLookupError:
            break
        end = time.monotonic() + PATIENCE
        while members(session) and time.monotonic() < end:
            process.poll()
            time.sleep(0.05)
        if not members(session):
            break
    process.wait()


@contextlib.contextmanager
def handlers_kept():
    """Restores the handlers of termination signals at its end, so that the next measurement can be ended."""
    before = {number: signal.getsignal(number) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_undisturbed(say):
    """Answers termination signals with a message only, from now on, so that the clean-up ends everything.

    The commands of the clean-up don't inherit a handler; they would inherit an ignored signal.
    """
    for number in ENDING_SIGNALS:
        signal.signal(number, lambda *_: say("still ending file systems and clusters"))
