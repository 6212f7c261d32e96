"""Attribute and extent locks: cached until another client's change, which is seen at once."""

import os
import threading
import unittest

from pfs_case import PfsCase

MIB = 1 << 20


class AttributeLockTest(PfsCase):
    def test_attributes_are_free_while_held(self):
        self.put(0, "f")
        os.stat(self.at(1, "f"))
        self.reset()
        for _ in range(10):
            os.stat(self.at(1, "f"))
        self.assertEqual(self.ask("stats")["metadata_requests"], 0)

    def test_another_clients_change_revokes_them(self):
        self.put(0, "f", b"1234")
        self.assertEqual(os.stat(self.at(1, "f")).st_size, 4)
        self.reset()
        self.put(0, "f", b"123456")
        self.assertEqual(os.stat(self.at(1, "f")).st_size, 6)
        self.assertEqual(self.counts(1), {"attr_revoked": 1, "getattr": 1})

    def test_a_removed_name_is_gone_on_the_other_client(self):
        self.put(0, "f")
        self.get(1, "f")
        os.unlink(self.at(0, "f"))
        self.assertFalse(os.path.exists(self.at(1, "f")))


class ExtentLockTest(PfsCase):
    def test_the_first_foreign_read_makes_the_writer_flush(self):
        self.put(0, "f", b"x" * 5000)
        self.assertNotIn("write", self.totals())
        self.reset()
        self.assertEqual(self.get(1, "f"), b"x" * 5000)
        self.assertEqual(self.counts(0), {"write": 1, "extent_revoked": 1})
        reader = self.counts(1)
        self.assertEqual((reader["enqueue"], reader["read"]), (1, 1))

    def test_the_second_foreign_read_comes_from_its_cache(self):
        self.put(0, "f", b"x" * 5000)
        self.get(1, "f")
        self.reset()
        self.get(1, "f")
        self.assertEqual(self.ask("stats")["data_requests"], 0)

    def test_a_clients_own_data_comes_from_its_cache(self):
        self.put(0, "f", b"x" * 5000)
        self.reset()
        self.get(0, "f")
        self.assertEqual(self.ask("stats")["data_requests"], 0)

    def test_without_client_cache_each_open_reads_again(self):
        self.ask("set", **{"client.cache": 0})
        self.put(0, "f", b"x" * 5000)
        self.get(0, "f")
        self.reset()
        self.get(0, "f")
        self.assertEqual(self.totals()["read"], 1)

    def test_dropped_caches_are_read_again(self):
        self.put(0, "f", b"x" * 5000)
        self.ask("drop")
        self.reset()
        self.get(0, "f")
        self.assertEqual(self.totals()["read"], 1)

    def test_a_foreign_write_takes_the_readers_pages_away(self):
        self.put(0, "f", b"old!")
        reader = os.open(self.at(1, "f"), os.O_RDONLY)
        self.addCleanup(os.close, reader)
        self.assertEqual(os.pread(reader, 4, 0), b"old!")
        with open(self.at(0, "f"), "r+b", buffering=0) as f:
            f.write(b"new!")
        self.assertEqual(os.pread(reader, 4, 0), b"new!")

    def test_so_does_one_while_the_reader_is_asking_something_else(self):
        self.put(0, "f", b"0000")
        reader = os.open(self.at(1, "f"), os.O_RDONLY)
        self.addCleanup(os.close, reader)
        writer = os.open(self.at(0, "f"), os.O_WRONLY)
        self.addCleanup(os.close, writer)
        done = threading.Event()

        def open_it_again():
            while not done.is_set():
                os.close(os.open(self.at(1, "f"), os.O_RDONLY))

        asking = threading.Thread(target=open_it_again)
        asking.start()
        self.addCleanup(asking.join)
        self.addCleanup(done.set)
        for n in range(300):
            os.pwrite(writer, b"%04d" % n, 0)
            self.assertEqual(os.pread(reader, 4, 0), b"%04d" % n)

    def test_what_a_client_wrote_and_forgot_is_read_anew_and_taken_away(self):
        self.put(0, "f", b"old!")
        self.get(1, "f")
        # The name leaves the writer's cache, and the file with it.
        os.rename(self.at(1, "f"), self.at(1, "g"))
        self.settled()
        self.assertEqual(self.get(0, "g"), b"old!")
        with open(self.at(1, "g"), "r+b", buffering=0) as f:
            f.write(b"new!")
        self.assertEqual(self.get(0, "g"), b"new!")

    def test_deleted_files_cost_no_write(self):
        self.put(0, "f", b"x" * 5000)
        os.unlink(self.at(0, "f"))
        self.assertNotIn("write", self.totals())

    def test_large_writes_become_requests_of_rpc_size(self):
        self.put(0, "f", b"x" * (4 * MIB))
        self.assertEqual(self.settled()["sizes"]["write"], {str(MIB): 4})

    def test_stripes_are_locked_and_read_each(self):
        self.ask("set", **{"stripe.count": 4, "stripe.kb": 64})
        self.put(0, "f", b"x" * (256 << 10))
        self.assertEqual(self.totals()["enqueue"], 4)
        self.reset()
        self.get(1, "f")
        self.assertEqual(self.counts(0)["write"], 4)
        self.assertEqual(self.counts(1)["enqueue"], 4)


if __name__ == "__main__":
    unittest.main()
