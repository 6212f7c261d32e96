"""A job of a lane: a command with a log, and its units, each of which can fail and run again on its own."""

import os
import subprocess
import time
import typing

from testing import counts
from testing.root import LOGS, ROOT


class Outcome(typing.NamedTuple):
    """The results of a job's units, by their names."""

    # The messages of failed units.
    failed: typing.Dict[str, str]
    counts: typing.Dict[str, counts.Counts]
    seconds: typing.Dict[str, float]
    # Seconds from the first unit's start to the last one's end; CPU seconds of all processes that were waited for.
    took: float
    cpu: float


class Job:
    """A program whose exit code says whether its tests passed. It is its own only unit."""

    def __init__(self, name, command, *, alone=False, turn=None, cwd=ROOT, env=None):
        self.name = name
        self.command = command
        # Measures latencies, or needs the whole machine.
        self.alone = alone
        # Jobs with the same turn never run at the same time.
        self.turn = turn
        self.cwd = cwd
        self.env = env or {}

    @property
    def units(self):
        return [self.name]

    @property
    def log(self):
        return LOGS / (self.name.replace("/", "-") + ".log")

    def run(self):
        LOGS.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        with open(self.log, "w", encoding="utf-8") as log:
            program = subprocess.Popen(
                self.command, cwd=self.cwd, env={**os.environ, **self.env}, stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT,
            )
            _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        took = time.monotonic() - began
        return Outcome(*self.found(program.returncode, took), took, used.ru_utime + used.ru_stime)

    def found(self, code, seconds):
        """Returns what the log and the reports say about the units: failures, counts and times."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        failed = {self.name: self.last_words(text)} if code != 0 else {}
        return failed, {self.name: counts.of_unittest(text)}, {self.name: seconds}

    def again(self, _units):
        """Returns jobs that run only these units once more."""
        return [self]

    @staticmethod
    def last_words(text, lines=60):
        return "\n".join(line[:500] for line in text.splitlines()[-lines:])
