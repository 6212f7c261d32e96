"""Puts load on the machine while tests run: programs that take CPU and disk, and processes that are stopped.

About every six seconds, a JVM of the tests is stopped for one to two seconds, as if the node swapped or the virtual
machine were moved.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import threading

from testing.root import LOGS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "watchdog" / "lib"))
from watchdog import processes  # noqa: E402

BETWEEN_SECONDS = 6
LONGEST_SECONDS = 2
SPIN = "while :; do :; done"
WRITE = "while :; do dd if=/dev/zero of={} bs=1M count=256 conv=fsync status=none; done"


class Load:
    """Load for the duration of a `with`."""

    def __enter__(self):
        LOGS.mkdir(parents=True, exist_ok=True)
        self._file = LOGS / "disk-hog"
        commands = [SPIN, WRITE.format(self._file)]
        self._hogs = [subprocess.Popen(["sh", "-c", command], start_new_session=True) for command in commands]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._stop_some)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
        for hog in self._hogs:
            os.killpg(hog.pid, signal.SIGKILL)
            hog.wait()
        self._file.unlink(missing_ok=True)

    def _stop_some(self):
        mark = f"HPC_TEST_RUN={os.environ.get('HPC_TEST_RUN', '')}"
        while not self._over.wait(random.expovariate(1 / BETWEEN_SECONDS)):
            jvms = [one for one in processes.of(mark, os.getpid()) if one.is_jvm]
            if jvms:
                self._stop(random.choice(jvms).pid)

    def _stop(self, pid):
        try:
            os.kill(pid, signal.SIGSTOP)
            self._over.wait(random.uniform(1, LONGEST_SECONDS))
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass
