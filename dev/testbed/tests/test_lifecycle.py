"""start, stop and nodes: one path for all, nothing left behind."""

import errno
import os
import signal
import subprocess
import time
import unittest

from fsbed import mounts, processes
from pfs_case import COMMAND, PfsCase


class LifecycleTest(PfsCase):
    nodes = 3

    def test_every_node_sees_it_at_the_same_path_through_its_own_mount(self):
        path = os.path.join(self.instance.common, "f")
        self.on(0, "sh", "-c", f"echo from 0 > {path}")
        self.reset()
        self.assertEqual(self.on(2, "cat", path), "from 0\n")
        self.assertEqual(self.counts(2)["open"], 1)
        self.assertNotIn("open", self.counts(1))
        self.assertFalse(os.path.exists(path), "outside the nodes the path is empty")

    def test_a_node_knows_its_number(self):
        self.assertEqual(self.on(1, "sh", "-c", "echo $TESTBED_NODE"), "1\n")

    def assert_nothing_left(self, pid):
        self.assertEqual(mounts.below(self.instance.base), [])
        self.assertFalse(os.path.exists(self.instance.base))
        self.assertFalse(processes.running(pid))

    def test_stop_leaves_nothing(self):
        pid = self.ask("get")["pid"]
        self.put(0, "f")
        held = os.open(self.at(0, "f"), os.O_RDONLY)
        self.stop()
        self.assert_nothing_left(pid)
        self.assert_errno(errno.ENOTCONN, os.close, held)

    def test_stop_leaves_nothing_after_a_crash(self):
        pid = self.ask("get")["pid"]
        os.kill(pid, signal.SIGKILL)
        while processes.running(pid):
            time.sleep(0.01)
        self.stop()
        self.assertEqual(mounts.below(self.instance.base), [])
        self.assertFalse(os.path.exists(self.instance.base))

    def test_stop_ends_an_emulator_that_does_not_answer(self):
        pid = self.ask("get")["pid"]
        os.kill(pid, signal.SIGSTOP)
        self.stop()
        self.assert_nothing_left(pid)

    def test_stop_does_not_remove_a_directory_that_is_not_ours(self):
        other = os.path.join(self.parent, "other")
        os.mkdir(other)
        self.addCleanup(os.rmdir, other)
        line = [COMMAND, "pfs", "stop", "--base", other]
        self.assertNotEqual(subprocess.run(line, capture_output=True, check=False).returncode, 0)
        self.assertTrue(os.path.isdir(other))

    def test_a_second_start_at_the_same_place_is_refused(self):
        self.assertNotEqual(self.run_testbed("start", check=False).returncode, 0)
        self.assertIsNotNone(self.instance.alive())

    def test_unknown_presets_and_settings_are_refused_and_leave_nothing(self):
        self.stop()
        for bad in (("--preset", "what"), ("what=1",)):
            self.assertNotEqual(self.run_testbed("start", *bad, check=False).returncode, 0)
            self.assertFalse(os.path.exists(self.instance.base))

    def test_an_idle_emulator_uses_no_cpu(self):
        pid = self.ask("get")["pid"]

        def ticks():
            with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
                return sum(int(x) for x in f.read().split()[13:15])

        before = ticks()
        time.sleep(1)
        self.assertLessEqual(ticks() - before, 1)


class SemanticsTest(PfsCase):
    def test_what_we_rely_on_holds_between_two_nodes(self):
        result = self.semantics()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("| yes |", result.stdout)
        self.assertNotIn("no (may differ)", result.stdout)


if __name__ == "__main__":
    unittest.main()
