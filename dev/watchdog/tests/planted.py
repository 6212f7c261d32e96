"""Tests that hang, for test_watchdog. The file's name keeps unittest from finding it."""

import os
import subprocess
import threading
import time
import unittest

WAY = os.environ.get("PLANTED", "")


class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if WAY == "class":
            threading.Event().wait()

    def test_hangs(self):
        if WAY == "child":
            subprocess.run(["sh", "-c", "sleep 1000 & exec sleep 1000"], check=False)
        elif WAY == "thread":
            threading.Event().wait()
        elif WAY == "deaf":
            self._deaf()

    def test_is_over_soon(self):
        pass

    def _deaf(self):
        while True:
            try:
                time.sleep(1000)
            except BaseException:  # like a finally that waits
                pass
