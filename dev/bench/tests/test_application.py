"""The message with which a failed run is reported."""

import os
import tempfile
import unittest

from hpcbench import application


class ComplaintTest(unittest.TestCase):
    def complaint(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            with open(log, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            return application.complaint(log)

    def test_it_is_the_programs_own_last_line(self):
        logged = "26/11/21 07:17:17 INFO ShutdownHookManager: Shutdown hook called"
        self.assertEqual(self.complaint("Program: --api none: no such", "\tat a.B", logged),
                         "Program: --api none: no such")

    def test_else_the_last_of_all(self):
        logged = "26/11/21 07:17:17 ERROR Something: broke"
        self.assertEqual(self.complaint(logged, ""), logged)
        self.assertEqual(self.complaint(), "(nothing)")
