"""Only rounds of the same work can be added to a measurement."""

import copy
import unittest

from hpcbench import record
from hpcbench.refusal import Refusal
from runs import ABOUT


class RecordTest(unittest.TestCase):
    def test_rounds_of_the_same_work_may_be_added_on_another_day(self):
        later = copy.deepcopy(ABOUT)
        later["command"] += " --more"
        later["environment"].update(date="2026-01-02", load=3.0)
        record.require_same("there", ABOUT, later)

    def test_rounds_of_other_work_or_another_commit_are_refused(self):
        other = copy.deepcopy(ABOUT)
        other["heap"] = "2g"
        other["environment"]["commit"] = "def"
        with self.assertRaisesRegex(Refusal, "there has a measurement with another heap, commit"):
            record.require_same("there", ABOUT, other)
