"""The cost of an iteration, from runs with few and with many of them."""

import unittest
from unittest import mock

from hpcbench import engine


def run(number, variant, iterations, cpu, failure=None):
    return {"round": number, "variant": variant, "point": {"iterations": str(iterations)}, "failure": failure,
            "options": {"scale": "16"}, "wall_seconds": cpu / 2, "cpu_seconds": {"executors": cpu, "driver": 1.0},
            "spark": {"shuffle_written_bytes": iterations * 3e6, "peak_block_bytes": 5e6}}


class EngineTest(unittest.TestCase):
    def rows(self, *runs):
        with mock.patch.object(engine, "plain", return_value=(200.0, 5.0)):
            return list(engine.rows({"workload": "pagerank", "variants": ["hpc", "hpc-engine"]}, list(runs)))

    def test_an_iteration_is_a_share_of_what_more_iterations_take_more(self):
        plain, stock, ours = self.rows(run(1, "hpc", 4, 10), run(1, "hpc", 24, 30),
                                       run(1, "hpc-engine", 4, 8), run(1, "hpc-engine", 24, 10))
        self.assertEqual(plain, ["16", "plain C", 1, "5.0", "", "", "", "", "", "", "0.2"])
        self.assertEqual(stock, ["16", "hpc", 1, "1000", "", "200.0", "500", "", "3.00", "5", "7.0"])
        self.assertEqual(ours, ["16", "hpc-engine", 1, "100", "0.10 (n = 1: no interval)", "20.0", "50",
                                "0.10 (n = 1: no interval)", "3.00", "5", "8.6"])

    def test_a_variant_has_no_row_without_both_runs_of_a_round(self):
        found = self.rows(run(1, "hpc", 4, 10), run(1, "hpc", 24, 30),
                          run(1, "hpc-engine", 4, 8), run(1, "hpc-engine", 24, 10, failure="lost"))
        self.assertEqual([row[1] for row in found], ["plain C", "hpc"])


if __name__ == "__main__":
    unittest.main()
