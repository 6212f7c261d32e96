"""Runs with less memory are compared with the one in which all fits."""

import unittest

from hpcbench import memory, summary
from runs import ABOUT, run

SPARK = {"peak_heap_bytes": 100 << 20, "shuffle_written_bytes": 0, "spilled_bytes": 0,
         "evictions": 3, "tasks": 4, "written_block_bytes": 6 << 20, "peak_block_bytes": 8 << 20}


def iterations(*shuffles):
    return [{"iteration": k + 1, "shuffleReadBytes": read, "cpuSeconds": 0.5 + k}
            for k, read in enumerate(shuffles)]


def measurement(regions, variants=("stock", "hpc"), wall=lambda variant, region: 1.0,
                shuffles=lambda variant, region: (5, 5, 5), **about):
    runs = []
    for number in range(1, 8):
        for region in regions:
            for variant in variants:
                its = shuffles(variant, region)
                runs.append(run(
                    number, variant, wall=wall(variant, region), point={"memory-region": region},
                    spark={**SPARK, "shuffle_read_bytes": sum(its) << 20}, iterations=iterations(*its)))
                runs[-1]["moved_bytes"] = {"read": 2 << 20, "written": 3 << 20}
    about = {**ABOUT, "options": {}, "variants": list(variants), "sweep": {"memory-region": regions},
             **about}
    return about, summary.asked(about, runs)


def cells(rows):
    return [dict(zip(memory.HEADS, row)) for row in rows]


class MemoryTest(unittest.TestCase):
    def test_all_fits_in_the_first_variant_with_the_most_memory(self):
        rows = cells(memory.rows([measurement(
            ["72m", "1g"], wall=lambda variant, region:
            {("stock", "1g"): 2.0, ("hpc", "1g"): 4.0, ("stock", "72m"): 8.0, ("hpc", "72m"): 3.0}[
                variant, region])]))
        self.assertEqual([(row["memory"], row["variant"], row["wall to all fits"]) for row in rows], [
            ("72m", "stock", "4.00"), ("72m", "hpc", "1.50"), ("1g", "stock", "1.00"),
            ("1g", "hpc", "2.00")])
        paired = [row[4:6] for row in memory.rows([measurement(["72m"], wall=lambda v, _: len(v))])]
        self.assertEqual(paired, [["5.0", ""], ["3.0", "0.60 (0.60 to 0.60)"]])

    def test_a_later_measurement_is_compared_with_the_first_ones_run_that_fits(self):
        first = measurement(["1g"], ["stock"], wall=lambda *_: 2.0)
        later = measurement(["1g", "72m"], ["hpc"], wall=lambda *_: 5.0)
        rows = list(memory.rows([first, later]))
        self.assertEqual([row["wall to all fits"] for row in cells(rows)],
                         ["1.00", "2.50", "2.50"])

    def test_the_worst_iteration_counts_and_without_iterations_the_sum(self):
        def worst(shuffles):
            its = measurement(["1g", "72m"], ["stock"], shuffles=lambda _, region: shuffles[region])
            return list(memory.rows([its]))[1][memory.HEADS.index("to all fits")]

        self.assertEqual(worst({"1g": (5, 5, 4), "72m": (5, 5, 12)}), "3.00")
        about, lines = measurement(["1g", "72m"], ["stock"],
                                   shuffles=lambda _, region: (len(region), 0))
        for line in lines:
            for each in line.runs.values():
                each["iterations"] = []
        self.assertEqual(list(memory.rows([(about, lines)]))[1][memory.HEADS.index("to all fits")], "1.50")

    def test_a_row_has_what_was_cached_written_and_moved(self):
        [row] = cells(memory.rows([measurement(["72m"], ["stock"])]))
        self.assertEqual([row[head] for head in ("shuffles read MB", "cached MB", "evictions",
                                                 "blocks written MB", "executors wrote MB", "read MB")],
                         ["15.0", "8", "3", "6.0", "3.0", "2.0"])
        self.assertEqual(row["CPU s of iterations"], "1.50, 2.50")

    def test_a_page_has_a_table_for_each_work_with_all_its_commands(self):
        page = "\n".join(memory.page("Title", [
            measurement(["1g"], command="dev/bench/run one", workload="a"),
            measurement(["1g"], command="dev/bench/run two", workload="b", options={"cache": "false"}),
            measurement(["72m"], command="dev/bench/run three", workload="a")]))
        self.assertIn("## a\n\n    dev/bench/run one\n    dev/bench/run three\n", page)
        self.assertIn("## b, cache = false\n\n    dev/bench/run two\n", page)
        self.assertEqual(page.count("| 72m | tmpfs | hpc |"), 1)

    def test_a_report_of_runs_whose_memory_was_not_swept_has_no_such_table(self):
        self.assertEqual(list(memory.section(ABOUT, summary.lines([run(1)]))), [])
