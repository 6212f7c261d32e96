"""The page of what calls of Hadoop file systems cost."""

import unittest

from hpcbench import file_calls
from hpcbench.refusal import Refusal


class FileCallsTest(unittest.TestCase):
    def test_a_row_has_medians_and_ratios_of_the_same_round(self):
        lines = [f"{number}\topen\t{name}\t{factor * (number + 1)}"
                 for number in range(6)
                 for name, factor in (("Raw", 2), ("Hadoop", 4), ("ours, local", 3), ("ours, shared", 1))]
        row, = file_calls.rows(file_calls.of_lines(lines))
        self.assertEqual(row, ["open", "7.0", "14.0", "10.5", "3.5", "1.50 (1.50 to 1.50) !", "0.50 (0.50 to 0.50)"])

    def test_a_program_that_fails_is_refused_with_its_words(self):
        with self.assertRaisesRegex(Refusal, "FileCalls.java: "):
            file_calls.measured("/tmp", "none")


if __name__ == "__main__":
    unittest.main()
