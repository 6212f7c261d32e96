"""Which suites there are, and how they are divided."""

import unittest

from testing import plan, suites
from testing.root import ROOT


class SuitesTest(unittest.TestCase):
    def test_of_this_checkout(self):
        found = {module.relative_to(ROOT).as_posix(): suites.suites(module) for module in suites.modules()}
        self.assertIn("org.apache.spark.storage.hpc.scratch.ScratchTiersSuite", found["core"])
        self.assertIn("org.sparkhpc.e2e.SubmitSuite", found["dev/e2e"])
        for names in found.values():
            self.assertTrue(names)
            self.assertEqual(len(names), len(set(names)))

    def test_batches_are_of_all_and_take_about_as_long(self):
        names = [f"s{number}" for number in range(20)]
        known = {name: float(number) for number, name in enumerate(names)}
        batches = suites.batches(names, known, limit=40)
        self.assertEqual(sorted(name for batch in batches for name in batch), sorted(names))
        times = [sum(known[name] for name in batch) for batch in batches]
        self.assertEqual(len(batches), 5)
        self.assertLess(max(times) - min(times), 5)
        # The longest suite runs first.
        self.assertEqual(batches[0][0], "s19")

    def test_few_suites_are_one_batch(self):
        self.assertEqual(suites.batches(["a"], {}), [["a"]])

    def test_the_short_run_has_each_suite_that_is_listed(self):
        units = {unit for job in plan.short({}) for unit in job.units}
        self.assertIn("org.sparkhpc.e2e.YarnSuite", units)
        everything = {unit for job in plan.everything({}) for unit in job.units}
        self.assertLess(units, everything)


if __name__ == "__main__":
    unittest.main()
