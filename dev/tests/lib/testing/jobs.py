"""What a lane does at a time: a command with a log, and the units of it that can fail and run again on their own."""

import os
import subprocess
import time
import typing

from testing import counts
from testing.root import LOGS, ROOT


class Outcome(typing.NamedTuple):
    """What came of a job's units, by their names."""

    # What those said that failed.
    failed: typing.Dict[str, str]
    counts: typing.Dict[str, counts.Counts]
    seconds: typing.Dict[str, float]
    # From the first unit's start to the last one's end, and CPU time of all its processes that were waited for.
    took: float
    cpu: float


class Job:
    """A program whose exit code says whether its tests passed; its own only unit."""

    def __init__(self, name, command, *, alone=False, turn=None, cwd=ROOT, env=None):
        self.name = name
        self.command = command
        # Looks at latencies, or takes all that the machine has.
        self.alone = alone
        # Those with the same one never run at the same time.
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
        """What its log and its reports say of its units: what failed, counts and times."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        failed = {self.name: self.last_words(text)} if code != 0 else {}
        return failed, {self.name: counts.of_unittest(text)}, {self.name: seconds}

    def again(self, _units):
        """Jobs that try only these once more."""
        return [self]

    @staticmethod
    def last_words(text, lines=60):
        return "\n".join(line[:500] for line in text.splitlines()[-lines:])
