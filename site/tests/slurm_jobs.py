"""dist/ in jobs of a real Slurm: what users get, and that nothing stays however a job ends."""

import json
import os
import pathlib
import re
import shutil
import stat
import tempfile
import unittest

from site_case import skip_or_fail
from slurm_case import ALL_EXECUTORS, SlurmCase, command_lines, probe
from wire import Wire

CORES = len(os.sched_getaffinity(0))
LOGGED = ("--conf spark.eventLog.enabled=true", "--conf spark.eventLog.dir=events")
OUTLIVE = "--conf spark.hpc.shuffle.placement=global"
# By the switch for encryption: what is called out, and what is shuffled, whose eight bytes are a number's.
WORDS = {"off": (b"called-in-plain", b"Shuffled"), "on": (b"called-in-secret", b"Secretly")}

# The cluster that can't start leaves the job as it was. Its logs are read while the program runs.
LOOK = """\
if spark-hpc start --set network.interfaces=hsn9; then exit 1; fi
touch look.refused
until [ -e look-start.release ]; do sleep 0.2; done
spark-hpc start --set memory.overhead=0.4
{probe} &
until [ -e look.running ]; do kill -0 $!; sleep 0.2; done
spark-hpc logs
spark-hpc logs 1
touch look.logged
wait $!
"""


def limit_once_told(name, minutes):
    """The command that leaves a job so many minutes or less from when its program runs and NAME-limit.release is
    there, however late that is."""
    return (f"(until [ -e {name}.running ] && [ -e {name}-limit.release ]; do sleep 1; done; "
            f"scontrol update JobId=$SLURM_JOB_ID TimeLimit=$((SECONDS / 60 + {minutes}))) &")


