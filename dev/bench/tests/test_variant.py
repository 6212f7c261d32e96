"""A variant may set options of the workload, and names what it needs."""

import os
import tempfile
import unittest
from unittest import mock

from hpcbench import command_line, plugins, sweep, variant
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

    def test_one_of_another_project_needs_what_it_names(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("HPC_BENCH_S3_SHUFFLE_JAR", None)
            with self.assertRaisesRegex(Refusal, "HPC_BENCH_S3_SHUFFLE_JAR"):
                variant.load("s3-shuffle")
            with tempfile.NamedTemporaryFile(suffix=".jar") as jar:
                os.environ["HPC_BENCH_S3_SHUFFLE_JAR"] = jar.name
                its = variant.load("s3-shuffle")
                self.assertEqual(its.jars, (jar.name,))
        self.assertFalse(its.is_possible(Scratch("", 1, "base")))
        # Their servers keep their data on the shared file system.
        for name in ("celeborn", "uniffle"):
            self.assertFalse(variant.load(name).is_possible(Scratch("", 1, "base")))

    def test_every_variant_loses_an_executor_when_that_is_asked_for(self):
        names = [name for name in plugins.names("variants") if name != "s3-shuffle"]
        words = ["--workload", "groupby", "--variant", ",".join(names)]
        options, _ = command_line.parser().parse_known_args(words)
        self.assertEqual([name for name, its in command_line.variants_of(options).items() if its.trigger],
                         ["fallback"])
        options, _ = command_line.parser().parse_known_args([*words, "--kill-executor"])
        for name, its in command_line.variants_of(options).items():
            self.assertEqual(its.trigger, variant.KILL, name)


if __name__ == "__main__":
    unittest.main()
