"""statfs and quotas: ENOSPC where statfs shows it, EDQUOT where it doesn't."""

import errno
import os
import unittest

from pfs_case import PfsCase


class CapacityTest(PfsCase):
    def test_statfs_shows_the_capacity_and_what_is_used(self):
        self.ask("set", **{"capacity.mb": 100, "capacity.inodes": 50})
        empty = os.statvfs(self.at(0, ""))
        self.put(0, "f", b"x" * 10_000_000)
        used = os.statvfs(self.at(1, ""))
        self.assertAlmostEqual(empty.f_blocks * empty.f_frsize, 100e6, delta=4096)
        self.assertAlmostEqual((empty.f_bavail - used.f_bavail) * 4096, 10_000_000, delta=8192)
        self.assertEqual((used.f_files, empty.f_ffree - used.f_ffree), (50, 1))

    def test_a_full_file_system_is_enospc_until_something_is_deleted(self):
        self.ask("set", **{"capacity.mb": 1})
        self.put(0, "f", b"x" * 900_000)
        self.assert_errno(errno.ENOSPC, self.put, 1, "g", b"x" * 200_000)
        os.unlink(self.at(1, "f"))
        self.put(1, "g", b"x" * 200_000)

    def test_an_unlinked_file_counts_until_it_is_closed(self):
        self.ask("set", **{"capacity.mb": 1})
        f = open(self.at(0, "f"), "wb", buffering=0)
        f.write(b"x" * 900_000)
        os.unlink(self.at(0, "f"))
        self.assert_errno(errno.ENOSPC, self.put, 0, "g", b"x" * 200_000)
        f.close()
        self.settled()
        self.put(0, "g", b"x" * 200_000)

    def test_the_quota_is_edquot_and_statfs_does_not_show_it(self):
        before = os.statvfs(self.at(0, "")).f_blocks
        self.ask("set", **{"quota.mb": 1})
        self.assert_errno(errno.EDQUOT, self.put, 0, "f", b"x" * 2_000_000)
        self.assertEqual(os.statvfs(self.at(0, "")).f_blocks, before)

    def test_the_quota_of_inodes(self):
        self.ask("set", **{"quota.inodes": 2})
        self.put(0, "f")
        os.mkdir(self.at(1, "d"))
        self.assert_errno(errno.EDQUOT, self.put, 0, "g")
        self.assert_errno(errno.EDQUOT, os.mkdir, self.at(0, "h"))
        os.unlink(self.at(0, "f"))
        self.put(0, "g")

    def test_fallocate_counts(self):
        self.ask("set", **{"quota.mb": 1})
        with open(self.at(0, "f"), "wb") as f:
            self.assert_errno(errno.EDQUOT, os.posix_fallocate, f.fileno(), 0, 2_000_000)
            os.posix_fallocate(f.fileno(), 0, 900_000)
        self.assert_errno(errno.EDQUOT, self.put, 0, "g", b"x" * 200_000)


if __name__ == "__main__":
    unittest.main()
