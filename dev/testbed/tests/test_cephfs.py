"""cephfs: one path for all nodes, what one node closes another one reads, nothing left behind."""

import os
import unittest

from fsbed import mounts, network, processes
from kind_case import KindCase, load_kind


class CephfsTest(KindCase):
    kind = load_kind("cephfs")
    name = "cephfs"

    def test_nodes_share_files_at_one_path_and_stop_leaves_nothing(self):
        self.start()
        path = os.path.join(self.instance.common, "f")
        self.on(0, "sh", "-c", f"echo from $TESTBED_NODE > {path}")
        self.assertEqual(self.on(1, "cat", path), "from 0\n")
        self.assertEqual(mounts.file_system_type(self.instance.mount_point(0)), "fuse.ceph-fuse")
        room = os.statvfs(self.instance.mount_point(0))
        self.assertAlmostEqual(room.f_blocks * room.f_frsize / (4 << 30), 1, delta=0.1)
        self.assert_refused("in use", "start")
        self.assert_survives("mds.a")
        pids = network.leaders(self.instance.network)
        # A monitor, a manager, a metadata server and an object server.
        self.assertEqual(len(pids), 4 + self.nodes)
        held = os.open(self.at(0, "g"), os.O_CREAT | os.O_WRONLY)
        self.stop()
        self.assertEqual([pid for pid in pids if processes.running(pid)], [])
        self.assertEqual(mounts.below(self.parent), [])
        self.assertRaises(OSError, os.close, held)

    def test_it_can_be_full_for_a_while(self):
        self.start("--megabytes", "256")
        self.addCleanup(self.stop)
        self.assert_fills()


if __name__ == "__main__":
    unittest.main()
