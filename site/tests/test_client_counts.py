"""What the clients of file systems have counted, from statistics of the form that each documents."""

import os
import unittest
from unittest import mock

from site_case import SiteCase
from spark_hpc import client_counts, file_systems

LLITE = """\
snapshot_time             1700000000.000000000 secs.nsecs
read_bytes                {reads} samples [bytes] 4096 1048576 104857600 109951162777600
write_bytes               5 samples [bytes] 1 2 3
open                      {opens} samples [usec] 10 900 12000 1
close                     7 samples [usec] 1 2 3 4
getattr                   100 samples [usec]
inode_permission          3 samples [usec] 1 2 3 4
page_mkwrite              9 samples [usec] 1 2 3 4
"""
NFS = """\
device tmpfs mounted on /run with fstype tmpfs
device server:/other mounted on {other} with fstype nfs4 statvers=1.1
\tper-op statistics
\t       OPEN: 1000 1000 0 1 1 1 1 1 0
device server:/home mounted on {point} with fstype nfs4 statvers=1.1
\topts:\trw,vers=4.2,rsize=1048576
\tage:\t863
\tevents:\t12 34 56
\tRPC iostats version: 1.1  p/v: 100003/4 (nfs)
\txprt:\ttcp 0 0 2 0 0 10 10 0 10 0 2 0 0
\tper-op statistics
\t       NULL: 1 1 0 44 24 0 0 0 0
\t       READ: {reads} 3 0 600 9000 0 3 3 0
\t      WRITE: 2 2 0 600 9000 0 3 3 0
\t     COMMIT: 1 1 0 600 9000 0 3 3 0
\t       OPEN: {opens} 4 0 1024 1500 0 2 2 0
\t    GETATTR: 6 6 0 1024 1500 0 2 2 0
\t   SEQUENCE: 50 50 0 1024 1500 0 2 2 0
\tEXCHANGE_ID: 1 1 0 1 1 1 1 1 0
"""
MOOSEFS = """\
fuse_ops: 271
fuse_ops.lookup: {opens}
fuse_ops.lookup.cached: 0
fuse_ops.getattr-cached: 9
fuse_ops.getattr: 3
fuse_ops.read: {reads}
master.packets_sent: 255
"""


class ClientCountsTest(SiteCase):
    def on(self, type_):
        return mock.patch.object(file_systems, "mount_of", lambda _: (self.at("mount"), type_))

    def growth(self, type_, name, text):
        """What has come between 10 opens and 20 reads, and 13 and 27."""
        self.put(name, text.format(opens=10, reads=20, point=self.at("mount"), other=self.at("mount") + "2"))
        with self.on(type_):
            before = client_counts.read("x")
            self.put(name, text.format(opens=13, reads=27, point=self.at("mount"), other=self.at("mount") + "2"))
            return before, client_counts.since(before, client_counts.read("x"))

    def test_lustre(self):
        with mock.patch.object(client_counts, "LLITE", (self.at("llite", "*", "stats"),)):
            self.put("llite/fs-2/stats", "open 1000 samples [usec]\n")
            before, more = self.growth("lustre", "llite/fs-1/stats", LLITE)
        self.assertEqual(before["open"], 1010)
        self.assertEqual(before["getattr"], 100)
        self.assertEqual(more, (3, 7))

    def test_nfs_has_the_counts_of_its_own_mount(self):
        with mock.patch.object(client_counts, "MOUNTSTATS", self.at("mountstats")):
            before, more = self.growth("nfs4", "mountstats", NFS)
        self.assertEqual(before, {"null": 1, "read": 20, "write": 2, "commit": 1, "open": 10, "getattr": 6,
                                  "sequence": 50, "exchange_id": 1})
        self.assertEqual(more, (3, 7))
        self.assertEqual(client_counts.since({}, before), (16, 23))

    def test_moosefs(self):
        before, more = self.growth("fuse.mfs", "mount/.stats", MOOSEFS)
        self.assertEqual(before, {"lookup": 10, "getattr": 3, "read": 20})
        self.assertEqual(more, (3, 7))

    def test_a_client_that_shows_nothing_has_no_counts(self):
        for type_ in ("lustre", "nfs", "fuse.mfs", "gpfs", "ext4"):
            with self.on(type_), mock.patch.object(client_counts, "LLITE", (self.at("none"),)), \
                    mock.patch.object(client_counts, "MOUNTSTATS", self.at("none")):
                self.assertIsNone(client_counts.read(self.directory), type_)
        self.assertIsNone(client_counts.since(None, None))

    def test_the_mount_of_a_directory(self):
        point, type_ = file_systems.mount_of("/proc/self")
        self.assertEqual((point, type_), ("/proc", "proc"))
        self.assertEqual(file_systems.kind(os.sep)[1], file_systems.mount_of("/")[1])


if __name__ == "__main__":
    unittest.main()
