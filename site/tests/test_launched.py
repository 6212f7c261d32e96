"""PBS, LSF and Flux, in environments put together from their manuals and published outputs. Their own
programs are imitated: each records how it was called, and runs a command for this host with nothing but
what that scheduler promises."""

import os
import socket
import unittest
import unittest.mock

from site_case import SiteCase
from spark_hpc import executor_logs, run_directory
from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job, Node
from spark_hpc.schedulers.choice import LiveJobs, current
from spark_hpc.schedulers.flux import hosts, numbers
from spark_hpc.site_conf import SiteConf

HOST = socket.gethostname().split(".")[0]
GB = 1 << 30

# qsub -l select=2:ncpus=8:mpiprocs=2:mem=4gb+1:ncpus=2 on PBS Pro, which breaks long lines.
QSTAT = """\
Job Id: 4711.pbs-1
    Job_Name = rank
    Job_Owner = me@login1.example.org
    job_state = R
    exec_host = {0}/0*8+n1/0*8+n2/1*2
    exec_host2 = {0}.example.org:15002/0*8+n1.example.org:15002/0*8+n2.example.or
\tg:15002/1*2
    exec_vnode = ({0}:ncpus=8:mem=4194304kb)+(n1[0]:ncpus=4:mem=2gb+n1[1]:ncpus=4
\t:mem=2gb)+(n2:ncpus=2)
    Resource_List.ncpus = 18
"""

# What flux batch -N3 has in its key-value store.
RESOURCES = ('{"version": 1, "execution": {"R_lite": [{"rank": "0-1", "children": {"core": "0-7"}}, '
             '{"rank": "2", "children": {"core": "0,2"}}], "starttime": 1, "expiration": 2, '
             '"nodelist": ["%s", "n[01-02]"]}}')

_PROGRAMS = {
    "qstat": 'case $1 in -B) echo "Server: pbs-1";; *) cat "$AT/qstat.txt";; esac',
    "qselect": 'cat "$AT/jobs.txt"',
    "pbsdsh": 'shift 3; exec env -i PATH=/usr/bin:/bin PBS_JOBID="$PBS_JOBID" PBS_TASKNUM=2 "$@"',
    "lsid": 'echo "IBM Spectrum LSF 10.1"; echo "My cluster name is big-one"',
    "bjobs": 'cat "$AT/jobs.txt"',
    "blaunch": 'shift 4; exec env -i PATH=/usr/bin:/bin LSB_JOBID="$LSB_JOBID" '
               'LSB_MCPU_HOSTS="$LSB_MCPU_HOSTS" "$@"',
    "flux": 'case "$1 $2" in\n'
            '  "getattr jobid") echo f58ABC;;\n'
            '  "getattr parent-uri") echo ssh://n7/run/flux/local;;\n'
            '  "job id") echo 4711;;\n'
            '  "kvs get") cat "$AT/resources.json";;\n'
            '  "--parent jobs") cat "$AT/jobs.txt";;\n'
            '  exec*) shift 3; exec env -i PATH=/usr/bin:/bin FLUX_URI=local:///of-the-broker "$@";;\n'
            'esac',
}


class LaunchedCase(SiteCase):
    def setUp(self):
        super().setUp()
        for name, body in _PROGRAMS.items():
            self.put(f"tools/{name}", f'#!/bin/sh\nAT={self.directory}\n'
                     f'echo "{name} $*" >>"$AT/calls.txt"\n{body}\n', 0o755)
        self.java_home = self.make_java()
        self.put("calls.txt", "")
        self.put("jobs.txt", "")
        self.use_hosts("n0")

    def use_hosts(self, first, *others):
        """The job's nodes, with two processes of MPI on each."""
        names = (first, *others)
        self.put("nodefile", "".join(f"{name}.example.org\n" * 2 for name in names))
        self.put("qstat.txt", QSTAT.format(first))
        self.put("resources.json", RESOURCES % first)
        self.slots = " ".join(f"{name} 8" for name in names)

    def environments(self):
        path = f"{self.at('tools')}:/usr/bin:/bin"
        java = {"PATH": path, "JAVA_HOME": self.java_home}
        yield "pbs", self.environment(**java, PBS_JOBID="4711.pbs-1.example.org",
                                      PBS_NODEFILE=self.at("nodefile"), PBS_O_HOST="login1")
        yield "lsf", self.environment(**java, LSB_JOBID="4711", LSB_JOBINDEX="0",
                                      LSB_MCPU_HOSTS=self.slots, LSB_SUB_HOST="login1")
        yield "flux", self.environment(**java, FLUX_URI="local:///tmp/flux-x/local-0")

    def schedulers(self):
        return [(name, current(env, SiteConf())) for name, env in self.environments()]

    def calls(self):
        return self.get("calls.txt").splitlines()


