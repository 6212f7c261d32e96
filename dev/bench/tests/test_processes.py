"""What was started is ended, whatever comes in between."""

import signal
import subprocess
import sys
import unittest

ENDING = """
import contextlib, signal, sys, time
from hpcbench import processes
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
with contextlib.ExitStack() as stack:
    stack.callback(print, "ended")
    stack.callback(time.sleep, 1)
    try:
        print("started", flush=True)
        time.sleep(60)
    finally:
        processes.end_undisturbed(lambda text: print(text, flush=True))
        print("ending", flush=True)
"""


class ProcessesTest(unittest.TestCase):
    def test_a_second_signal_does_not_disturb_the_end(self):
        with subprocess.Popen([sys.executable, "-c", ENDING], stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "started\n")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.stdout.readline(), "ending\n")
            for number in (signal.SIGTERM, signal.SIGINT):
                process.send_signal(number)
            said = process.stdout.read().splitlines()
        self.assertEqual(said[-1], "ended")
        self.assertIn("still ending file systems and clusters", said)
        self.assertEqual(process.returncode, 143)


if __name__ == "__main__":
    unittest.main()
