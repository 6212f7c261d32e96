"""Programs' output lines are read; a run without a right answer fails."""

import unittest

from hpcbench import answer, record
from runs import run

TABLE = ["place    rank  id  name", "    1  2.5000   3  x", "    2  1.0000   7"]


class AnswerTest(unittest.TestCase):
    def test_the_last_line_carries_seconds_phases_and_figures(self):
        its = answer.checked(["noise", "groupby: maps=4 seconds.map=1.5 seconds.reduce=2.25 "
                              "seconds=3.750 check=ok"])
        self.assertEqual((its.seconds, its.phases), (3.75, {"map": 1.5, "reduce": 2.25}))
        self.assertEqual(its.figures["maps"], "4")
        self.assertIsNone(its.fingerprint)

    def test_an_unchecked_or_missing_answer_is_wrong(self):
        for lines in ([], ["groupby: seconds=1.0"], ["groupby: seconds=1.0 check=skipped"]):
            with self.assertRaises(answer.Wrong):
                answer.checked(lines)

    def test_a_ranking_is_its_own_fingerprint(self):
        total = ["total: iterations=2 seconds=4.5"]
        its = answer.table(["iteration=1 seconds=0.5 dropped=3", *TABLE, *total])
        self.assertEqual(its.iterations, [{"iteration": 1, "seconds": 0.5, "dropped": 3}])
        self.assertEqual(its.fingerprint, answer.table([*TABLE, *total]).fingerprint)
        other = [line.replace("1.0000", "1.0001") for line in TABLE]
        self.assertNotEqual(its.fingerprint, answer.table([*other, *total]).fingerprint)
        with self.assertRaises(answer.Wrong):
            answer.table(total)

    def test_a_run_whose_answer_differs_fails(self):
        seen = {}
        first, same, other = run(0), run(1), run(1, "hpc")
        first["fingerprint"] = same["fingerprint"] = "aa"
        other["fingerprint"] = "bb"
        for each in (first, same, other):
            record.check_fingerprint(seen, "question", each)
        self.assertIsNone(first["failure"])
        self.assertIsNone(same["failure"])
        self.assertIn("bb", other["failure"])
        elsewhere = run(1, "hpc")
        elsewhere["fingerprint"] = "bb"
        record.check_fingerprint(seen, "another question", elsewhere)
        self.assertIsNone(elsewhere["failure"])
