"""A tier in memory: doctor says what executors do, by their own rule."""

import os
import pathlib
import re
import unittest
import unittest.mock

from site_case import SITE, SiteCase
from spark_hpc import doctor_scratch, memory_tier, sizing
from spark_hpc.memory_tier import Place
from spark_hpc.schedulers import Node
from spark_hpc.site_conf import SiteConf
from spark_hpc.sizing import MB

GB = 1 << 30
ROOT = pathlib.Path(SITE).parent
ENGINE = ROOT / "engine/src/main/scala/org/sparkhpc"
CORE = ROOT / "core/src/main/scala/org/apache/spark"


class RuleTest(unittest.TestCase):
    def test_its_constants_are_those_of_executors(self):
        plan = (ENGINE / "tier/ScratchPlan.scala").read_text(encoding="utf-8")
        least = re.search(r"LeastMemory = (\d+)L << 20", plan)
        self.assertEqual(memory_tier.LEAST, int(least.group(1)) * MB)
        self.assertIn("math.max(0, (limit / executors - heap - others) / 2)",
                      (ENGINE / "tier/NodeMemory.scala").read_text(encoding="utf-8"))
        self.assertIn("math.max(heap / 10, 384L << 20)",
                      (CORE / "storage/hpc/scratch/ThisNode.scala").read_text(encoding="utf-8"))

    def test_executors_may_have_half_of_what_heaps_and_overhead_leave(self):
        self.assertEqual(memory_tier.share(10 * GB, 1, 8 * GB), (2 * GB - 8 * GB // 10) // 2)
        self.assertEqual(memory_tier.share(10 * GB, 2, 4 * GB), (GB - 4 * GB // 10) // 2)
        self.assertEqual(memory_tier.share(2 * GB, 1, GB), (GB - 384 * MB) // 2)
        self.assertEqual(memory_tier.share(2 * GB, 1, 2 * GB), 0)

    def test_an_executor_counts_as_many_as_it_there_are_processors_for(self):
        offer = sizing.Offer(2, 8 * GB, 1, 16 * GB)
        self.assertEqual(memory_tier.of_offer(offer, 2).executors, 1)
        self.assertEqual(memory_tier.of_offer(offer, 64), memory_tier.Files(0, 32))


class SaidTest(SiteCase):
    """Of a node with four cores; `memory` is what the job has there."""

    def setUp(self):
        super().setUp()
        self.conf = SiteConf()
        self.memory, self.free = 8 * GB, 100 * GB
        node = unittest.mock.patch.multiple(
            memory_tier.this_node, cores=lambda _: 4, processors=lambda: 4, memory=lambda *_: self.memory)
        place = unittest.mock.patch.object(memory_tier, "this_place",
                                           lambda *_: Place(Node("n0", 4, None), True))
        for each in (node, place):
            each.start()
            self.addCleanup(each.stop)

    def said(self, is_home=False):
        details = {"kind": "memory", "type": "tmpfs", "free": self.free, "files": None, "microseconds": {},
                   "quota": None}
        return doctor_scratch.in_memory("/dev/shm", details, is_home, {}, self.conf)

    def test_where_executors_will_have_none_it_says_the_amount_and_the_remedy(self):
        found = self.said()
        self.assertEqual(found.level, "warning")
        self.assertRegex(found.text, r"; no tier: heaps leave 1\d\d MB of memory for files of each executor, "
                                     r"and 256 MB are needed$")
        self.assertRegex(found.remedy, r"^set memory.overhead = 0\.\d+, or have programs name it in "
                                       r"spark.hpc.scratch.tiers with a \?capacity=$")
        self.assertRegex(self.said(is_home=True).text, "; Spark's own files go here, though heaps leave 1")

    def test_its_remedy_makes_it_one(self):
        self.conf.set("memory.overhead", re.search(r"0\.\d+", self.said().remedy).group(), "", users=False)
        found = self.said()
        self.assertEqual(found.level, "ok")
        self.assertRegex(found.text, r"; a tier, at most \d+ MB: heaps leave \d+ MB of memory for files of each")

    def test_where_no_overhead_leaves_enough_the_job_wants_more_memory(self):
        self.memory = 4 * GB
        self.assertIn("; no tier: heaps leave 0 MB of memory", self.said().text)
        self.assertRegex(self.said().remedy, r"^ask the scheduler for more memory, .* with a \?capacity=$")

    def test_what_it_may_have_is_never_more_than_the_file_system_has(self):
        self.memory, self.free = 64 * GB, 8 * MB
        self.assertIn("; a tier, at most 8 MB: ", self.said().text)

    def test_where_no_executor_starts_it_says_why(self):
        self.memory = GB
        found = self.said()
        self.assertEqual(found.level, "warning")
        self.assertIn("of its 1024 MB", found.remedy)


class PlaceTest(SiteCase):
    def test_outside_a_job_it_is_this_host_with_all_that_a_cluster_has_there(self):
        conf = SiteConf()
        conf.set("login.policy", "limit", "", users=False)
        place = memory_tier.this_place(self.environment(), conf)
        self.assertEqual((place.node.memory, place.is_first), (4 * GB, True))
        conf.set("login.policy", "refuse", "", users=False)
        place = memory_tier.this_place(self.environment(), conf)
        self.assertEqual((place.node.cores, place.is_first), (None, True))
        self.assertEqual(memory_tier.this_node.cores(place.node) >= 1, bool(os.sched_getaffinity(0)))


if __name__ == "__main__":
    unittest.main()
