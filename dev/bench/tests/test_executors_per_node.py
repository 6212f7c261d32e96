"""Each division has the same cores and heap in total, and its row has the runs' medians."""

import argparse
import importlib.machinery
import importlib.util
import unittest

from hpcbench import BENCH
from runs import run


def load():
    loader = importlib.machinery.SourceFileLoader("executors_per_node", str(BENCH / "executors-per-node"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class ExecutorsPerNodeTest(unittest.TestCase):
    def test_every_division_has_all_cores_and_the_whole_heap(self):
        its, options = load(), argparse.Namespace(cores=8, heap_mb=4096, reps=3)
        for executors, cores, heap in ((1, "8", "4096m"), (2, "4", "2048m"), (4, "2", "1024m")):
            words = its.arguments("groupby", executors, options, "out")
            given = dict(zip(words[::2], words[1::2]))
            self.assertEqual((given["--sweep"], given["--cores"], given["--heap"]),
                             (f"executors-per-node={executors}", cores, heap))

    def test_a_row_has_medians(self):
        runs = [run(n, wall=wall, spark={"gc_seconds": gc, "run_seconds": 10.0}, counts={"open": 1000 * n})
                for n, wall, gc in ((1, 5.0, 1.0), (2, 7.0, 3.0), (3, 6.0, 2.0))]
        self.assertEqual(load().row("groupby", 2, runs),
                         ["groupby", 2, 3, "6.0", "2.00", "20.0", "2,000", "0"])


if __name__ == "__main__":
    unittest.main()
