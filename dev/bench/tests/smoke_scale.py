"""Tests dev/bench/driver and dev/bench/reducer at a small size: they end, and count what there is to count."""

import os
import subprocess
import unittest

from hpcbench import BENCH
from smoke import RealCase, leftovers


def rows(page):
    """Returns the cells of a page's table, without its head."""
    lines = [line for line in page.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


class ScaleTest(RealCase):
    def page(self, program, *arguments, **variables):
        with subprocess.Popen([BENCH / program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **variables}) as ran:
            page, said = ran.communicate()
        self.assertEqual(ran.returncode, 0, said)
        self.assertEqual(leftovers(ran.pid), [])
        return rows(page)

    def test_a_reducer_reads_each_index_once(self):
        first, later = self.page("reducer", "50")
        self.assertEqual(first[:3], ["50", "the first", "200"])
        # For each container a lookup, an open and a getattr, a read of its index, after which the kernel reads on once, and
        # a read of each of its four blocks.
        self.assertEqual(first[3:5], ["150", "300"])
        self.assertEqual(later[:5], ["50", "each later one", "200", "0", "200"])
        self.assertEqual(first[7], "50")

    def test_a_driver_and_its_thin_executors_in_each_variant(self):
        table = self.page("driver", "20", LOST="2")
        phases = ["register", "cache", "map", "reduce", "lose", "again", "fail", "unpersist", "all", "longest", "statuses"]
        self.assertEqual([row[1] for row in table], phases)
        for row in table[:9]:
            self.assertTrue(all(float(cell) >= 0 for cell in row[2:]), row)


if __name__ == "__main__":
    unittest.main()
