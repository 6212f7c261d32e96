"""The cost of an iteration, from what the program prints of each."""

import pathlib
import tempfile
import unittest
from unittest import mock

from hpcbench import engine

ABOUT = {"workload": "pagerank", "variants": ["hpc", "hpc-engine"], "scratches": ["tmpfs"], "command": "dev/bench/run"}


def run(number, variant, seconds, failure=None, **point):
    its = [{"cpuSeconds": 9 * seconds, "seconds": 9 * seconds, "shuffleReadBytes": 9e6}]
    its += [{"cpuSeconds": seconds * n, "seconds": seconds * n / 2, "shuffleReadBytes": 3e6} for n in range(3)]
    return {"round": number, "variant": variant, "scratch": "tmpfs", "point": point, "failure": failure,
            "executors": 1, "iterations": its, "options": {"scale": "16", "edge-factor": "16"},
            "cpu_seconds": {"executors": 10 * seconds, "driver": 1.0}, "spark": {"peak_block_bytes": 5e6 * seconds}}


class EngineTest(unittest.TestCase):
    def setUp(self):
        plain = mock.patch.object(engine, "plain", return_value=(200.0, 5.0))
        plain.start()
        self.addCleanup(plain.stop)

    def test_an_iteration_is_the_median_of_all_but_the_first(self):
        plain, stock, ours = engine.rows(ABOUT, [run(1, "hpc", 1), run(1, "hpc-engine", 0.1)])
        self.assertEqual(plain[:7], ["16", "", "", "", "one thread of C", 1, "5.0"])
        self.assertEqual(stock, ["16", 1, "", "tmpfs", "hpc", 1, "1,000", "", "200.0", "500", "", "3.00", "5", "",
                                 "11.0", ""])
        once = "(n = 1: no interval)"
        self.assertEqual(ours, ["16", 1, "", "tmpfs", "hpc-engine", 1, "100", f"0.10 {once}", "20.0", "50",
                                f"0.10 {once}", "3.00", "0", f"0.10 {once}", "2.0", f"0.18 {once}"])

    def test_a_loading_is_compared_with_the_loading_in_c(self):
        plain, stock = engine.rows({**ABOUT, "workload": "loadgraph"}, [run(1, "hpc", 1)])
        self.assertEqual((plain[6], stock[8]), ("200.0", "5.0"))

    def test_a_run_is_compared_under_its_own_conditions_and_a_failed_one_is_not(self):
        found = list(engine.rows({**ABOUT, "sweep": {"memory-region": ["2g", "1g"]}}, [
            run(1, "hpc", 1, **{"memory-region": "2g"}), run(1, "hpc-engine", 0.5, **{"memory-region": "2g"}),
            run(1, "hpc", 4, **{"memory-region": "1g"}), run(1, "hpc-engine", 1, **{"memory-region": "1g"}),
            run(2, "hpc-engine", 1, failure="lost", **{"memory-region": "1g"})]))
        self.assertEqual([(row[2], row[4], row[7][:4]) for row in found[1:]],
                         [("2g", "hpc", ""), ("2g", "hpc-engine", "0.50"), ("1g", "hpc", ""),
                          ("1g", "hpc-engine", "0.25")])

    def test_without_runs_of_the_first_variant_there_are_no_ratios(self):
        found = list(engine.rows(ABOUT, [run(1, "hpc", 1, failure="lost"), run(1, "hpc-engine", 0.1)]))
        self.assertEqual([(row[4], row[7]) for row in found[1:]], [("hpc-engine", "")])

    def test_the_plot_has_a_series_for_each_variant_and_for_c(self):
        drawn = engine.plot("cost", [(ABOUT, [run(1, "hpc", 1), run(1, "hpc-engine", 0.1)])])
        for name in ("hpc", "hpc-engine", "one thread of C"):
            self.assertIn(f">{name}<", drawn)


class PlainTest(unittest.TestCase):
    def test_the_c_program_has_the_ranks_of_the_definition(self):
        edges = [(n % 37, n * n % 41) for n in range(300)]
        vertices = {vertex for edge in edges for vertex in edge}
        ranks = dict.fromkeys(vertices, 1.0)
        for _ in range(7):
            shares = {a: rank / sum(a == source for source, _ in edges) for a, rank in ranks.items()
                      if any(a == source for source, _ in edges)}
            ranks = {vertex: 0.15 + 0.85 * sum(shares[a] for a, b in edges if b == vertex) for vertex in vertices}
        whole = sum(ranks.values()) / len(vertices)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, "edges")
            file.write_text("# from to\n" + "".join(f"{a}\t{b}\n" for a, b in edges), encoding="utf-8")
            _, *said = engine.run_plain(directory, file, 7).splitlines()
        self.assertEqual(len(said), 10)
        highest = sorted(ranks.values(), reverse=True)
        for number, line in enumerate(said):
            vertex, rank = line.split()
            self.assertAlmostEqual(float(rank), ranks[int(vertex)] / whole, places=8)
            self.assertAlmostEqual(float(rank), highest[number] / whole, places=8)


if __name__ == "__main__":
    unittest.main()
