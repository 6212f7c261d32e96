"""A row has medians, ratios within a round, and counts with their range."""

import unittest

from hpcbench import staging


def part(seconds, opens):
    return {"seconds": seconds, "processors": 2 * seconds, "lookup": 7, "open": opens, "create": 0}


def rounds(*pairs):
    """Returns a round for each pair (seconds as installed, seconds staged)."""
    return [{"preset": "edison", "environment": dict.fromkeys(
                 ("date", "commit", "jvm", "os", "processor", "load"), "x"),
             "variants": {staging.BASELINE: [part(plain, 1000), part(2 * plain, 2000 + number)],
                          "--stage": [part(staged, 50), part(2 * staged, 60)]}}
            for number, (plain, staged) in enumerate(pairs)]


class StagingTest(unittest.TestCase):
    def test_ratios_are_within_a_round_and_counts_that_differ_are_a_range(self):
        found = rounds((1.0, 2.0), (8.0, 8.0))
        self.assertEqual(staging.row(found, "--stage", 0),
                         ["--stage", 2, "5.0", "1.50 (n = 2: no interval)", "10.0", "1.50 (n = 2: no interval)",
                          "7", "50", "0"])
        self.assertEqual(staging.row(found, staging.BASELINE, 1),
                         [staging.BASELINE, 2, "9.0", "", "18.0", "", "7", "2,000 to 2,001", "0"])

    def test_an_environments_copy_is_compared_with_the_environment(self):
        found = rounds((1.0, 2.0))
        for each in found:
            variants = each["variants"]
            variants[staging.ENVIRONMENT], variants["--stage-python"] = [part(8.0, 9)] * 2, [part(4.0, 3)] * 2
        self.assertEqual(staging.row(found, staging.ENVIRONMENT, 0)[3], "")
        self.assertEqual(staging.row(found, "--stage-python", 0)[3], "0.50 (n = 1: no interval)")

    def test_the_page_has_each_variant_in_each_part(self):
        text = "\n".join(staging.page(rounds((1.0, 1.0)), "a command"))
        for part_name in staging.PARTS:
            self.assertIn(f"## Until {part_name}\n", text)
        self.assertEqual(text.count("\n| --stage | 1 |"), 2)


if __name__ == "__main__":
    unittest.main()
