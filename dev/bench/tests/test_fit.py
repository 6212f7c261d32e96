"""Laws of counts are found exactly; too few points are refused."""

import unittest
from fractions import Fraction

from hpcbench import fit
from hpcbench.refusal import Refusal


class FitTest(unittest.TestCase):
    def test_a_law_is_found_with_whole_coefficients(self):
        points = {(m, r): 64 + 3 * m + 2 * m * r for m in (16, 64) for r in (16, 32, 128)}
        coefficients, residual = fit.least_squares(points)
        self.assertEqual(residual, 0)
        self.assertEqual(fit.formula(coefficients, residual), "64 + 3 M + 2 M R")

    def test_the_facts_of_the_sorted_writer_come_out(self):
        # Opens and creates of stock Spark's sorted writer at M = R.
        opens, residual = fit.least_squares({(16, 16): 512, (64, 64): 8192, (128, 128): 32768})
        self.assertEqual((fit.formula(opens, residual)), "2 M R")
        creates, residual = fit.least_squares({(16, 16): 48, (64, 64): 192, (128, 128): 384})
        self.assertEqual((fit.formula(creates, residual)), "3 M")

    def test_a_residual_is_said(self):
        points = {(1, 1): 1, (2, 2): 2, (3, 3): 3, (4, 4): 5}
        text = fit.formula(*fit.least_squares(points))
        self.assertIn("within", text)

    def test_least_squares_of_a_known_overdetermined_system(self):
        # The quadratic nearest to (0, 0, 0, 1) misses by (1, -3, 3, -1) / 20.
        coefficients, residual = fit.least_squares({(0, 0): 0, (1, 1): 0, (2, 2): 0, (3, 3): 1})
        self.assertEqual(list(coefficients.values()),
                         [Fraction(1, 20), Fraction(-9, 20), Fraction(1, 4)])
        self.assertEqual(residual, Fraction(3, 20))

    def test_too_few_points_are_refused(self):
        with self.assertRaisesRegex(Refusal, "too few"):
            fit.least_squares({(1, 1): 1, (2, 2): 2})
        with self.assertRaisesRegex(Refusal, "too few"):
            fit.least_squares({(1, 2): 1, (2, 2): 2, (3, 2): 2, (4, 2): 9})
