"""Runs unittest so that no test can hang: python3 -m watchdog ..., like python3 -m unittest.

A test may take HPC_TEST_MINUTES, 5 by default. Past that it fails: the stacks of all threads are shown, and what the
processes that it started do; these are ended. If the test still doesn't end, the whole run ends, with exit code 1.
Set-up and tear-down of a class or a module have the same limit.
"""

import faulthandler
import os
import signal
import sys
import unittest

from watchdog import processes

DEFAULT = 5
NAME = "HPC_TEST_MODULE"


class Overdue(BaseException):
    """Is thrown in the main thread. It is no Exception, so that `except Exception` can't keep it from failing its
    test."""


class Limits(unittest.TextTestResult):
    def startTestRun(self):
        super().startTestRun()
        os.environ[NAME] = f"{os.getcwd()}:{os.getpid()}"
        signal.signal(signal.SIGALRM, self._past)
        self._begin("what is done before the first test")

    def startTest(self, test):
        super().startTest(test)
        self._begin(test.id())

    def stopTest(self, test):
        self._begin(f"what is done after {test.id()}")
        super().stopTest(test)

    def stopTestRun(self):
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        super().stopTestRun()

    def _begin(self, what):
        self.what, self.was_told = what, False
        self.minutes = float(os.environ.get("HPC_TEST_MINUTES", DEFAULT))
        signal.setitimer(signal.ITIMER_REAL, 60 * self.minutes)
        # If the interpreter itself hangs, no signal handler runs.
        at_last = 60 * self.minutes * 1.5 + processes.ENOUGH
        faulthandler.dump_traceback_later(at_last, exit=True, file=sys.__stderr__)

    def _past(self, *_):
        if self.was_told:
            self._say(f"{self.what} still doesn't end: ending the whole run")
            self._end_processes()
            os._exit(1)
        self.was_told = True
        said = f"{self.what} isn't over after {self.minutes:g} minutes (HPC_TEST_MINUTES: more)"
        self._say(f"{said}. What it does:")
        faulthandler.dump_traceback(file=sys.__stderr__, all_threads=True)
        self._end_processes()
        signal.setitimer(signal.ITIMER_REAL, 60 * self.minutes / 5)
        raise Overdue(said)

    def _end_processes(self):
        mark = f"{NAME}={os.environ[NAME]}"
        processes.describe(processes.of(mark, os.getpid()), to=sys.__stderr__)
        processes.end(mark, os.getpid())

    def _say(self, text):
        print(text, file=sys.__stderr__, flush=True)


class Runner(unittest.TextTestRunner):
    resultclass = Limits


if __name__ == "__main__":
    unittest.main(module=None, testRunner=Runner, argv=["watchdog", *sys.argv[1:]])
