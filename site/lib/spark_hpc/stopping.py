"""Whether this process was asked to stop, by any signal that schedulers send before they kill: SIGTERM at the
end of a job, or the signal that the user chose with --signal."""

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
        """Waits for `seconds`, or until a signal comes; time.sleep would go on."""
        select.select([self._wakes], [], [], seconds)

    def check(self):
        if self._asked:
            raise Stopped()
