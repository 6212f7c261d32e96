"""A variant may set options of the workload."""

import unittest

from hpcbench import sweep, variant
from hpcbench.refusal import Refusal
from hpcbench.scratch import Scratch
from hpcbench.variant import Variant

BASE = sweep.Conditions({"scale": "4", "storage-level": "MEMORY_ONLY"}, 2, 1, 1, "1g")


class VariantTest(unittest.TestCase):
    def test_its_options_come_before_those_that_were_asked_for(self):
        by_hand = variant.load("by-hand")
        its = variant.conditions(by_hand, "by-hand", BASE)
        self.assertEqual(its.options, {"scale": "4", "storage-level": "MEMORY_AND_DISK"})
        self.assertEqual(BASE.options["storage-level"], "MEMORY_ONLY")

    def test_an_option_that_the_workload_lacks_is_refused(self):
        with self.assertRaisesRegex(Refusal, "variant mine.*--cache.*--scale, --storage-level"):
            variant.conditions(Variant("", "dist", options={"cache": "1"}), "mine", BASE)

    def test_one_that_needs_a_shared_directory_is_impossible_without(self):
        needs = variant.load("hpc-global")
        scratch = Scratch("", 2, "base")
        self.assertFalse(needs.is_possible(scratch))
        self.assertTrue(variant.load("stock").is_possible(scratch))
        scratch.shared = "/shared"
        self.assertTrue(needs.is_possible(scratch))
