"""glusterfs: one path for all nodes, the properties that shuffles need, nothing left behind."""

import os
import pathlib
import signal
import subprocess
import time
import unittest

from fsbed import mounts, network, processes
from kind_case import TESTBED, KindCase, load_kind

# A client keeps names and attributes for a second, so the others of semantics may hold or not.
NEEDED = ("a closed file is whole on the other node",
          "written, not closed: visible after fsync",
          "rename over a file that is being read: always old or new, never torn or missing",
          "O_CREAT with O_EXCL succeeds on one node only",
          "listing shows the other node's new file",
          "flock excludes the other node")


class GlusterfsCase(KindCase):
    kind = load_kind("glusterfs")
    name = "glusterfs"

    def pids(self):
        return network.processes(self.instance.network)


class SharedTest(GlusterfsCase):
    shared = ()

    def test_every_node_sees_it_at_the_same_path_through_its_own_mount(self):
        path = os.path.join(self.instance.common, "f")
        self.on(0, "sh", "-c", f"echo from $TESTBED_NODE > {path}")
        self.assertEqual(self.on(1, "cat", path), "from 0\n")
        self.assertFalse(os.path.exists(path), "outside the nodes the path is empty")
        self.assertEqual(mounts.file_system_type(self.instance.mount_point(0)), "fuse.glusterfs")

    def test_what_shuffles_need_holds_between_two_nodes(self):
        said = self.semantics().stdout
        for name in NEEDED:
            self.assertIn(f"| {name} | yes |", said)

    def test_semantics_of_kinds_are_compared_in_one_table(self):
        done = subprocess.run([os.path.join(TESTBED, "compare-semantics"), self.name], capture_output=True, text=True,
                              check=True)
        self.assertIn("| check | needed | glusterfs |\n", done.stdout)
        for name in NEEDED:
            self.assertIn(f"| {name} |", done.stdout)

    def test_a_second_start_is_refused(self):
        self.assert_refused("in use", "start")
        self.assert_refused("1 to 64", "start", "--nodes", "65")
        self.assertTrue(self.instance.alive())


class FullTest(GlusterfsCase):
    def test_it_can_be_full_for_a_while(self):
        self.start("--megabytes", "32")
        self.addCleanup(self.stop)
        self.assert_fills()


class LifecycleTest(GlusterfsCase):
    def test_stop_leaves_nothing_although_a_file_is_open(self):
        self.start()
        pids = self.pids()
        self.assertEqual(len(pids), 2 + self.nodes)
        held = os.open(self.at(0, "f"), os.O_CREAT | os.O_WRONLY)
        self.stop()
        self.assertEqual([pid for pid in pids if processes.running(pid)], [])
        self.assertEqual(mounts.below(self.parent), [])
        self.assertFalse(os.path.exists(self.instance.base))
        self.assertRaises(OSError, os.close, held)

    def test_after_a_brick_has_ended_the_next_start_clears_up_first(self):
        self.start()
        self.addCleanup(self.stop)
        self.put(0, "old")
        os.kill(self.instance.leaders()[0], signal.SIGKILL)
        while self.instance.alive():
            time.sleep(0.01)
        self.assert_refused("has ended: testbed glusterfs stop", "status")
        self.start()
        self.assertEqual(os.listdir(self.instance.mount_point(0)), [])


class ServersTest(GlusterfsCase):
    def setUp(self):
        super().setUp()
        self.start()
        self.addCleanup(self.stop)
        # Names are spread over the bricks, so each has some.
        self.names = [f"f{n}" for n in range(20)]
        for name in self.names:
            self.put(0, name)

    def test_files_of_a_stopped_brick_wait_for_it(self):
        self.assertEqual(self.run_testbed("servers").stdout.split(), ["brick-0", "brick-1"])
        self.run_testbed("stall", "brick-0", "8")
        self.assertEqual(self.stopped(), 1)
        for name in self.names:
            self.get(1, name)
        self.assertEqual(self.stopped(), 0)

    def stopped(self):
        """The number of processes that are stopped (state T of proc(5))."""
        states = [pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
                  for pid in self.pids()]
        return states.count("T")

    def test_files_of_a_killed_brick_are_missing_until_it_is_back(self):
        self.run_testbed("kill", "brick-0", "--back", "8")
        self.assert_refused("has ended", "status")
        there = [name for name in self.names if os.path.exists(self.at(1, name))]
        self.assertNotIn(len(there), (0, len(self.names)))
        while len([name for name in self.names if os.path.exists(self.at(1, name))]) < len(self.names):
            time.sleep(0.1)
        self.run_testbed("status")

    def test_a_node_can_crash(self):
        self.assert_crashes()

    def test_what_cannot_be_killed_is_refused(self):
        self.assert_refused("no server 'brick-7'; there are brick-0, brick-1", "kill", "brick-7")
        self.assert_refused("0 to 3600", "stall", "brick-0", "-1")
        self.run_testbed("kill", "brick-0")
        self.assert_refused("has ended", "kill", "brick-0")


if __name__ == "__main__":
    unittest.main()
