"""Medians' intervals agree with published ranks; ratios are paired by round."""

import math
import unittest

from hpcbench import intervals


class IntervalsTest(unittest.TestCase):
    def test_ranks_are_those_of_the_published_table(self):
        # Le Boudec, table A.1, for the median at 95%.
        for n, ranks in {6: (1, 6), 7: (1, 7), 8: (1, 8), 9: (2, 8), 10: (2, 9), 12: (3, 10),
                         15: (4, 12), 20: (6, 15), 30: (10, 21)}.items():
            self.assertEqual(intervals.ranks(n), ranks, n)

    def test_coverage_is_what_was_asked_for_and_not_one_rank_more(self):
        def coverage(n, j):
            """The probability that the median is between the j-th and the (n+1-j)-th of n values."""
            return 1 - 2 * sum(math.comb(n, k) for k in range(j)) / 2**n

        for n in range(6, 60):
            j, last = intervals.ranks(n)
            self.assertEqual(last, n + 1 - j)
            self.assertGreaterEqual(coverage(n, j), 0.95)
            self.assertLess(coverage(n, j + 1), 0.95)

    def test_five_values_give_no_interval(self):
        its = intervals.of([1, 2, 3, 4, 5])
        self.assertEqual((its.median, its.low, its.high), (3, None, None))
        self.assertIsNone(intervals.no_slower(its))

    def test_a_ratio_is_of_runs_of_one_round(self):
        slow_machine = {1: 10.0, 2: 20.0, 3: 40.0, 4: 10.0, 5: 20.0, 6: 40.0}
        half = {number: value / 2 for number, value in slow_machine.items()}
        its = intervals.paired_ratio(half, slow_machine)
        self.assertEqual((its.median, its.low, its.high, its.n), (0.5, 0.5, 0.5, 6))

    def test_rounds_that_one_side_lacks_are_left_out(self):
        its = intervals.paired_ratio({1: 2.0, 3: 9.0}, {1: 1.0, 2: 5.0})
        self.assertEqual((its.median, its.n), (2.0, 1))
        self.assertIsNone(intervals.paired_ratio({1: 2.0}, {2: 1.0}))

    def test_no_slower_looks_at_the_upper_end(self):
        self.assertTrue(intervals.no_slower(intervals.of([1.0] * 6)))
        self.assertFalse(intervals.no_slower(intervals.of([1.0] * 5 + [1.05])))
