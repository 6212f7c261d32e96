"""Whether this process has been asked to stop, by any of the signals that schedulers use before they
kill: SIGTERM at the end of a job, or what the user asked for with --signal."""

import os
import select
import signal

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
           signal.SIGXCPU)


class Stopped(Exception):
    pass


class Stopping:
    def __init__(self):
        self._asked = False
        self._wakes, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told)
        for number in SIGNALS:
            signal.signal(number, self._ask)

    def _ask(self, _number, _frame):
        self._asked = True

    def wait(self, seconds):
        """Less when a signal comes, which a sleep would outlast."""
        select.select([self._wakes], [], [], seconds)

    def check(self):
        if self._asked:
            raise Stopped()
