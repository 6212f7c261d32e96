import os
import subprocess
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
from fsbed import network  # noqa: E402


class LeadersTest(unittest.TestCase):
    def leaders_among(self, *pids):
        with mock.patch.object(network, "processes", return_value=list(pids)):
            return network.leaders("somewhere")

    def test_a_process_whose_parent_is_outside_leads(self):
        self.assertEqual(self.leaders_among(os.getpid()), [os.getpid()])
        self.assertEqual(self.leaders_among(os.getpid(), os.getppid()), [os.getppid()])

    def test_a_process_that_ended_since_it_was_found_leads_nothing(self):
        # ceph-fuse runs mount for a moment, just when the instance is ready.
        with subprocess.Popen(["true"]) as ended:
            ended.wait()
        self.assertEqual(self.leaders_among(os.getpid(), ended.pid), [os.getpid()])


if __name__ == "__main__":
    unittest.main()
