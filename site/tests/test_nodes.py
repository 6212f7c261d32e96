"""What a node has: interfaces, control groups, and executors made of its cores and memory."""

import pathlib
import re
import unittest
import unittest.mock

from site_case import SITE, SiteCase
from spark_hpc import cgroup, interfaces, sizing
from spark_hpc.refused import Refused
from spark_hpc.site_conf import SiteConf

MB = 1 << 20
GB = 1 << 30


class InterfacesTest(unittest.TestCase):
    FOUND = {"lo": "127.0.0.1", "eth0": "10.0.0.1", "ib1": "10.1.0.2", "ib0": "10.1.0.1"}

    def test_the_first_pattern_that_one_fits_decides(self):
        self.assertEqual(interfaces.choose(["hsn*", "ib*", "e*"], self.FOUND), "10.1.0.1")
        self.assertEqual(interfaces.choose(["eth?", "ib*"], self.FOUND), "10.0.0.1")

    def test_the_loopback_has_to_be_named(self):
        self.assertIsNone(interfaces.choose(["*"], {"lo": "127.0.0.1"}))
        self.assertIsNone(interfaces.choose(["l*"], self.FOUND))
        self.assertEqual(interfaces.choose(["hsn*", "lo"], self.FOUND), "127.0.0.1")

    def test_this_hosts_loopback_is_found(self):
        self.assertEqual(interfaces.addresses()["lo"], "127.0.0.1")

    def test_none_that_fits_is_said_with_what_there_is(self):
        conf = SiteConf()
        conf.set("network.interfaces", "hsn9", "site.conf, line 1", users=False)
        with self.assertRaisesRegex(Refused, "^site.conf, line 1: network.interfaces = hsn9: .*lo"):
            interfaces.address(conf, is_alone=True)

    def test_a_host_without_a_network_is_enough_for_a_cluster_of_its_own(self):
        with unittest.mock.patch.object(interfaces, "addresses", lambda: {"lo": "127.0.0.1"}):
            self.assertEqual(interfaces.address(SiteConf(), is_alone=True), "127.0.0.1")
            with self.assertRaisesRegex(Refused, "network.interfaces = "):
                interfaces.address(SiteConf(), is_alone=False)


class CgroupTest(SiteCase):
    def limits(self, groups, files):
        proc = self.put("proc", groups)
        for name, text in files.items():
            self.put("root/" + name, text)
        return (cgroup.memory_limit(proc, self.at("root")),
                cgroup.processor_limit(proc, self.at("root")))

    def test_version_2_takes_the_least_of_the_group_and_those_it_is_in(self):
        found = self.limits("0::/slurm/job_1/step_0\n", {
            "slurm/job_1/memory.max": f"{2 * GB}\n", "slurm/job_1/step_0/memory.max": "max\n",
            "slurm/memory.max": f"{8 * GB}\n", "slurm/job_1/cpu.max": "150000 100000\n",
            "slurm/job_1/step_0/cpu.max": "max 100000\n"})
        self.assertEqual(found, (2 * GB, 1.5))

    def test_version_1_has_each_controller_in_a_place_of_its_own(self):
        found = self.limits("5:cpu,cpuacct:/job\n4:memory:/slurm/job_1\n1:name=systemd:/\n", {
            "memory/slurm/job_1/memory.limit_in_bytes": f"{3 * GB}\n",
            "memory/memory.limit_in_bytes": "9223372036854771712\n",
            "cpu,cpuacct/job/cpu.cfs_quota_us": "200000\n",
            "cpu,cpuacct/job/cpu.cfs_period_us": "100000\n",
            "cpu,cpuacct/cpu.cfs_quota_us": "-1\n"})
        self.assertEqual(found, (3 * GB, 2.0))

    def test_where_both_are_mounted_both_count(self):
        found = self.limits("4:memory:/a\n0::/b\n", {
            "memory/a/memory.limit_in_bytes": f"{3 * GB}\n", "unified/b/memory.max": f"{2 * GB}\n"})
        self.assertEqual(found, (2 * GB, None))

    def test_no_limit_is_none(self):
        self.assertEqual(self.limits("0::/\n", {"memory.max": "max\n"}), (None, None))


class SizingTest(unittest.TestCase):
    def setUp(self):
        self.conf = SiteConf()
        self.set("memory.overhead", "0.1")

    def set(self, key, value):
        self.conf.set(key, value, "--set", users=False)

    def offer(self, cores, memory, first=False):
        return sizing.offer("n0", cores, memory, first, self.conf)

    def test_a_node_gets_one_executor_for_each_16_cores_begun(self):
        for cores, executors in ((1, 1), (16, 1), (17, 2), (128, 8)):
            self.assertEqual(self.offer(cores, 64 * GB).executors, executors)
        self.set("executors.per.node", "4")
        self.assertEqual(self.offer(8, 64 * GB).executors, 4)

    def test_daemons_and_on_the_first_node_the_driver_come_off_before_the_overhead(self):
        half = GB // 2
        self.assertEqual(self.offer(4, 10 * GB + half).heap, 9 * GB)
        driver = int(GB * 1.1)
        self.assertEqual(self.offer(4, 10 * GB + 2 * half + driver, first=True).heap, 9 * GB)

    def test_the_smallest_share_decides_and_larger_nodes_get_more_executors(self):
        offers = [self.offer(8, 10 * GB + GB // 2), self.offer(32, 40 * GB + GB // 2)]
        size = sizing.executor(offers)
        self.assertEqual((size.cores, size.heap), (8, 9 * GB))
        self.assertEqual(sizing.number(size, offers), 1 + 4)

    def test_the_page_says_what_nodes_get_by_the_defaults(self):
        page = (pathlib.Path(SITE).parent / "docs" / "sizing.md").read_text(encoding="utf-8")
        rows = re.findall(r"(?m)^\| (\d+) \| (\d+), (\d+) GB \| (\d+) \| (\d+), ([\d,]+) MB \|$", page)
        self.assertGreaterEqual(len(rows), 3)
        for row in rows:
            nodes, cores, memory, executors, each, heap = (int(figure.replace(",", "")) for figure in row)
            offers = [sizing.offer(f"n{i}", cores, memory * GB, i == 0, SiteConf()) for i in range(nodes)]
            size = sizing.executor(offers)
            self.assertEqual((size.cores, size.heap // MB, sizing.number(size, offers)), (each, heap, executors))

    def test_too_little_memory_is_refused_with_the_remedy(self):
        with self.assertRaisesRegex(Refused, r"^of its 1024 MB, 512 MB are for daemons, and 460 MB "
                                             r".*ask the scheduler for more memory"):
            self.offer(2, GB)
        self.set("executors.per.node", "3")
        with self.assertRaisesRegex(Refused, "executors.per.node = 3: n0 has 2 cores"):
            self.offer(2, 64 * GB)


if __name__ == "__main__":
    unittest.main()