class RecordedTest(LaunchedCase):
    def test_a_job_is_named(self):
        named = {name: scheduler.job for name, scheduler in self.schedulers()}
        self.assertEqual(named, {"pbs": Job("pbs", "pbs-1", "4711"),
                                 "lsf": Job("lsf", "big-one", "4711"),
                                 "flux": Job("flux", "run_flux_local", "4711")})

    def test_nodes_have_what_the_job_was_given_there(self):
        self.use_hosts("n0", "n1", "n2")
        found = {name: scheduler.nodes() for name, scheduler in self.schedulers()}
        self.assertEqual(found, {
            "pbs": [Node("n0", 8, 4 * GB), Node("n1", 8, 4 * GB), Node("n2", 2, None)],
            "lsf": [Node("n0", 8, None), Node("n1", 8, None), Node("n2", 8, None)],
            "flux": [Node("n0", 8, None), Node("n01", 8, None), Node("n02", 2, None)]})

    def test_this_host_is_known_by_its_name(self):
        self.use_hosts(HOST)
        self.assertEqual({scheduler.node_name() for _, scheduler in self.schedulers()}, {HOST})
        self.use_hosts("n0")
        self.assertEqual([scheduler.node_name() for _, scheduler in self.schedulers()],
                         [HOST, None, None], "with PBS no shell outside a job has its number")

    def test_a_command_goes_once_to_each_node_that_is_wanted(self):
        self.use_hosts("n0", "n1", "n2")
        wanted = {"pbs": (["n0", "n2"], ["pbsdsh -n 0 --", "pbsdsh -n 4 --"]),
                  "lsf": (["n0", "n2"], ["blaunch -n -no-shell -z n0 n2"]),
                  "flux": (["n0", "n02"], ["flux exec --noinput --rank=0,2"])}
        os.mkdir(self.at("logs"))
        for name, scheduler in self.schedulers():
            with self.subTest(name):
                names, lines = wanted[name]
                self.put("calls.txt", "")
                scheduler.launch(["/bin/echo", "a b"], names, self.at("logs")).wait()
                script = f"/bin/sh {self.at('logs', 'launch.sh')} /bin/echo a b"
                launches = [call for call in self.calls() if script in call]
                self.assertEqual(sorted(launches), [f"{line} {script}" for line in lines])

    def test_what_is_launched_has_the_users_environment_by_a_file_that_only_he_reads(self):
        self.use_hosts(HOST)
        os.mkdir(self.at("logs"))
        of_the_task = {"pbs": "PBS_TASKNUM", "lsf": "LS_JOBPID", "flux": "FLUX_URI"}
        for name, scheduler in self.schedulers():
            with self.subTest(name):
                scheduler._env.update({"MINE": "a 'b'\n$c", "HOSTNAME": "login1",
                                       of_the_task[name]: "of the launcher"})
                script = self.at("logs", "launch.sh")
                scheduler.launch(["/bin/sh", "-c", f"env; stat -c 'mode %a' {script}"], [HOST],
                                 self.at("logs")).wait()
                self.assertFalse(os.path.exists(script))
                log = self.at("logs", f"node-{os.uname().nodename}.log")
                with open(log, encoding="utf-8") as f:
                    text = f.read()
                os.unlink(log)
                self.assertIn("MINE=a 'b'\n$c\n", text)
                self.assertNotIn("HOSTNAME=", text)
                self.assertNotIn(f"{of_the_task[name]}=of the launcher", text)
                self.assertIn("mode 600\n", text)
        self.assertNotIn("MINE", self.get("calls.txt"))

    def test_only_what_the_scheduler_no_longer_knows_has_ended(self):
        listed = {"pbs": "4711.pbs-1\n12.pbs-1\n", "lsf": "4711 0\n12 0\n13 2\n",
                  "flux": "4711\n12\n"}
        clusters = {"pbs": "pbs_1", "lsf": "big_one", "flux": "run_flux_local"}
        for name, env in self.environments():
            with self.subTest(name):
                self.put("jobs.txt", listed[name])
                live = LiveJobs(env)
                ended = [live.ended(Job(name, clusters[name], number)) for number in ("4711", "9")]
                self.assertEqual(ended, [False, True])
                self.assertFalse(live.ended(Job(name, "another", "9")))
        self.put("jobs.txt", "12[].pbs-1\n")
        self.assertFalse(LiveJobs(dict(self.environments())["pbs"]).ended(Job("pbs", "pbs_1", "9")),
                         "of an array it isn't known which parts live")

    def test_programs_that_are_not_there_are_named(self):
        for name, env in self.environments():
            with self.subTest(name):
                scheduler = current({**env, "PATH": "/nowhere"}, SiteConf())
                if name != "lsf":  # whose nodes are in the environment
                    with self.assertRaisesRegex(Refused, "put the scheduler's commands on PATH"):
                        scheduler.nodes()

    def test_lists_of_hosts_are_counted_out(self):
        self.assertEqual(hosts("n[01-03,7]-x,m,k9"), ["n01-x", "n02-x", "n03-x", "n7-x", "m", "k9"])
        self.assertEqual(numbers("0-2,5"), [0, 1, 2, 5])


