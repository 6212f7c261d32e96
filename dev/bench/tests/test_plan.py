"""Series are interleaved, balanced in their order, and the first round doesn't count."""

import collections
import unittest

from hpcbench import plan, record
from hpcbench.refusal import Refusal
from runs import run


class PlanTest(unittest.TestCase):
    def test_each_round_has_each_series_once(self):
        series = ["a", "b", "c"]
        planned = plan.runs(series, 4)
        self.assertEqual(len(planned), 15)
        for number in range(5):
            self.assertEqual(sorted(s for n, s in planned if n == number), series)

    def test_without_a_warm_up_rounds_begin_with_the_first_that_counts(self):
        self.assertEqual(plan.runs(["a"], 2, first=1), [(1, "a"), (2, "a")])

    def test_more_rounds_go_on_after_the_last(self):
        self.assertEqual([n for n, _ in plan.runs(["a"], 2, after=3)], [0, 4, 5])

    def test_two_series_go_abba(self):
        orders = ["".join(plan.order(["A", "B"], number)) for number in range(4)]
        self.assertEqual(orders, ["AB", "BA", "BA", "AB"])

    def test_each_is_first_equally_often(self):
        for count in (2, 3, 4):
            series = list(range(count))
            first = collections.Counter(plan.order(series, n)[0] for n in range(2 * count))
            self.assertEqual(first, dict.fromkeys(series, 2))

    def test_side_by_side_each_variant_has_its_scratch_or_all_the_only_one(self):
        self.assertEqual(plan.side_by_side(["a", "b"], ["x"]), [("a", "x"), ("b", "x")])
        self.assertEqual(plan.side_by_side(["a", "b"], ["x", "y"]), [("a", "x"), ("b", "y")])
        with self.assertRaisesRegex(Refusal, "2 variants need one scratch or one each"):
            plan.side_by_side(["a", "b"], ["x", "y", "z"])

    def test_cores_are_shared_out_equally_and_go_round(self):
        self.assertEqual(plan.cores([0, 1], 2, 0), [[0], [1]])
        self.assertEqual(plan.cores([0, 1], 2, 1), [[1], [0]])
        self.assertEqual(plan.cores([0, 1, 2, 3, 4], 2, 2), [[0, 1], [2, 3]])
        with self.assertRaisesRegex(Refusal, "1 cores are too few for 2"):
            plan.cores([0], 2, 0)

    def test_the_warm_up_and_failed_runs_do_not_count(self):
        runs = [run(0), run(1), run(2, failure="exit code 1")]
        self.assertEqual([each["round"] for each in record.measured(runs)], [1])
