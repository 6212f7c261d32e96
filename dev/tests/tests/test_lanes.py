"""The order in which jobs run, which of them run at the same time, and second tries."""

import pathlib
import tempfile
import threading
import unittest

from testing import second_tries, summary
from testing.counts import Counts
from testing.jobs import Job, Outcome
from testing.lanes import Lanes


class Planned:
    """A job that fails a given number of times."""

    def __init__(self, name, running, *, failures=0, turn=None, alone=False, beside=None):
        self.name, self.units, self.turn, self.alone = name, [name], turn, alone
        self._running, self._failures, self._beside = running, failures, beside

    def run(self):
        with self._running.of(self):
            if self._beside is not None:
                self._beside.wait(timeout=60)
        self._failures -= 1
        failed = {self.name: "as planned"} if self._failures >= 0 else {}
        counts = Counts(failed=1) if failed else Counts(passed=1)
        return Outcome(failed, {self.name: counts}, {self.name: 1.0}, 1.0, 2.0)

    def again(self, _units):
        return [self]


class Running:
    """The jobs that run at the moment, and which jobs ran at the same time."""

    def __init__(self):
        self._lock = threading.Lock()
        self.now, self.order, self.pairs = set(), [], set()

    def of(self, job):
        running = self

        class Context:
            def __enter__(self):
                with running._lock:
                    running.order.append(job.name)
                    running.pairs |= {frozenset((job.name, other)) for other in running.now}
                    running.now.add(job.name)

            def __exit__(self, *_):
                with running._lock:
                    running.now.remove(job.name)

        return Context()


class LanesTest(unittest.TestCase):
    def setUp(self):
        self.running = Running()
        self.said = []
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "second-tries.tsv")

    def run_jobs(self, jobs, lanes=2, known=None, suspects=()):
        return Lanes(lanes, known or {}, self.said.append).run(jobs, suspects)

    def test_what_failed_before_is_first_then_the_longest_and_what_is_alone_last(self):
        jobs = [Planned(name, self.running, alone=name == "alone") for name in ("short", "alone", "long", "suspect")]
        self.run_jobs(jobs, 1, {"short": 1, "long": 50, "suspect": 2, "alone": 99}, ["suspect"])
        self.assertEqual(self.running.order, ["suspect", "long", "short", "alone"])
        self.running.order.clear()
        self.run_jobs(jobs, 1, {"short": 1, "long": 50, "suspect": 2, "alone": 99}, ["suspect: a.B.test_c"])
        self.assertEqual(self.running.order[0], "suspect")

    def test_lanes_run_at_the_same_time_but_not_those_of_one_turn(self):
        # Both jobs must run at the same time, or this doesn't end.
        both = threading.Barrier(2)
        jobs = [Planned(name, self.running, beside=both) for name in ("a", "b")]
        jobs += [Planned(name, self.running, turn="slurm") for name in ("c", "d", "e")]
        self.run_jobs(jobs, 3)
        self.assertIn(frozenset("ab"), self.running.pairs)
        for pair in ("cd", "ce", "de"):
            self.assertNotIn(frozenset(pair), self.running.pairs)

    def test_a_job_that_cannot_be_run_has_failed(self):
        [(_, outcome)] = self.run_jobs([Job("tests-tool-missing", ["/nonexistent/program"])])
        self.assertIn("FileNotFoundError", outcome.failed["tests-tool-missing"])

    def test_each_job_is_told_of_with_the_time_that_is_left(self):
        self.run_jobs([Planned("a", self.running), Planned("b", self.running)], 1, {"a": 60, "b": 120})
        self.assertRegex(self.said[0], r"^\[1/2\]  0:0\d ok     b, 1 s, CPU 2 s, 1 passed, 0 failed, 0 skipped; about 1 min left$")

    def second(self, jobs, must_have_all=False):
        first = self.run_jobs(jobs)
        again = second_tries.run(first, {}, self.said.append)
        return summary.passed(first, again, self.said.append, file=self.file, must_have_all=must_have_all)

    def test_a_flake_passes_at_the_second_try_and_is_named(self):
        jobs = [Planned("flake", self.running, failures=1), Planned("good", self.running)]
        self.assertTrue(self.second(jobs))
        self.assertIn("1 passed only at the second try: flake", self.said)
        self.assertEqual(self.said[-1], "2 passed, 0 failed, 0 skipped")
        self.assertEqual(second_tries.names(self.file), ["flake"])

    def test_three_of_them_are_a_defect(self):
        for is_passed in (True, True, False):
            self.assertEqual(self.second([Planned("flake", self.running, failures=1)]), is_passed)
        self.assertIn("failed: flake passed only at the second try 3 times by now: it is a defect", self.said)

    def test_what_fails_twice_fails(self):
        jobs = [Planned("bad", self.running, failures=2), Planned("good", self.running)]
        self.assertFalse(self.second(jobs))
        self.assertIn("failed twice: bad\nas planned", self.said)
        self.assertEqual(self.said[-1], "1 passed, 1 failed, 0 skipped")
        self.assertFalse(self.file.exists())

    def test_a_program_passes_by_its_exit_code(self):
        good, bad = Job("tests-tool-good", ["true"]), Job("tests-tool-bad", ["sh", "-c", "echo why; exit 3"])
        outcomes = {job: outcome for job, outcome in self.run_jobs([good, bad])}
        self.assertEqual(outcomes[good].failed, {})
        self.assertEqual(outcomes[bad].failed, {"tests-tool-bad": "why"})

    def test_cpu_time_is_that_of_what_a_program_starts(self):
        busy = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
        [(_, outcome)] = self.run_jobs([Job("tests-tool-busy", ["sh", "-c", f"python3 -c '{busy}'; true"])])
        self.assertGreater(outcome.cpu, 0.25)


if __name__ == "__main__":
    unittest.main()
