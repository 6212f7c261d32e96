"""spark-hpc prove with an imitation of Spark: its rounds, its bounds, its end, and what its page says."""

import contextlib
import getpass
import io
import os
import re
import signal
import socket
import subprocess
import time
import unittest
from unittest import mock

from spark_hpc import proof, prove, ways
from site_case import SITE
from test_here import HereCase

# Writes an event log of jobs that took 2 s with Spark-HPC's features, 5 s without, and 8 s with stock Spark, in two jobs.
PROGRAM = """\
#!/usr/bin/env python3
import os, sys, time
words = sys.argv[1:]
conf = dict(word.split("=", 1) for at, word in enumerate(words) if words[at - 1] == "--conf")
variant = "off" if conf.get("spark.shuffle.manager") == "sort" else "on"
if "spark.executor.extraClassPath" in conf:
    home = conf["spark.executor.extraClassPath"][:-len("/jars/*")]
    variant = "stock" if sys.argv[0] == home + "/bin/spark-submit" and os.environ["SPARK_HOME"] == home else "mixed"
    assert words[-10] == "org.apache.spark.examples.hpc.GroupByTest" and os.path.exists(words[-9]), words
    assert conf["spark.driver.host"] and conf["spark.ui.enabled"] == "false" and os.path.isdir(os.environ["SPARK_CONF_DIR"])
with open("{ran}", "a") as f:
    print(variant, *words[words.index("--maps"):], "cores", conf["spark.cores.max"], file=f)
time.sleep({pause})
millis = {{"on": 2000, "off": 5000, "stock": 8000}}[variant]
with open(os.path.join(conf["spark.eventLog.dir"][len("file:"):], "app"), "w") as f:
    f.write('{{"Event":"SparkListenerLogStart"}}\\n')
    for job, (begin, end) in enumerate(((1000, 1000 + millis // 2), (9000, 9000 + millis - millis // 2))):
        f.write('{{"Event":"SparkListenerJobStart","Job ID":%d,"Submission Time":%d}}\\n' % (job, begin))
        f.write('{{"Event":"SparkListenerJobEnd","Job ID":%d,"Completion Time":%d}}\\n' % (job, end))
sys.exit("no luck" if variant == "{fails}" else 0)
"""


