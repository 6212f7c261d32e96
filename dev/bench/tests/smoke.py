"""Tests dev/bench/run with real clusters: right answers, a page, exact counts, and nothing left behind."""

import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from hpcbench import BENCH, ROOT, record, summary
from hpcbench.plan import WARM_UP

NEEDS = [ROOT / "dist" / "RELEASE", ROOT / "dist-stock" / "RELEASE"]
# Directories are made when blocks arrive, and which executor gets which task varies.
OF_DIRECTORIES = {"lookup", "mkdir", "rmdir", "opendir", "readdir", "closedir", "statfs",
                  "cached_attr", "getattr", "setattr"}
# No request to a server: a client sees a cached read only if the kernel's page cache doesn't have it.
OF_CACHES = {"cached_read"}


def missing():
    absent = [str(file.parent) for file in NEEDS if not file.is_file()]
    if absent:
        return f"{absent[0]} is missing: dev/make-distribution.sh"
    if os.geteuid() != 0:
        return "root is needed to mount"
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "/dev/fuse is missing"
    return None


def leftovers(process):
    """Returns what the process of a measurement left outside of its output directory."""
    name = f"hpcbench-{process}"
    found = [path for path in [*glob.glob("/dev/shm/hpcbench-*"), *glob.glob("/var/tmp/hpcbench-*"),
                               *glob.glob("/sys/fs/cgroup/**/hpcbench-*", recursive=True)]
             if re.search(rf"/{name}\b", path)]
    with open("/proc/self/mountinfo", encoding="utf-8") as table:
        return found + [line for line in table if re.search(rf"/{name}\b", line)]


class RealCase(unittest.TestCase):
    """A test that needs the distributions and mounts: skipped without them, and failed in CI."""

    def setUp(self):
        why = missing()
        if why and os.environ.get("CI"):
            self.fail(why)
        if why:
            self.skipTest(why)


class SmokeTest(RealCase):
    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-smoke-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def measure(self, name, *arguments, code=0):
        """Returns the output directory, and what the measurement said."""
        out = self.folder / name
        with subprocess.Popen([BENCH / "run", "--out", out, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as ran:
            _, said = ran.communicate()
        self.assertEqual(ran.returncode, code, said)
        self.assertEqual(leftovers(ran.pid), [])
        return out, said

    def test_stock_and_hpc_on_a_counting_file_system(self):
        out, _ = self.measure("groupby", "--workload", "groupby", "--maps", "6", "--reduces", "5",
                              "--pairs-per-map", "100", "--scratch", "pfs:none", "--reps", "1")
        about, runs = record.load(out)
        self.assertEqual(len(runs), 4)
        self.assertEqual(len([run for run in runs if run["round"] == WARM_UP]), 2)
        for run in runs:
            self.assertGreater(run["cpu_seconds"]["executors"], 0)
            self.assertGreater(run["spark"]["peak_heap_bytes"], 0)
            self.assertGreater(run["spark"]["shuffle_written_bytes"], 0)
        self.check_counts(runs)
        page = (out / "report.md").read_text(encoding="utf-8")
        self.assertIn("| pfs:none | hpc | 1 |", page)
        self.assertTrue((out / "plot.svg").is_file())
        self.assertEqual(about["variants"], ["stock", "hpc"])

    def test_variants_side_by_side_each_on_its_own_scratch(self):
        out, _ = self.measure("beside", "--workload", "groupby", "--maps", "6", "--reduces", "5",
                              "--pairs-per-map", "100", "--executors", "1", "--scratch", "tmpfs,pfs:none",
                              "--side-by-side", "--reps", "1", "--keep-first")
        about, runs = record.load(out)
        self.assertEqual({(run["variant"], run["scratch"]) for run in runs},
                         {("stock", "tmpfs"), ("hpc", "pfs:none")})
        stock, ours = summary.asked(about, runs)
        self.assertIs(summary.baseline_of(ours, [stock, ours], about["variants"], about["scratches"]), stock)

    def test_maps_are_run_again_only_where_their_outputs_are_lost_with_their_executor(self):
        out, _ = self.measure("killed", "--workload", "groupby", "--maps", "6", "--reduces", "5",
                              "--pairs-per-map", "100", "--executors", "1", "--scratch", "pfs:none", "--kill-executor",
                              "--variant", "stock,external-service,hpc-global", "--reps", "1", "--keep-first")
        _, runs = record.load(out)
        self.assertEqual({run["variant"]: run["spark"]["maps_run_again"] for run in runs},
                         {"stock": 6, "external-service": 0, "hpc-global": 0})
        for run in runs:
            servers = run["peak_resident_bytes"]["servers"], run["cpu_seconds"]["servers"]
            self.assertEqual([bool(each) for each in servers], 2 * [run["variant"] == "external-service"])
            self.assertGreater(run["peak_resident_bytes"]["executors"], 0)

    def check_counts(self, runs):
        """Stock makes the same number of requests for shuffle files in each run. Ours has none of these files,
        but a container in each executor."""
        def found(variant, *classes):
            return [{key: count for key, count in summary.classes(run).items()
                     if key[0].startswith(classes) and key[1] not in OF_DIRECTORIES | OF_CACHES}
                    for run in runs if (run["scratch"], run["variant"]) == ("pfs:none", variant)]
        stock, again = found("stock", "shuffle", "temp_shuffle")
        self.assertEqual(stock, again)
        # Two opens for each block that a reducer reads: the index and the data file of a map.
        self.assertEqual(stock["shuffle_data", "open"], 6 * 5)
        self.assertEqual(stock["shuffle_index", "open"], 6 * 5)
        self.assertEqual(found("hpc", "shuffle", "temp_shuffle"), [{}, {}])
        for containers in found("hpc", "container"):
            self.assertEqual(containers["container", "create"], 2)
            self.assertLessEqual(containers.get(("container", "open"), 0), 2)

    def test_a_wrong_answer_is_no_figure(self):
        out, _ = self.measure("wrong", "--workload", "groupby", "--maps", "2", "--reduces", "2",
                              "--api", "none", "--reps", "1", "--keep-first",
                              "--variant", "stock", "--executors", "1", code=1)
        _, runs = record.load(out)
        self.assertEqual(record.measured(runs), [])
        self.assertIn("api", json.dumps([run["failure"] for run in runs]))
        self.assertIn("failed", (out / "report.md").read_text(encoding="utf-8"))

    def test_what_cannot_run_is_refused_in_one_line(self):
        for arguments, cause in ((["--workload", "nope"], "nope"),
                                 (["--workload", "groupby", "--scratch", "nope"], "nope"),
                                 (["--workload", "groupby", "--mops", "3"], "--mops"),
                                 (["--workload", "groupby", "--sweep", "ghost=0,9"], "ghost_ops"),
                                 (["--workload", "groupby", "--scratch", "pfs:none",
                                   "--sweep", "fs.mds.nope=1"], "nope")):
            out, said = self.measure("refused", *arguments, code=2)
            self.assertFalse(out.exists())
            self.assertRegex(said.strip().rpartition("\n")[2], cause)
            self.assertNotIn("Traceback", said)
