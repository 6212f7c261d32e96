"""A job of a lane: a command with a log, and its units, each of which can fail and run again on its own."""

import copy
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


class Unittest(Job):
    """A program that runs Python's unittest and takes its arguments. Each test that fails is a unit of its own,
    JOB: MODULE.CLASS.TEST, and runs again without the others."""

    def __init__(self, name, command, **options):
        super().__init__(name, command, **options)
        self._prefix = f"{name}: "
        # The units that run, if not all tests do.
        self._only = []

    @property
    def units(self):
        return self._only or [self.name]

    def found(self, code, seconds):
        text = self.log.read_text(encoding="utf-8", errors="replace")
        total = counts.of_unittest(text)
        failed = self._failed(code, text, total)
        if self.name in failed:
            return failed, {self.name: total}, {self.name: seconds}
        by_unit = {unit: counts.Counts(passed=1) for unit in self._only}
        by_unit.update((unit, counts.Counts(failed=1)) for unit in failed)
        others = max(0, total.passed + total.failed - len(by_unit))
        return failed, {**by_unit, self.name: counts.Counts(others, 0, total.skipped)}, {self.name: seconds}

    def _failed(self, code, text, total):
        named = counts.failures_of_unittest(text) if code != 0 else {}
        failed = {self._prefix + test: said for test, said in named.items()}
        is_clear = bool(failed) or code == 0
        if self._only:
            # What fails now may be the set-up of all, and it is no error for unittest that no test has run.
            is_clear = is_clear and failed.keys() <= set(self._only) and total.passed + total.failed > 0
        return failed if is_clear else dict.fromkeys(self.units, self.last_words(text))

    def again(self, units):
        if self.name in units:
            return [self]
        second = copy.copy(self)
        second.name, second._only = f"{self.name}-again", units
        # With a star it is the whole name, which may begin with a package's.
        patterns = [f"*{unit[len(self._prefix):]}" for unit in units]
        second.command = [*self.command, *(word for pattern in patterns for word in ("-k", pattern))]
        return [second]