class ProveTest(HereCase):
    def setUp(self):
        super().setUp()
        self.settings("login.policy = allow")
        os.mkdir(self.at("shared"))

    def program(self, pause=0, fails=""):
        self.put("dist/bin/run-example", PROGRAM.format(ran=self.at("ran"), pause=pause, fails=fails), 0o755)

    def prove(self, *arguments, check=True):
        return self.spark_hpc("prove", "--directory", self.at("shared"), "--html", self.at("page.html"), *arguments,
                              check=check)

    def ran(self):
        with open(self.at("ran"), encoding="utf-8") as f:
            return f.read().splitlines()

    def assert_nothing_left(self):
        super().assert_nothing_left()
        self.assertEqual(os.listdir(self.at("shared")), [])
        self.assertEqual([name for name in os.listdir(self.at("home", ".spark-hpc")) if name.startswith("prove-")], [])

    def test_rounds_take_turns_and_the_page_says_what_they_took(self):
        self.program()
        out = self.prove("--requests", "160000", "--tasks", "3").stdout
        wanted = "--maps 18 --reduces 18 --pairs-per-map 18 --value-bytes 2048 cores 3"
        order = ["off", "on", "on", "off"] * 3
        self.assertEqual(self.ran(), [f"{variant} {wanted}" for variant in order])
        self.assertIn("round 5  on 2.0 s, off 5.0 s\n", out)
        self.assertRegex(out, r"(?m)^time of jobs +5.0 s \(5.0 s to 5.0 s\) +2.0 s \(2.0 s to 2.0 s\) +2.50 \(2.50 to 2.50\)$")
        self.assertIn("took 2.50 times as long without Spark-HPC's features as with them (2.50 to 2.50, 5 rounds).\n", out)
        self.assertRegex(out, r"(?m)^why it ended +all rounds were run$")
        with open(self.at("page.html"), encoding="utf-8") as f:
            page = f.read()
        self.assertIn("took 2.50 times as long", page)
        self.assertEqual(page.count('class="bar '), 10)
        self.assertIn(f"<tr><td>cores of a node<td>{len(os.sched_getaffinity(0))}", page)
        for private in (self.directory, socket.gethostname().split(".")[0], getpass.getuser()):
            self.assertIsNone(re.search(rf"\b{re.escape(private)}\b", page), private)
        self.assertIsNone(re.search(r"(src|href)=", page), "it needs no other file")
        self.assert_nothing_left()

    def test_stock_spark_takes_turns_with_the_defaults(self):
        self.program()
        self.stock("3.5.9")
        self.put("dist/examples/jars/spark-examples_2.12-3.5.9-hpc-1.jar", "")
        out = self.prove("--stock", self.at("stock"), "--requests", "160000").stdout
        self.assertEqual([line.split()[0] for line in self.ran()], ["on", "stock", "stock", "on"] * 3)
        self.assertRegex(out, r"(?m)^ +stock Spark +defaults +ratio$")
        self.assertIn("took 4.00 times as long with stock Spark as with Spark-HPC (4.00 to 4.00, 5 rounds).\n", out)
        with open(self.at("page.html"), encoding="utf-8") as f:
            page = f.read()
        self.assertIn("Stock Spark: driver and executors are those of a Spark without Spark-HPC", page)
        self.assertEqual(page.count('class="bar stock"'), 5)
        self.assert_nothing_left()
        # The same if no run was complete.
        self.assertRegex(proof.text({}, [], "stock"), r"(?m)^ +stock Spark +defaults +ratio$")

    def test_another_release_or_no_spark_at_all_is_refused_before_a_cluster_starts(self):
        self.program()
        self.stock("3.5.7")
        for directory, found in (("stock", "Spark 3.5.7 is there"), ("scratch", "no Spark is there"),
                                 ("dist", "no Spark is there")):
            done = self.prove("--stock", self.at(directory), check=False)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"spark-hpc: --stock {self.at(directory)}: {found}: name a directory with stock "
                             "Spark 3.5.9 that all nodes see\n")
        self.assertEqual(self.processes(), [])

    def stock(self, version):
        """An imitation of stock Spark."""
        with open(self.at("dist/bin/run-example"), encoding="utf-8") as f:
            self.put("stock/bin/spark-submit", f.read(), 0o755)
        self.put(f"stock/jars/spark-core_2.12-{version}.jar", "")

    def test_a_program_that_fails_is_one_line_and_leaves_nothing(self):
        self.program(fails="on")
        done = self.prove(check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aspark-hpc: the program failed with defaults: no luck\n\Z")
        self.assertFalse(os.path.exists(self.at("page.html")))
        self.assert_nothing_left()

    def test_the_scheduler_ends_the_program_and_the_cluster(self):
        self.assert_ended_by(signal.SIGTERM, 1, "spark-hpc: prove was ended\n")

    def test_control_c_ends_the_program_and_the_cluster(self):
        self.assert_ended_by(signal.SIGINT, 130, "")

    def test_off_is_what_the_readme_says(self):
        with open(os.path.join(SITE, "..", "README.md"), encoding="utf-8") as f:
            readme = f.read()
        for key, value in ways.OFF.items():
            self.assertIn(f"`{key}={value}`", readme)

    def assert_ended_by(self, what, code, words):
        self.program(pause=600)
        env = self.environment(SPARK_HPC_SESSION=str(self.session.pid), JAVA_HOME=self.java_home)
        running = subprocess.Popen([os.path.join(self.home, "bin", "spark-hpc"), "prove", "--directory",
                                    self.at("shared")], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.await_true("the program runs", lambda: os.path.exists(self.at("ran")))
        running.send_signal(what)
        _, said = running.communicate(timeout=60)
        self.assertEqual((running.returncode, said), (code, words))
        self.assert_nothing_left()

    def test_what_cannot_be_measured_is_refused_before_a_cluster_starts(self):
        for arguments, why in ((("--minutes", "0"), "give a whole number from 1 to 600"),
                               (("--requests", "9"), "give a whole number from 10000 "),
                               (("--requests", "10000"), "--requests 10000: that is too few for --rounds 5: allow"),
                               (("--directory", self.at("none")), "--directory .*none: files can't be made there"),
                               (("--nodes", "2"), "the job has 1")):
            done = self.prove(*arguments, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, rf"\Aspark-hpc: [^\n]*{why}[^\n]*\n\Z")
        done = self.spark_hpc("prove", check=False, env={"SCRATCH": ""})
        self.assertRegex(done.stderr, r"\Aspark-hpc: which directory\? [^\n]*: spark-hpc prove --directory DIR\n\Z")
        self.assertEqual(self.processes(), [])


class BoundsTest(HereCase):
    def measured(self, seconds, requests=10 ** 6, nodes=1, counts=lambda _: None, rounds=5):
        """(runs, why no more were made) with so many seconds left."""
        options = mock.Mock(requests=requests, tasks=4, rounds=rounds)
        compared = {way.name: way for way in ways.ways(self.home, self.environment(), None, None)}
        with mock.patch.object(prove.client_counts, "read", counts):
            its = prove._Measurement(compared, self.at(), self.at(), options, 18, nodes, time.monotonic() + seconds)
            with contextlib.redirect_stdout(io.StringIO()):
                return its.all(), its.why_over

    def program(self, pause):
        # In place of spark-hpc, which would need a cluster.
        self.put("dist/bin/spark-hpc", PROGRAM.format(ran=self.at("ran"), pause=pause, fails=""), 0o755)

    def test_a_program_that_is_too_slow_is_ended_in_time(self):
        self.program(pause=600)
        self.assertEqual(self.measured(seconds=0.1), ([], "the time was over"))
        self.assertEqual(proof.conclusion([]), "No round was complete: give it more time (--minutes), or fewer requests "
                                               "(--requests).")

    def test_no_round_begins_without_time_for_it(self):
        self.program(pause=0)
        self.assertEqual(self.measured(seconds=prove._LEAST_SECONDS), ([], "the time was over"))

    def test_no_round_begins_that_could_make_too_many_requests(self):
        self.program(pause=0)
        made = iter(range(0, 10 ** 9, 30000))
        runs, why = self.measured(seconds=600, requests=10 ** 6, nodes=4, counts=lambda _: {"open": next(made)})
        # 30,000 requests by each of 4 nodes and 2 programs: 240,000 a round, of which four fit.
        self.assertEqual([run.requests for run in runs], [(30000, 0)] * 6)
        self.assertEqual(why, "another round would have made more requests than --requests allows")
        runs, why = self.measured(seconds=600, requests=10 ** 6, nodes=4, counts=lambda _: {"open": next(made)}, rounds=3)
        self.assertEqual((len(runs), why), (6, None), "none was to follow")

    def test_all_rounds_together_stay_below_the_bound_by_estimate(self):
        for requests in (130000, 234567, 10 ** 6, 10 ** 9):
            number = prove.partitions(requests, rounds=5)
            self.assertGreaterEqual(number, 8)
            self.assertLessEqual(6 * (number ** 2 * prove._REQUESTS_OF_BLOCK + 2 * prove._REQUESTS_OF_PROGRAM), requests)
        self.assertEqual(prove.partitions(10 ** 9, rounds=5), prove._MOST_PARTITIONS)


if __name__ == "__main__":
    unittest.main()
