"""The cost of an iteration, from what the program prints of each."""

import unittest
from unittest import mock

from hpcbench import engine


def run(number, variant, seconds, failure=None, iterations=4):
    its = [{"cpuSeconds": 9 * seconds, "seconds": 9 * seconds, "shuffleReadBytes": 9e6}]
    its += [{"cpuSeconds": seconds * n, "seconds": seconds * n / 2, "shuffleReadBytes": 3e6}
            for n in range(iterations - 1)]
    return {"round": number, "variant": variant, "failure": failure, "iterations": its, "options": {"scale": "16"},
            "cpu_seconds": {"executors": 10 * seconds, "driver": 1.0}, "spark": {"peak_block_bytes": 5e6}}


class EngineTest(unittest.TestCase):
    def rows(self, *runs):
        with mock.patch.object(engine, "plain", return_value=(200.0, 5.0)):
            return list(engine.rows({"workload": "pagerank", "variants": ["hpc", "hpc-engine"]}, list(runs)))

    def test_an_iteration_is_the_median_of_all_but_the_first(self):
        plain, stock, ours = self.rows(run(1, "hpc", 1), run(1, "hpc-engine", 0.1))
        self.assertEqual(plain, ["16", "plain C", 1, "5.0", "", "", "", "", "", "", "0.2 to load", ""])
        self.assertEqual(stock, ["16", "hpc", 1, "1000", "", "200.0", "500", "", "3.00", "5", "11.0", ""])
        once = "(n = 1: no interval)"
        self.assertEqual(ours, ["16", "hpc-engine", 1, "100", f"0.10 {once}", "20.0", "50", f"0.10 {once}", "3.00", "5",
                                "2.0", f"0.18 {once}"])

    def test_only_the_runs_with_the_most_iterations_count_and_none_that_failed(self):
        found = self.rows(run(1, "hpc", 1), run(1, "hpc", 7, iterations=2), run(1, "hpc-engine", 1, failure="lost"))
        self.assertEqual([row[:4] for row in found], [["16", "plain C", 1, "5.0"], ["16", "hpc", 1, "1000"]])


if __name__ == "__main__":
    unittest.main()