class LifeTest(LaunchedCase):
    """A cluster of one node, this host, from start to stop."""

    def setUp(self):
        super().setUp()
        self.home = self.make_distribution()
        os.mkdir(self.at("scratch"))
        self.use_hosts(HOST)
        self.put("qstat.txt", f"    exec_host = {HOST}/0*1\n    exec_vnode = ({HOST}:ncpus=1)\n")
        self.put("resources.json", '{"execution": {"R_lite": [{"rank": "0", "children": {"core": "0"}}],'
                                   f' "nodelist": ["{HOST}"]}}}}')
        self.slots = f"{HOST} 1"

    def settings(self, *lines):
        self.put("dist/conf/site.conf", "\n".join([
            "network.interfaces = lo", f"scratch.tiers = {self.at('scratch')}",
            f"stage.tiers = {self.at('scratch')}", "start.seconds = 60", *lines, ""]))

    def spark_hpc(self, env, *arguments, **named):
        return self.run_program(os.path.join(self.home, "bin", "spark-hpc"), *arguments, env=env,
                                **named)

    def test_it_starts_takes_programs_and_stops(self):
        self.settings("stop.seconds = 5")
        for name, env in self.environments():
            with self.subTest(name):
                try:
                    self.assertIn(f"workers  1: {HOST}\n", self.spark_hpc(env, "start").stdout)
                    self.assertEqual(self.spark_hpc(env, "status").returncode, 0)
                    out = self.spark_hpc(env, "submit", "x.py").stdout
                    self.assertRegex(out, "spark-submit was given: .* x.py")
                finally:
                    stopped = self.spark_hpc(env, "stop")
                self.assertIn("stopped; logs:", stopped.stdout)
                self.assertEqual(stopped.stderr, "", "each node has said that it ended")
                self.assertEqual(os.listdir(self.at("scratch")), [])
                self.assertEqual(self.spark_hpc(env, "status", check=False).returncode, 3)

    def test_executors_logs_are_asked_of_the_nodes(self):
        self.settings("stop.seconds = 5")
        for name, env in self.environments():
            with self.subTest(name):
                self.spark_hpc(env, "start")
                try:
                    scheduler = current(env, SiteConf())
                    run = run_directory.of_job(SiteConf(), env, scheduler.job)
                    with unittest.mock.patch.object(scheduler, "node_name", lambda: None):
                        log, = executor_logs.of_nodes(self.home, scheduler, run)
                    self.assertEqual(log[:3], ("app-20260101000000-0000", "0", HOST))
                    with open(log.path, encoding="utf-8") as f:
                        self.assertEqual(executor_logs.ask(scheduler, run, [HOST], "cat", log.path), f.read())
                    self.assertFalse([each for each in os.listdir(run.logs) if each.startswith("asked-")])
                finally:
                    self.spark_hpc(env, "stop")

    def test_a_node_that_does_not_come_ends_the_start(self):
        self.settings("network.interfaces = hsn9")
        for name, env in self.environments():
            with self.subTest(name):
                done = self.spark_hpc(env, "start", check=False)
                self.assertRegex(done.stderr, rf"1 of 1 nodes didn't come: {HOST}: .*hsn9")
                self.assertEqual(os.listdir(self.at("scratch")), [])

    def test_clean_removes_what_dead_jobs_left(self):
        self.settings()
        for name, env in self.environments():
            with self.subTest(name):
                cluster = {"pbs": "pbs_1", "lsf": "big_one", "flux": "run_flux_local"}[name]
                left = f"spark-hpc-{os.getuid()}-{name}-{cluster}-9-{HOST.replace('-', '_')}-x"
                os.mkdir(self.at("scratch", left))
                self.put("jobs.txt", "4711 0\n" if name == "lsf" else "4711\n")
                self.assertEqual(self.spark_hpc(env, "clean").stdout,
                                 f"removed {self.at('scratch', left)}\n")


if __name__ == "__main__":
    unittest.main()
