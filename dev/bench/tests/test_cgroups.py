"""A control group is removed once its last process has ended."""

import os
import subprocess
import unittest

from hpcbench import cgroups


class GroupTest(unittest.TestCase):
    def setUp(self):
        self.group = cgroups.make("test")
        if self.group.how != cgroups.Group.how:
            self.skipTest("no writable control group here")

    def test_it_waits_for_processes_that_still_end(self):
        # A killed process stays in its group until the kernel has removed it.
        with subprocess.Popen(self.group.command(["sleep", "0.5"]), start_new_session=True):
            while not self.members():
                pass
            self.group.remove()
        self.assertFalse(os.path.exists(self.group.path))

    def members(self):
        return self.group.pids([])
