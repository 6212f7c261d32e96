"""Counts are exact: they repeat, they agree with strace, and intents are one request."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from pfs_case import PfsCase, skip_or_fail

WORKLOAD = """
import os, sys
d = sys.argv[1]
os.mkdir(d + "/dir")
for n in range(20):
    with open(f"{d}/dir/f{n}", "wb", buffering=0) as f:
        f.write(b"x" * 1000)
for n in range(20):
    with open(f"{d}/dir/f{n}", "rb", buffering=0) as f:
        f.read()
for n in range(10):
    os.rename(f"{d}/dir/f{n}", f"{d}/dir/g{n}")
for n in range(5):
    os.unlink(f"{d}/dir/g{n}")
"""


class CountsTest(PfsCase):
    def run_workload(self, name):
        os.mkdir(self.at(0, name))
        self.reset()
        subprocess.run([sys.executable, "-c", WORKLOAD, self.at(0, name)], check=True)
        return self.totals()

    def test_the_same_work_counts_the_same(self):
        self.assertEqual(self.run_workload("first"), self.run_workload("second"))

    def test_every_request_of_a_known_workload_is_counted(self):
        totals = self.run_workload("w")
        self.assertEqual((totals["mkdir"], totals["create"], totals["open"], totals["close"]),
                         (1, 20, 20, 40))
        self.assertEqual((totals["rename"], totals["unlink"]), (10, 5))
        # A rename looks up the new name, which isn't there yet.
        self.assertEqual(totals["lookup"], 10)

    def test_agrees_with_strace(self):
        if not shutil.which("strace"):
            skip_or_fail("strace is missing: apt-get install strace")
        top = self.at(0, "traced")
        os.mkdir(top)
        self.reset()
        trace = os.path.join(self.instance.base, "trace")
        subprocess.run(["strace", "-f", "-e", "trace=%file,close", "-y", "-o", trace,
                        sys.executable, "-c", WORKLOAD, top], check=True)
        totals = self.totals()
        with open(trace, encoding="utf-8") as f:
            lines = [line for line in f if top + "/" in line]
        calls = [re.search(r"\b([a-z0-9]+)\(", line).group(1) for line in lines]
        self.assertEqual(calls.count("openat"), totals["open"] + totals["create"])
        self.assertEqual(calls.count("close"), totals["close"])
        self.assertEqual(calls.count("mkdir"), totals["mkdir"])
        self.assertEqual(calls.count("rename"), totals["rename"])
        self.assertEqual(calls.count("unlink"), totals["unlink"])


class IntentTest(PfsCase):
    def test_lookup_and_create_are_one_request(self):
        self.reset()
        os.close(os.open(self.at(0, "f"), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        self.assertEqual(self.requests(), {"create": 1, "close": 1})

    def test_lookup_and_open_are_one_request(self):
        self.put(0, "f")
        self.reset()
        os.close(os.open(self.at(1, "f"), os.O_RDONLY))
        self.assertEqual(self.requests(), {"open": 1, "close": 1})

    def test_lookup_and_mkdir_are_one_request(self):
        self.reset()
        os.mkdir(self.at(0, "d"))
        self.assertEqual(self.requests(), {"mkdir": 1})

    def test_a_lookup_alone_stays_a_lookup(self):
        self.reset()
        self.assertFalse(os.path.exists(self.at(0, "absent")))
        self.assertEqual(self.requests(), {"lookup": 1})

    def test_an_intent_costs_one_draw_of_an_open(self):
        self.put(0, "f")
        self.ask("set", **{"mds.median_us": 200, "mds.sigma": 0, "weight.lookup": 0.5})
        self.reset()
        os.close(os.open(self.at(1, "f"), os.O_RDONLY))
        self.assertEqual(self.settled()["service"]["open"]["max_us"], 200)


class ClassTest(PfsCase):
    def test_requests_are_counted_by_the_class_of_their_name(self):
        self.reset()
        self.put(0, "shuffle_0_1_0.data")
        self.put(0, "shuffle_0_1_0.index")
        self.put(0, "rdd_3_4")
        self.put(0, "unknown")
        creates = self.settled()["clients"][0]["counts"]["create"]
        self.assertEqual(creates, {"shuffle_data": 1, "shuffle_index": 1, "rdd": 1, "other": 1})

    def test_several_globs_can_be_one_class(self):
        self.reset()
        self.put(0, "shuffle_0_1_0.data.7")
        self.put(0, "shuffle_0_1_0.index.7")
        self.put(0, "4")
        self.put(0, "40")
        creates = self.settled()["clients"][0]["counts"]["create"]
        self.assertEqual(creates, {"shuffle_temp": 2, "python_spill": 2})

    def test_a_renamed_file_changes_its_class(self):
        self.put(0, "temp_shuffle_1")
        os.rename(self.at(0, "temp_shuffle_1"), self.at(0, "shuffle_0_0_0.data"))
        self.reset()
        self.get(0, "shuffle_0_0_0.data")
        self.assertEqual(self.settled()["clients"][0]["counts"]["open"], {"shuffle_data": 1})


if __name__ == "__main__":
    unittest.main()