class JobsTest(SlurmCase):
    """Each test ends with nothing left on its two nodes. On the third, a job of each user runs beside them: one
    until its time limit, the other one until a signal before it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user, cls.other = cls.users[0], cls.users[-1]
        half = ("--nodelist=n2", "--ntasks=1", "--mem=2800", "--time=60")
        cls.limited = cls.user.submit(
            "limit", f"{limit_once_told('limit', 1)}\nspark-hpc start\n{probe(cls, 'limit', 1)}", *half)
        # Slurm's word comes up to a minute earlier than it was asked for. A busy machine has three for the end.
        cls.warned = cls.other.submit(
            "warn", f"{limit_once_told('warn', 4)}\nmkdir events\nspark-hpc start\n"
            f"{probe(cls, 'warn', 1, *LOGGED)} || echo ended with $?", *half, "--signal=USR1@180")

    @classmethod
    def let_limits_come(cls):
        """For tests of how the two jobs end, whichever of them runs first."""
        cls.user.release("limit-limit")
        cls.other.release("warn-limit")

    @classmethod
    def make_tiers(cls):
        memory = tempfile.mkdtemp(prefix="site-slurm-", dir="/dev/shm")
        cls.addClassCleanup(shutil.rmtree, memory)
        os.chmod(memory, 0o755)
        return [os.path.join(memory, "tier")]

    def setUp(self):
        # What a test that failed has left running would hold up the others.
        self.addCleanup(self.ask_slurm, "scancel", "--nodelist=n0,n1")

    def await_file(self, name, user=None):
        self.await_true(f"{name} is there", lambda: os.path.exists((user or self.user).at(name)))

    def await_running(self, name, user=None):
        self.await_file(f"{name}.running", user)
        return dict(line.split(" ", 1) for line in (user or self.user).get(f"{name}.running").splitlines())

    def test_missing_nodes_are_named_cores_secrets_and_modes_are_as_asked_and_a_cancel_leaves_nothing(self):
        # What a job asks for its own tasks must not reach the executors. Heaps leave memory for files.
        job = self.user.submit("look", LOOK.format(probe=probe(self, "look", 2 * CORES, OUTLIVE)), "--nodes=2",
                               "--exclusive", "--ntasks-per-node=1", f"--cpus-per-task={CORES}",
                               "--export=ALL,SLURM_EXACT=1")
        self.await_file("look.refused")
        self.assertRegex(self.user.get("look.out"),
                         r"spark-hpc: \d of 2 nodes didn't come: .*n[01].*network.interfaces = hsn9")
        self.assert_nothing_left()
        self.user.release("look-start")

        self.await_file("look.logged")
        found = self.await_running("look")
        self.assertEqual(found["executors"], str([("n0", CORES), ("n1", CORES)]))
        self.assertEqual(found["driver"], "n0")

        directory, = pathlib.Path(self.user.at(".spark-hpc")).glob(f"slurm-testbed-{job}")
        text = (directory / "conf" / "daemons" / "spark-defaults.conf").read_text(encoding="utf-8")
        secret = re.search(r"(?m)^spark.authenticate.secret (\S+)$", text).group(1)
        lines = list(command_lines())
        self.assertGreaterEqual(len([x for x in lines if "CoarseGrainedExecutorBackend" in x]), 2)
        key = (directory / "key").read_text(encoding="ascii").strip()
        self.assertFalse([line for line in lines if secret in line or key in line])

        private = [directory, *(path for tier in self.tiers for path in pathlib.Path(tier).iterdir()
                                if path.name in self.scratch_of(["n0", "n1"]))]
        self.assertEqual(len(private), 5)
        self.assertEqual({stat.S_IMODE(path.stat().st_mode) for path in private}, {0o700})
        readable = [path for path in directory.rglob("*") if path.is_file()
                    and not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077]
        self.assertEqual([path for path in readable if "logs" not in path.parts], [])

        written = pathlib.Path(self.user.at("look.output"))
        self.assertEqual({stat.S_IMODE(path.stat().st_mode) for path in written.glob("part-*")},
                         {0o640})

        self.assertIn([job, "@all"], self.all_scratch().values())
        self.user.run("scancel", job)
        self.assertEqual(self.await_end(job), "CANCELLED")
        self.assert_nothing_left()
        self.assert_nothing_left_of(job)
        self.assertFalse((directory / "conf").exists())
        logs = [path.read_text(encoding="utf-8") for path in (directory / "logs").glob("app-*.stderr")]
        self.assertGreaterEqual(len(logs), 2)
        out = self.user.get("look.out")
        named = re.findall(r"(?m)^app-\S+  executor (\d) on (n[01]): /.*/work/app-\S+/std\w+$", out)
        self.assertEqual({node for _, node in named}, {"n0", "n1"}, out)
        self.assertIn("Scratch tiers, by SPARK_HPC_SCRATCH:", out.split("\n==> ")[1])
        memory = r"Scratch tiers, by SPARK_HPC_SCRATCH:\n *1\. memory " + re.escape(self.tiers[1])
        for log in logs:
            self.assertRegex(log, memory + r"/spark-hpc-.*\n *2\. spark " + re.escape(self.scratch))

    def test_what_a_crashed_node_leaves_is_swept_by_the_next_job_wherever_it_is_seen(self):
        crashed = self.user.submit("crash", f"spark-hpc start\n{probe(self, 'crash', 2 * CORES, OUTLIVE)}",
                                   "--nodelist=n0,n1", "--exclusive")
        self.await_running("crash")
        self.slurm("fail", "0")
        try:
            # Slurm would notice by itself, minutes later.
            self.ask_slurm("scontrol", "update", "NodeName=n0", "State=DOWN", "Reason=crash")
            self.assertIn(self.await_end(crashed), ("NODE_FAIL", "FAILED", "CANCELLED"))
            self.assert_nothing_left(["n1"])
            self.assertEqual(len(self.scratch_of(["n0"])), 2)
            shared, = (name for name, its in self.all_scratch().items() if its == [crashed, "@all"])
            application, = os.listdir(os.path.join(self.seen(self.shuffle), shared))
            self.assertRegex(application, rf"^spark-hpc-{crashed}-")
            # Scratch, too, is in a directory that all see, here.
            job = self.user.submit("clean", "spark-hpc clean", "--nodes=1", "--nodelist=n1")
            self.assertIn(self.await_end(job), ("COMPLETED", "FAILED"))
            for removed in (f"/{shared}", "-n0-"):
                self.assertRegex(self.user.get("clean.out"), f"removed .*{removed}")
        finally:
            self.slurm("revive", "0")
        self.assert_nothing_left()
        self.assert_nothing_left_of(crashed)

    def test_every_users_job_knows_nothing_of_anothers_beside_it(self):
        if len(self.users) < 2:
            skip_or_fail("root is needed to run jobs of two users")
        if CORES < 2:
            skip_or_fail("two cores are needed for two jobs on one node")
        self.addCleanup(self.let_limits_come)
        found = self.await_running("limit", self.user)
        self.await_running("warn", self.other)
        self.assertEqual(len(self.scratch_of(["n2"])), 4)
        # What one of them cleans is only what is his and dead.
        self.user.run(f"{self.prefix}/{self.version()}/bin/spark-hpc", "clean")
        self.assertEqual(len(self.scratch_of(["n2"])), 4)
        denied = self.other.run("ls", found["local"], check=False)
        self.assertIn("Permission denied", denied.stderr)
        # How they go on and end is what other tests look at.
        self.assertEqual([self.state(job) for job in (self.limited, self.warned)], 2 * ["RUNNING"])

    def test_encryption_hides_what_drivers_and_executors_exchange(self):
        if os.getuid() != 0:
            skip_or_fail("root is needed to listen on the network")
        if CORES < 2:
            skip_or_fail("two cores are needed for two executors of a node")
        jobs = {switch: self.submit_spoken(switch, node) for switch, node in (("off", "n0"), ("on", "n1"))}
        words = {switch: {*WORDS[switch], self.secret_of(switch, job)} for switch, job in jobs.items()}
        with Wire(*set.union(*words.values())) as wire:
            for switch in jobs:
                self.user.release(switch)
            for switch, job in jobs.items():
                self.await_completed(job, self.user.at(f"{switch}.out"))
                self.assertGreater(self.fetched(switch), 0, "no executor has asked another for a block")
        self.assertEqual(wire.lost, 0)
        self.assertEqual(wire.seen, words["off"])
        # The jobs had no spark-hpc stop: their end is enough.
        self.assert_nothing_left()

    def submit_spoken(self, switch, node):
        """A job that, once released, sends the one word of that switch in calls, in its input's name, and
        the other in a shuffle, as the number of a vertex."""
        called, shuffled = WORDS[switch]
        vertex = int.from_bytes(shuffled, "big")
        os.mkdir(self.user.at(f"in-{switch}"))
        self.user.put(f"in-{switch}/{called.decode()}", "".join(f"{n} {vertex}\n" for n in range(100)))
        # Executors of one host read each other's files otherwise, and compression hides a word, too.
        return self.user.submit(
            switch, f"mkdir events-{switch}\n"
            f"spark-hpc start --set encryption={switch} --set executors.per.node=2\n"
            f"touch {switch}.started\nuntil [ -e {switch}.release ]; do sleep 0.2; done\n"
            f"spark-hpc run-example {' '.join(LOGGED)}-{switch} "
            f"{ALL_EXECUTORS} "
            "--conf spark.shuffle.readHostLocalDisk=false --conf spark.shuffle.compress=false "
            f"hpc.PageRank --input \"$PWD/in-{switch}/*\" --partitions 4 --iterations 1",
            f"--nodelist={node}", "--exclusive")

    def secret_of(self, switch, job):
        """What the processes of its cluster prove themselves by, which Spark sends with its settings."""
        self.await_file(f"{switch}.started")
        return re.search(r"(?m)^spark.authenticate.secret (\S+)$", self.user.get(
            ".spark-hpc", f"slurm-testbed-{job}", "conf", "daemons", "spark-defaults.conf")).group(1).encode()

    def fetched(self, switch):
        """Bytes that executors had from others."""
        log, = pathlib.Path(self.user.at(f"events-{switch}")).iterdir()
        events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        return sum(event["Task Metrics"]["Shuffle Read Metrics"]["Remote Bytes Read"]
                   for event in events if event["Event"] == "SparkListenerTaskEnd")

    def test_on_a_login_node_the_sites_policy_holds_and_drivers_go_to_the_nodes(self):
        script = self.user.script("login", "spark-hpc start")
        refused = self.user.run(script, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("login.policy = auto: this isn't in an allocation, and there is a scheduler (srun)",
                      refused.stderr)

        script = self.user.script("salloc", "spark-hpc doctor\nspark-hpc start --nodes 1\n"
                                  + probe(self, "salloc", CORES))
        self.user.release("salloc")
        out = self.user.run("salloc", "--quiet", "--nodes=2", "--exclusive", script).stdout
        self.assertRegex(out, r"(?m)^ok +patch .* \d+ classes are as its manifest says$")
        self.assertRegex(out, r"(?m)^ok +scheduler +job \d+ of Slurm on 2 nodes$")
        self.assertEqual(self.await_running("salloc")["driver"], "n0")
        self.assert_nothing_left()

    def test_the_signal_before_the_time_limit_ends_all_in_order(self):
        self.let_limits_come()
        out = self.await_completed(self.warned, self.other.at("warn.out"))
        self.assertRegex(out, r"(?m)^ended with 143$")
        self.assertTrue(os.path.exists(self.other.at("warn.running")), out)
        self.assert_nothing_left_of(self.warned)
        # Whole, and under the name of a program that has ended, which nobody may still write.
        log, = pathlib.Path(self.other.at("events")).iterdir()
        self.assertRegex(log.name, r"^app-[\d-]+$")
        events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(events[-1]["Event"], "SparkListenerApplicationEnd")
        self.assertEqual([event["Job Result"]["Result"] for event in events
                          if event["Event"] == "SparkListenerJobEnd"], 2 * ["JobSucceeded"])

    def test_the_time_limit_leaves_nothing(self):
        self.let_limits_come()
        self.await_running("limit")
        self.assertEqual(self.await_end(self.limited), "TIMEOUT")
        self.assert_nothing_left_of(self.limited)


if __name__ == "__main__":
    unittest.main()
