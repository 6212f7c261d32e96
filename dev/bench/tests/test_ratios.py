"""Each series is compared, by rounds, with the first variant on the same scratch and on the first scratch."""

import unittest

from hpcbench import ratios
from runs import ABOUT, run


class RatiosTest(unittest.TestCase):
    def test_each_line_is_compared_with_the_first_variant_there_and_on_the_first_scratch(self):
        about = {**ABOUT, "scratches": ["tmpfs", "pfs:edison"], "options": {"maps": "16"}}
        runs = [run(number, variant, scratch, wall * (number + 1))
                for number in range(9)
                for variant, scratch, wall in (("stock", "tmpfs", 2), ("hpc", "tmpfs", 3),
                                               ("stock", "pfs:edison", 5), ("hpc", "pfs:edison", 2.2))]
        lines = "\n".join(ratios.page("Title", [(about, runs)])).splitlines()
        found = [line.strip("| ").split(" | ") for line in lines if line.startswith("| groupby")]
        self.assertEqual(found[0][0], "groupby maps=16")
        self.assertEqual([(each[1], each[2], each[5].split(" ")[0], each[6].split(" ")[0]) for each in found],
                         [("tmpfs", "stock", "", ""), ("tmpfs", "hpc", "1.50", "1.50"),
                          ("pfs:edison", "stock", "", "2.50"), ("pfs:edison", "hpc", "0.44", "1.10")])
        self.assertIn("to stock on tmpfs", "\n".join(lines))

    def test_phases_are_compared_one_by_one(self):
        about = {**ABOUT, "options": {}, "keep_first": True, "warm_up": 2}
        runs = [{**run(number, variant, "tmpfs", 9), "phases": {"open": 1, "q1": wall}}
                for number in range(1, 7) for variant, wall in (("stock", 4), ("hpc", 2))]
        lines = "\n".join(ratios.page("Title", [(about, runs)], phases=True)).splitlines()
        found = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines
                 if " | open | " in line or " | q1 | " in line]
        self.assertEqual([(each[1], each[3], each[-1].split(" ")[0]) for each in found],
                         [("open", "stock", ""), ("open", "hpc", "1.00"), ("q1", "stock", ""), ("q1", "hpc", "0.50")])
        self.assertTrue(any("without a warm-up round" in line and "2 times on a copy" in line for line in lines))

    def test_measurements_of_several_commits_have_all_of_them(self):
        later = {**ABOUT, "environment": {**ABOUT["environment"], "commit": "e5af6e7"}}
        said = "\n".join(ratios.page("Title", [(ABOUT, []), (later, []), (ABOUT, [])]))
        self.assertIn(f"commit {ABOUT['environment']['commit']}, e5af6e7, ", said)


if __name__ == "__main__":
    unittest.main()
