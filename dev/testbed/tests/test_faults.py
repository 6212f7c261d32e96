"""Each fault: where its error appears, and what is lost."""

import errno
import os
import subprocess
import sys
import threading
import unittest

from pfs_case import PfsCase


class FaultTest(PfsCase):
    def test_errors_by_kind_and_class(self):
        self.put(0, "shuffle_0_0_0.data")
        self.put(0, "rdd_0_0")
        for name in ("EIO", "ENOSPC", "EDQUOT"):
            self.ask("clear")
            self.ask("fault", **{"error": name, "kind": "open", "class": "shuffle_data"})
            self.assert_errno(getattr(errno, name), self.get, 0, "shuffle_0_0_0.data")
            self.get(0, "rdd_0_0")

    def test_a_fault_strikes_after_and_times(self):
        self.ask("fault", error="ENOSPC", kind="create", after=1, times=1)
        self.put(0, "first")
        self.assert_errno(errno.ENOSPC, self.put, 0, "second")
        self.put(0, "third")

    def test_a_fault_of_one_client_spares_the_others(self):
        self.ask("fault", error="EIO", kind="create", client=0)
        self.assert_errno(errno.EIO, self.put, 0, "f")
        self.put(1, "f")

    def test_an_error_that_appears_only_at_fsync_loses_the_data(self):
        self.ask("fault", error="EIO", kind="fsync", times=1)
        with open(self.at(0, "f"), "wb", buffering=0) as f:
            f.write(b"lost")
            self.assert_errno(errno.EIO, os.fsync, f.fileno())
        self.assertEqual(self.get(1, "f"), b"")

    def test_an_error_that_appears_only_at_close(self):
        self.ask("fault", error="EDQUOT", kind="close", times=1)
        descriptor = os.open(self.at(0, "f"), os.O_CREAT | os.O_WRONLY)
        os.write(descriptor, b"lost")
        self.assert_errno(errno.EDQUOT, os.close, descriptor)
        self.assertEqual(self.get(1, "f"), b"")

    def test_unknown_faults_are_refused(self):
        for bad in ({"error": "EWHAT"}, {"error": "EIO", "kind": "what"},
                    {"error": "EIO", "class": "what"}, {"error": "EIO", "client": 9},
                    {"error": "EIO", "client": "0"}, {"error": "EIO", "times": "1"}):
            with self.assertRaises(Exception):
                self.ask("fault", **bad)

    def test_a_stalled_server_answers_when_the_stall_ends(self):
        self.put(0, "f")
        self.ask("stall", seconds=3600)
        reader = threading.Thread(target=self.get, args=(0, "f"))
        self.ask("clear")
        reader.start()
        reader.join()
        self.ask("stall", seconds=0.3)
        self.reset()
        self.get(0, "f")
        # The wait is the model's own figure, not a clock's.
        self.assertGreater(self.settled()["service"]["open"]["mean_wait_us"], 1000)


class EvictionTest(PfsCase):
    def test_an_evicted_client_loses_what_it_had_not_synced(self):
        with open(self.at(0, "f"), "wb", buffering=0) as f:
            f.write(b"safe")
            os.fsync(f.fileno())
            f.write(b"lost")
            self.ask("evict", client=0)
            self.assertEqual(self.get(1, "f"), b"safe")
            self.assert_errno(errno.EIO, os.stat, self.at(0, "other"))
            self.assert_errno(errno.EIO, os.fsync, f.fileno())
            f.write(b"!")
        self.assertEqual(self.settled()["totals"]["dirty_lost"], 1)

    def test_what_was_overwritten_comes_back(self):
        self.put(0, "f", b"committed")
        self.ask("drop")
        with open(self.at(0, "f"), "r+b", buffering=0) as f:
            f.write(b"COMM")
        self.ask("evict", client=0)
        self.assertEqual(self.get(1, "f"), b"committed")

    def test_the_clients_own_view_is_what_is_left(self):
        self.put(0, "f", b"lost")
        self.ask("evict", client=0)
        self.assert_errno(errno.EIO, os.stat, self.at(0, "absent"))
        self.assertEqual(self.get(0, "f"), b"")

    def test_what_the_other_client_read_was_flushed_and_stays(self):
        self.put(0, "f", b"read")
        self.get(1, "f")
        self.ask("evict", client=0)
        self.assertEqual(self.get(1, "f"), b"read")


class DeathTest(PfsCase):
    def test_a_dead_mount_fails_and_the_other_goes_on(self):
        self.put(0, "synced", b"data")
        self.get(1, "synced")
        self.put(0, "dirty", b"lost")
        self.ask("kill", client=0)
        self.assert_errno(errno.ENOTCONN, os.stat, self.at(0, "synced"))
        self.assertEqual(self.get(1, "synced"), b"data")
        self.assertEqual(self.get(1, "dirty"), b"")

    def test_a_client_that_died_frees_its_locks(self):
        holder = subprocess.Popen(
            [sys.executable, "-c",
             "import fcntl,sys,time; f=open(sys.argv[1],'w'); fcntl.lockf(f,fcntl.LOCK_EX);"
             "print('held',flush=True); time.sleep(60)", self.at(0, "lock")],
            stdout=subprocess.PIPE)
        self.addCleanup(holder.stdout.close)
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        holder.stdout.readline()
        self.ask("kill", client=0)
        program = "import fcntl,sys; fcntl.lockf(open(sys.argv[1],'r+'),fcntl.LOCK_EX)"
        subprocess.run([sys.executable, "-c", program, self.at(1, "lock")], check=True, timeout=60)


if __name__ == "__main__":
    unittest.main()
