"""The points of a sweep, what each axis changes, and which arguments are refused."""

import unittest

from hpcbench import sweep
from hpcbench.refusal import Refusal
from hpcbench.workload import Workload

WORKLOAD = Workload("", "Main", {"maps": "4", "reduces": "4"}, partitions=("maps", "reduces"))


def conditions(*words, heap="1g"):
    base = sweep.Conditions(dict(WORKLOAD.options), 2, 1, 1, heap)
    return [sweep.conditions(base, point, WORKLOAD) for point in sweep.points(sweep.axes(words))]


class SweepTest(unittest.TestCase):
    def test_without_axes_there_is_one_point(self):
        self.assertEqual(len(conditions()), 1)

    def test_axes_are_crossed(self):
        found = conditions("maps=16,32", "reduces=1,2,3")
        self.assertEqual([(c.options["maps"], c.options["reduces"]) for c in found],
                         [("16", "1"), ("16", "2"), ("16", "3"),
                          ("32", "1"), ("32", "2"), ("32", "3")])

    def test_partitions_per_core_follows_the_executors_wherever_it_stands(self):
        for words in (("executors=1,4", "partitions-per-core=3"),
                      ("partitions-per-core=3", "executors=1,4")):
            self.assertEqual([c.options["maps"] for c in conditions(*words)], ["3", "12"])
        self.assertEqual([(c.options["maps"], c.options["reduces"])
                          for c in conditions("partitions=8,9")], [("8", "8"), ("9", "9")])
        [both] = conditions("executors-per-node=2", "partitions-per-core=1")
        self.assertEqual((both.options["reduces"], both.executors_in_all()), ("4", 4))

    def test_each_axis_changes_what_it_says(self):
        [one] = conditions("speculation=true", "ghost=4000", "latency=620", "fs.ost.servers=2",
                           "spark.shuffle.compress=false")
        self.assertEqual(one.settings, {"spark.speculation": "true",
                                        "spark.shuffle.compress": "false"})
        self.assertEqual(one.file_system, {"mds.ghost_ops": "4000", "mds.median_us": "620",
                                           "ost.servers": "2"})

    def test_memory_region_becomes_a_fraction_of_the_heap_less_300_mb(self):
        [one] = conditions("memory-region=72m", heap="1500m")
        self.assertEqual(one.settings["spark.memory.fraction"], "0.060000")

    def test_refusals_name_the_key(self):
        for words, said in ((["nope=1"], "nope"), (["maps"], "maps"), (["maps="], "maps="),
                            (["executors=0"], "executors=0"), (["memory-region=72"], "72"),
                            (["memory-region=2g"], "memory-region=2g"),
                            (["speculation=yes"], "speculation=yes"), (["ghost=many"], "ghost=many"),
                            (["latency=-1"], "latency=-1")):
            with self.assertRaisesRegex(Refusal, said):
                conditions(*words)

    def test_the_base_stays_as_it_is(self):
        base = sweep.Conditions(dict(WORKLOAD.options), 2, 1, 1, "1g")
        sweep.conditions(base, (("maps", "99"), ("speculation", "true")), WORKLOAD)
        self.assertEqual((base.options["maps"], base.settings), ("4", {}))
