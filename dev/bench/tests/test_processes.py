"""Started processes are ended, whatever happens in between."""

import os
import signal
import subprocess
import sys
import unittest

from hpcbench import processes

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

    def test_after_the_end_a_signal_ends_the_process_as_before(self):
        before = signal.getsignal(signal.SIGTERM)
        with processes.handlers_kept():
            processes.end_undisturbed(print)
            self.assertIsNot(signal.getsignal(signal.SIGTERM), before)
        self.assertIs(signal.getsignal(signal.SIGTERM), before)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "two cores")
    def test_a_process_and_what_it_starts_keep_to_their_cores(self):
        core = min(os.sched_getaffinity(0))
        said = "import os; input(); os.system('taskset -p -c $$')"
        with subprocess.Popen([sys.executable, "-c", said], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as process:
            processes.keep_on([core], process.pid)
            self.assertRegex(process.communicate("\n")[0], rf": {core}\n$")
        ran = subprocess.run([*processes.on_cores([core]), "nproc"], capture_output=True, text=True, check=True)
        self.assertEqual(ran.stdout, "1\n")

    def test_what_a_child_wrote_counts_once_it_was_waited_for(self):
        before = processes.moved_bytes(os.getpid())
        subprocess.run([sys.executable, "-c", "import os; os.write(1, bytes(4 << 20))"],
                       stdout=subprocess.DEVNULL, check=True)
        after = processes.moved_bytes(os.getpid())
        self.assertGreaterEqual(after["written"] - before["written"], 4 << 20)
        self.assertLess(after["written"] - before["written"], 5 << 20)

    def test_memory_of_a_process_is_seen_until_it_ends(self):
        took = "import sys; kept = bytearray(64 << 20); print('', flush=True); input()"
        with subprocess.Popen([sys.executable, "-c", took], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            process.stdout.readline()
            self.assertGreater(processes.resident_bytes(process.pid), 64 << 20)
            process.communicate("\n")
        self.assertEqual(processes.resident_bytes(process.pid), 0)


if __name__ == "__main__":
    unittest.main()
