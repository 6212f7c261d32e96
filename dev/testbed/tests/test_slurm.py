"""slurm: jobs run on all nodes, as their users; a node can crash; nothing is left behind."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from fsbed import processes
from kind_case import COMMAND, KindCase, load_kind, skip_or_fail


class SlurmCase(KindCase):
    kind = load_kind("slurm")
    name = "slurm"
    place = "/var/tmp"

    @classmethod
    def make_room(cls, add_cleanup):
        super().make_room(add_cleanup)
        # munged and users' jobs need access.
        os.chmod(cls.parent, 0o755)

    def as_user(self, *command, at=None):
        return self.run_testbed("exec", "--", *command, at=at).stdout

    def pids(self, instance=None):
        return (instance or self.instance).daemons.all_processes()

    def assert_nothing_left(self, pids):
        self.assertTrue(pids, "no process was running, so the check would show nothing")
        self.assertEqual([pid for pid in pids if processes.running(pid)], [])
        self.assertEqual(self.pids(), [])
        self.assertFalse(os.path.exists(self.instance.base))


class RunningTest(SlurmCase):
    shared = ()

    def test_a_job_has_tasks_on_all_nodes(self):
        names = self.as_user("srun", "-N2", "sh", "-c", "echo $SLURMD_NODENAME")
        self.assertEqual(sorted(names.split()), ["n0", "n1"])

    def test_batch_jobs_and_allocations_work(self):
        out = os.path.join(self.parent, "out")
        self.addCleanup(os.unlink, out)
        self.as_user("sbatch", "--wait", f"--output={out}", "--wrap", "srun -N1 echo done")
        with open(out, encoding="utf-8") as f:
            self.assertEqual(f.read(), "done\n")
        self.assertEqual(self.as_user("salloc", "--quiet", "-N1", "srun", "echo", "in"), "in\n")

    def test_a_task_is_bound_to_its_cores(self):
        if self.kind.configuration.default_cores() < 2:
            skip_or_fail("two cores are needed to see that a task has one")
        step = ("salloc", "--quiet", "-N1", "--exclusive", "srun", "--overlap", "-n1")
        self.assertEqual(self.as_user(*step, "nproc"), "1\n")
        self.assertGreater(int(self.as_user(*step, "--cpu-bind=none", "nproc")), 1)

    def test_a_cancelled_jobs_processes_are_told_first(self):
        log = os.path.join(self.parent, "told")
        self.addCleanup(os.unlink, log)
        job = self.as_user("sbatch", "--parsable", "--output=/dev/null", "--wrap", "srun sh -c "
                           f"'trap \"echo told >> {log}; exit\" TERM; echo on > {log}; "
                           "while :; do sleep 0.1; done'").strip()
        self.await_text(log, "on\n")
        self.as_user("scancel", job)
        self.await_text(log, "on\ntold\n")

    def await_text(self, path, text):
        found = None
        for _ in range(300):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    found = f.read()
                if found == text:
                    return
            time.sleep(0.1)
        self.fail(f"{path} has {found!r}, not {text!r}")

    def test_other_users_jobs_run_as_them_when_root_started_it(self):
        if os.getuid() != 0:
            skip_or_fail("root is needed to run other users' jobs")
        nobody = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
        self.assertEqual(self.as_user(*nobody, "srun", "--chdir=/", "id", "-un"), "nobody\n")

    def test_a_second_start_is_refused(self):
        self.assert_refused("in use", "start")
        self.assertTrue(self.instance.alive())


class LifecycleTest(SlurmCase):
    def test_stop_leaves_nothing_although_a_job_runs(self):
        self.start()
        self.as_user("sbatch", "--output=/dev/null", "--wrap", "srun sleep 600")
        self.await_process("sleep")
        pids = self.pids()
        self.stop()
        self.assert_nothing_left(pids)

    def await_process(self, name):
        for _ in range(300):
            for pid in self.pids():
                try:
                    with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
                        if f.read().strip() == name:
                            return
                except OSError:
                    continue
            time.sleep(0.1)
        self.fail(f"no {name} in the job")

    def test_a_node_crashes_and_comes_back(self):
        self.start()
        self.addCleanup(self.stop)
        self.assertTrue(self.instance.daemons.processes_of_node("n1"))
        self.run_testbed("fail", "1")
        self.assertEqual(self.instance.daemons.processes_of_node("n1"), [])
        self.assertIn("n0 idle", self.run_testbed("status").stdout)
        self.run_testbed("revive", "1")
        self.assertIn("n1 idle", self.run_testbed("status").stdout)
        self.assertEqual(self.as_user("srun", "-w", "n1", "echo", "back"), "back\n")

    def test_after_a_crash_the_next_start_clears_up_first(self):
        self.start()
        self.addCleanup(self.stop)
        before = self.pids()
        self.assertTrue(before)
        for pid in self.instance.daemons.leaders():
            os.kill(pid, signal.SIGKILL)
        while self.instance.alive():
            time.sleep(0.01)
        self.assert_refused("has ended: testbed slurm stop", "status")
        self.start()
        self.assertEqual([pid for pid in before if processes.running(pid)], [])
        self.assertEqual(len(self.instance.daemons.leaders()), 2 + self.nodes)

    def test_two_instances_know_nothing_of_each_other(self):
        other = self.instance_at("other")
        for instance in (self.instance, other):
            self.start(at=instance)
            self.addCleanup(self.stop, at=instance)
        self.as_user("sbatch", "--hold", "--output=/dev/null", "--wrap", "true")
        self.assertEqual(self.as_user("squeue", "--noheader", at=other), "")
        self.stop(at=other)
        self.assertEqual(len(self.as_user("squeue", "--noheader").splitlines()), 1)

    def test_an_ordinary_user_starts_one(self):
        if os.getuid() != 0:
            skip_or_fail("root is needed to become another user; the other tests ran as one")
        nobody = pwd.getpwnam("nobody")
        home = os.path.join(self.parent, "home")
        os.mkdir(home)
        self.addCleanup(shutil.rmtree, home)
        os.chown(home, nobody.pw_uid, nobody.pw_gid)

        def testbed(*arguments):
            line = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "env",
                    f"HOME={home}", "USER=nobody", "LOGNAME=nobody", COMMAND, "slurm",
                    arguments[0], "--base", os.path.join(home, "base"), *arguments[1:]]
            return subprocess.run(line, check=True, capture_output=True, text=True, cwd="/").stdout

        testbed("start", "--nodes", "1")
        try:
            self.assertEqual(testbed("exec", "--", "srun", "id", "-un"), "nobody\n")
        finally:
            testbed("stop")
        self.assertEqual(os.listdir(home), [])

    def test_nodes_may_differ(self):
        cores = self.kind.configuration.default_cores()
        if cores < 2:
            skip_or_fail("two cores are needed for nodes that differ")
        self.start("--cores", f"{cores},1", "--memory", "3000,2000")
        self.addCleanup(self.stop)
        shown = self.as_user("sinfo", "--noheader", "--Node", "--format=%N %c %m")
        self.assertEqual(shown.splitlines(), [f"n0 {cores} 3000", "n1 1 2000"])

    def test_nodes_see_a_shared_file_system_each_by_its_own_mount(self):
        moosefs = load_kind("moosefs")
        why = moosefs.missing(delayed=False)
        if why:
            skip_or_fail(why)
        below = moosefs.Instance(tempfile.mkdtemp(prefix="slurm-test-", dir="/dev/shm"))
        env = {**os.environ, "TESTBED_MOOSEFS_BASE": below.base}
        self.addCleanup(subprocess.run, [COMMAND, "moosefs", "stop"], env=env, check=True)
        subprocess.run([COMMAND, "moosefs", "start", "--nodes", str(self.nodes)], env=env, check=True,
                       capture_output=True)
        self.run_testbed("start", "--nodes", str(self.nodes), "--on", "moosefs", env=env)
        self.addCleanup(self.stop)
        self.run_testbed("fail", "1")
        self.run_testbed("revive", "1")
        self.as_user("srun", "-N2", "sh", "-c", f"echo >{below.common}/$SLURMD_NODENAME")
        self.assertEqual(self.as_user("ls", below.common), "n0\nn1\n")
        self.assertEqual(os.listdir(below.common), [])
        creates = [moosefs.counts.of_mount(below.mount_point(n)) for n in range(self.nodes)]
        self.assertEqual([found["create"] for found in creates], [1, 1])

    def test_what_is_missing_or_wrong_is_said_in_one_line_and_leaves_nothing(self):
        self.assert_refused("slurmctld is missing: apt-get install slurmctld", "start",
                            env=self.path_without("slurmctld"))
        self.assert_refused("1 to 64", "start", "--nodes", "0")
        self.assert_refused("1 or more", "start", "--memory", "0")
        self.assert_refused("2 of them", "start", "--nodes", "2", "--cores", "1,1,1")
        if os.getuid() == 0:
            self.assert_refused("nothing is mounted", "start", "--on", "moosefs", env={
                **os.environ, "TESTBED_MOOSEFS_BASE": os.path.join(self.parent, "none")})
        self.assert_refused("nothing runs", "status")
        self.assertFalse(os.path.exists(self.instance.base))


if __name__ == "__main__":
    unittest.main()
