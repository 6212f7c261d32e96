"""Jobs on a real Slurm whose nodes differ, with everything of their users on a real MooseFS."""

import html
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from site_case import skip_or_fail
from slurm_case import ALL_EXECUTORS, NODES, ROOT, TESTBED, SlurmCase, environments, run

CORES = len(os.sched_getaffinity(0))


class MooseFsTest(SlurmCase):
    """Node n0 has the cores and the memory of two executors, n1 of one."""

    slurm_options = ("--on", "moosefs", "--cores", f"{CORES},{CORES // 2},1", "--memory", "9000,4000,1000")

    @classmethod
    def require(cls):
        super().require()
        why = subprocess.run([TESTBED, "moosefs", "require"], capture_output=True, text=True, check=False)
        if why.returncode != 0:
            skip_or_fail(why.stderr.strip())
        if CORES < 2:
            skip_or_fail("two cores, for nodes that differ")

    @classmethod
    def make_shared(cls):
        cls.moosefs = os.path.join(cls.directory, "mfs")
        cls.addClassCleanup(run, [TESTBED, "moosefs", "stop", "--base", cls.moosefs])
        run([TESTBED, "moosefs", "start", "--base", cls.moosefs, "--nodes", str(NODES)])
        cls.disk = cls.make_disk(free=70 << 20)
        return os.path.join(cls.moosefs, "moosefs")

    @classmethod
    def make_disk(cls, free):
        """The directory of all nodes' disk, on which somebody else has left so many bytes."""
        base = os.path.join(cls.directory, "disk")
        cls.addClassCleanup(run, [TESTBED, "loopfs", "stop", "--base", base])
        run([TESTBED, "loopfs", "start", "--base", base, "--on", cls.directory, "--nodes", "1", "--size",
             "300M"])
        disk = os.path.join(base, "nodes", "0")
        found = os.statvfs(disk)
        with open(os.path.join(disk, "others"), "wb") as f:
            os.posix_fallocate(f.fileno(), 0, found.f_bavail * found.f_frsize - free)
        os.mkdir(os.path.join(disk, "tier"))
        os.chmod(os.path.join(disk, "tier"), 0o1777)
        return os.path.join(disk, "tier")

    @classmethod
    def seen(cls, path):
        """Through the mount of the third node, on which nothing runs."""
        return path.replace(os.path.join(cls.moosefs, "moosefs"),
                            os.path.join(cls.moosefs, "nodes", str(NODES - 1)))

    @classmethod
    def slurm(cls, verb, *arguments):
        return run([TESTBED, "slurm", verb, "--base", cls.base, *arguments],
                   env={**os.environ, "TESTBED_MOOSEFS_BASE": cls.moosefs})

    def test_pagerank_runs_there_with_executors_of_the_smallest_nodes_size_and_leaves_its_results(self):
        user = self.users[0]
        user.put("edges.txt", "".join(f"{n} {n * n % 97}\n" for n in range(97)))
        job = user.submit("rank", "spark-hpc start\n"
                          f"spark-hpc run-example --total-executor-cores {3 * (CORES // 2)} "
                          f"{ALL_EXECUTORS} hpc.PageRank "
                          "--input $PWD/edges.txt --partitions 6 --iterations 1 --output $PWD/ranks\n"
                          "spark-hpc stop",
                          "--nodelist=n0,n1", "--exclusive")
        seen = set()
        out = self.await_completed(job, user.at("rank.out"),
                                   meanwhile=lambda: len(seen) == 2 or seen.update(self.nodes_with_shuffle_files()))
        self.assertEqual(seen, {"n0", "n1"}, "both nodes shuffle by files on it")
        self.assertRegex(out, r"(?m)^place +rank +id")
        self.assertRegex(out, rf"(?m)^room for 3 executors of {CORES // 2} cores and \d+ MB of heap$")
        self.assertEqual(self.executors(user), ["n0", "n0", "n1"])

        self.assert_nothing_left()
        self.assertEqual(os.listdir(self.seen(self.scratch)), [])
        self.assertEqual(sorted(name for name in os.listdir(user.at()) if not name.startswith(".")),
                         ["edges.txt", "rank.out", "rank.sh", "ranks"])
        directory, = pathlib.Path(user.at(".spark-hpc")).iterdir()
        self.assertEqual([path.name for path in directory.iterdir()], ["logs"])

    def test_a_disk_that_somebody_has_filled_ends_no_job_since_the_next_tier_is_there(self):
        user = self.users[-1]
        job = user.submit("fill", f"spark-hpc start --set 'scratch.tiers={self.disk}, {self.scratch}' "
                          f"--set executors.per.node=2\n"
                          f"spark-hpc submit --total-executor-cores {2 * (CORES // 2)} {ALL_EXECUTORS} "
                          f"{self.directory}/fill.py\nspark-hpc stop", "--nodelist=n0", "--exclusive")
        out = self.await_completed(job, user.at("fill.out"))
        written, read = re.findall(r"(?m)^(?:written|read) (.*)$", out)
        self.assertEqual(written, read)

        directory = pathlib.Path(user.at(".spark-hpc", f"slurm-testbed-{job}", "logs"))
        logs = "".join(path.read_text(encoding="utf-8") for path in directory.glob("app-*.stderr"))
        self.assertRegex(logs, rf"WARN .*Scratch files go on in \S+ {re.escape(self.scratch)}/\S+ \(\S+\), since "
                         rf"\S+ {re.escape(self.disk)}/\S+ \(xfs\) has no room: \d+ bytes free")
        self.assert_nothing_left()
        self.assertEqual(os.listdir(self.disk), [])

    def test_prove_measures_on_it_with_the_clients_own_counts(self):
        user = self.users[0]
        stock = os.path.join(self.directory, "stock")
        # Users may not reach the checkout.
        shutil.copytree(ROOT / "dist-stock", stock)
        self.addCleanup(shutil.rmtree, stock)
        prove = f"spark-hpc prove --directory {self.scratch} --requests 80000 --rounds 1 --set stage.tiers=/var/tmp"
        job = user.submit("prove", f"{prove} && {prove} --stock {stock} --html stock.html", "--nodelist=n0", "--exclusive")
        settings = set()
        out = self.await_completed(job, user.at("prove.out"), meanwhile=lambda: settings.update(self.settings_of_workers()))
        self.assertTrue(settings, "the settings that executors have")
        # Java would look there for each class.
        self.assertEqual([its for its in settings if os.path.commonpath([self.moosefs, its]) == self.moosefs], [])
        found = re.findall(r"(?m)^metadata requests of one node +([\d,]+) \(.*?\) +([\d,]+) \(", out)
        self.assertEqual(len(found), 2, out)
        for without, on in found:
            self.assertGreater(int(without.replace(",", "")), 2 * int(on.replace(",", "")), out)
        for page, words in (("spark-hpc-proof.html", "without Spark-HPC's features"), ("stock.html", "with stock Spark")):
            self.assertIn(html.escape(words), pathlib.Path(user.at(page)).read_text(encoding="utf-8"))
        # Executors of stock Spark have its own classes.
        logs = [path.read_text(encoding="utf-8") for path in
                pathlib.Path(user.at(".spark-hpc", f"slurm-testbed-{job}", "logs")).glob("app-*.stderr")]
        ours = [log for log in logs if "HpcDiskBlockManager: Created local directory" in log]
        others = [log for log in logs if " DiskBlockManager: Created local directory" in log]
        self.assertGreater(len(others), 0)
        self.assertEqual((len(ours), len(logs)), (3 * len(others), 4 * len(others)))
        self.assert_nothing_left()
        self.assertEqual(os.listdir(self.seen(self.scratch)), [])

    def settings_of_workers(self):
        """The directories of settings that this installation's workers give to their executors."""
        for pid, words in environments():
            env = dict(word.split("=", 1) for word in words if "=" in word)
            try:
                line = pathlib.Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
            except OSError:
                continue
            if env.get("SPARK_HOME", "").startswith(self.prefix) and "org.apache.spark.deploy.worker.Worker" in line:
                yield env["SPARK_CONF_DIR"]

    def nodes_with_shuffle_files(self):
        return {node for node in ("n0", "n1") for name in self.scratch_of([node])
                for _, _, files in os.walk(os.path.join(self.seen(self.scratch), name))
                if any(re.fullmatch(r"shuffle_.*\.container", file) for file in files)}

    @staticmethod
    def executors(user):
        """The node of each that the last program had."""
        names = "\n".join(path.name for path in pathlib.Path(user.at(".spark-hpc")).glob("*/logs/*"))
        logs = re.findall(r"(?m)^(app-.*)-(n\d)-\d+\.stderr$", names)
        last = max(application for application, _ in logs)
        return sorted(node for application, node in logs if application == last)


if __name__ == "__main__":
    unittest.main()
