"""Runs jobs in lanes, and reports the progress after each.

Jobs that failed before run first, then the longest ones, so that failures are seen early and no lane ends with a long
job. Jobs that must not share the machine run last, one after the other.
"""

import threading
import time
import traceback

from testing import seconds as known_seconds
from testing.counts import Counts
from testing.jobs import Outcome


class Lanes:
    def __init__(self, number, known, say=print):
        self._number = number
        self._known = known
        self._say = say
        self._condition = threading.Condition()
        self._began = time.monotonic()
        self.outcomes = []

    def run(self, jobs, suspects=()):
        """Runs all jobs and returns pairs of a job and its outcome."""
        expected = {job: known_seconds.of(job, self._known) for job in jobs}
        # Of a test that failed, its job: "JOB: TEST".
        suspected = {name.partition(": ")[0] for name in suspects}
        waiting = sorted(
            (job for job in jobs if not job.alone),
            key=lambda job: (suspected.isdisjoint(job.units), -expected[job]),
        )
        self._left = dict(expected)
        turns = set()

        def take():
            with self._condition:
                while waiting:
                    for job in waiting:
                        if job.turn is None or job.turn not in turns:
                            waiting.remove(job)
                            turns.add(job.turn)
                            return job
                    self._condition.wait()
            return None

        def lane():
            for job in iter(take, None):
                self._run(job)
                with self._condition:
                    turns.discard(job.turn)
                    self._condition.notify_all()

        threads = [threading.Thread(target=lane) for _ in range(self._number)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for job in jobs:
            if job.alone:
                self._run(job)
        return self.outcomes

    def _run(self, job):
        try:
            outcome = job.run()
        except Exception:  # otherwise the lane would end unnoticed
            outcome = Outcome(dict.fromkeys(job.units, traceback.format_exc()), {}, {}, 0.0, 0.0)
        with self._condition:
            self.outcomes.append((job, outcome))
            del self._left[job]
            self._say(self._line(job, outcome))
            for unit, said in outcome.failed.items():
                self._say(f"  {unit}:\n{said}")

    def _line(self, job, outcome):
        total = len(self.outcomes) + len(self._left)
        shared = sum(seconds for job, seconds in self._left.items() if not job.alone) / self._number
        alone = sum(seconds for job, seconds in self._left.items() if job.alone)
        minutes, passed = divmod(int(time.monotonic() - self._began), 60)
        state = "FAILED" if outcome.failed else "ok"
        return (
            f"[{len(self.outcomes)}/{total}] {minutes:2}:{passed:02} {state:6} {job.name}, {outcome.took:.0f} s, CPU "
            f"{outcome.cpu:.0f} s, {Counts.total(outcome.counts.values())}; about {(shared + alone) / 60:.0f} min left"
        )
