"""loopfs: a file system of its own for each node at one path, on any other kind; nothing left behind."""

import contextlib
import glob
import io
import json
import os
import subprocess
import time
import unittest
from unittest import mock

from fsbed import mounts
from kind_case import COMMAND, KindCase, load_kind, skip_or_fail


class LoopfsCase(KindCase):
    kind = load_kind("loopfs")
    name = "loopfs"

    @classmethod
    def start(cls, *arguments, at=None):
        super().start("--size", "300M", *arguments, at=at)

    def stats(self):
        return json.loads(self.run_testbed("stats", "--json").stdout)

    def devices(self):
        """Returns the images of this test that loop devices still have."""
        backing = []
        for path in glob.glob("/sys/block/loop*/loop/backing_file"):
            with open(path, encoding="utf-8") as f:
                backing.append(f.read().strip())
        # For a removed image, the kernel shows "... (deleted)"; for one whose mount is gone, its name.
        mark = os.path.basename(self.parent)
        return [image for image in backing if mark in image]

    def assert_nothing_left(self):
        self.assertEqual(self.devices(), [])
        self.assertEqual(mounts.below(self.parent), [])
        self.assertEqual(glob.glob(f"{self.parent}/base*"), [])
        self.assertEqual(glob.glob(f"{self.parent}/**/*.img", recursive=True), [])


class RunningTest(LoopfsCase):
    shared = ()

    def test_every_node_sees_its_own_at_the_same_path(self):
        path = os.path.join(self.instance.common, "f")
        for node in range(2):
            self.on(node, "sh", "-c", f"echo from $TESTBED_NODE > {path}")
        self.assertEqual(self.on(0, "cat", path), "from 0\n")
        self.assertEqual(self.on(1, "cat", path), "from 1\n")
        self.assertFalse(os.path.exists(path), "outside the nodes the path is empty")

    def test_counts_are_exact_by_node(self):
        self.run_testbed("reset")
        for n in range(20):
            self.put(1, f"f{n}", b"x" * 1000)
        for n in range(5):
            os.unlink(self.at(1, f"f{n}"))
        with open(self.at(1, "f9"), "rb") as f:
            os.fsync(f.fileno())
        idle, busy = self.stats()["clients"]
        counts = {kind: n["other"] for kind, n in busy["counts"].items()}
        self.assertEqual((counts["create"], counts["unlink"], counts["write"]), (20, 5, 20))
        self.assertEqual(busy["bytes"]["write"]["other"], 20000)
        self.assertGreater(busy["device"]["write"], 0)
        self.assertEqual(idle["counts"], {})
        self.run_testbed("reset")
        self.assertNotIn("create", self.stats()["totals"])

    def test_semantics_say_that_nothing_is_between_nodes(self):
        result = self.semantics("--unshared")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("| yes |", result.stdout)
        self.assertIn("| a closed file is whole on the other node | NO |", self.semantics().stdout)

    def test_a_second_start_and_settings_are_refused(self):
        self.assert_refused("in use", "start")
        self.assert_refused("no settings", "set", "mds.median_us=1")
        self.assertTrue(self.instance.alive())


class LifecycleTest(LoopfsCase):
    def test_stop_leaves_nothing(self):
        self.start()
        self.put(0, "f")
        self.assertEqual(len(self.devices()), 2)
        self.stop()
        self.assert_nothing_left()

    def test_stop_with_an_open_file_leaves_nothing_once_it_is_closed(self):
        self.start()
        held = os.open(self.at(0, "f"), os.O_CREAT | os.O_WRONLY)
        with mock.patch.object(self.kind.loop, "PATIENCE", 1), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            self.instance.remove()
        self.assertIn("stays until", said.getvalue())
        self.assertEqual(len(self.devices()), 1)
        os.close(held)
        while self.devices():
            time.sleep(0.01)
        self.assert_nothing_left()

    def test_after_a_crash_the_next_start_clears_up_first(self):
        self.start()
        self.addCleanup(self.stop)
        self.put(0, "old")
        # The state that a start leaves if it is killed between its two nodes.
        subprocess.run(["umount", self.instance.mount_point(1)], check=True)
        self.instance.save(**{**self.instance.state(), "ready": False})
        self.start()
        self.assertEqual(os.listdir(self.instance.mount_point(0)), [])
        self.assertEqual(len(self.devices()), 2)

    def test_what_is_missing_or_wrong_is_said_in_one_line_and_leaves_nothing(self):
        self.assert_refused("mkfs.xfs is missing: apt-get install xfsprogs", "start",
                            env=self.path_without("mkfs.xfs"))
        self.assert_refused("no directory", "start", "--on", "/nowhere")
        self.assert_refused("300M or more", "start", "--size", "20M")
        self.assert_refused("M, G or T", "start", "--size", "much")
        self.assert_refused("nothing is mounted", "start", "--on", "moosefs",
                            env={**os.environ, "TESTBED_MOOSEFS_BASE": self.parent})
        self.assert_nothing_left()


class OnPfsTest(LoopfsCase):
    def setUp(self):
        super().setUp()
        pfs = load_kind("pfs")
        why = pfs.missing()
        if why:
            skip_or_fail(why)
        self.below = pfs.Instance(os.path.join(self.parent, "pfs"))
        self.pfs("start", "--nodes", "2")
        self.addCleanup(self.pfs, "stop")
        with mock.patch.dict(os.environ, TESTBED_PFS_BASE=self.below.base):
            self.start("--on", "pfs")
        self.addCleanup(self.stop)

    def pfs(self, verb, *arguments):
        subprocess.run([COMMAND, "pfs", verb, "--base", self.below.base, *arguments], check=True,
                       capture_output=True)

    def test_each_image_is_made_through_its_nodes_mount(self):
        clients = self.below.ask("stats")["clients"]
        self.assertEqual([c["counts"]["create"] for c in clients], [{"other": 1}] * 2)
        self.below.ask("reset")
        for n in range(30):
            self.put(1, f"f{n}")
        self.assertNotIn("create", self.below.ask("stats")["totals"])

    def test_stop_leaves_nothing_when_the_file_system_below_is_gone(self):
        self.put(0, "f")
        self.pfs("stop")
        self.stop()
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
