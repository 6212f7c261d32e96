"""A cluster where there is no scheduler, with an imitation of Spark: its policy, its life, its end."""

import os
import re
import signal
import stat
import subprocess
import tempfile
import time
import unittest

from site_case import SiteCase, skip_or_fail

PATIENCE = 60  # seconds until something that has to happen counts as not happening


class HereCase(SiteCase):
    def setUp(self):
        super().setUp()
        self.home = self.make_distribution()
        # As a site adds it that offers Connect.
        self.put("dist/jars/spark-connect_2.12-3.5.7.jar", "")
        os.mkdir(self.at("scratch"))
        self.settings("login.policy = allow")
        self.java_home = self.make_java()
        self.session = subprocess.Popen(["sleep", "600"], start_new_session=True)
        self.addCleanup(self.end_session)
        # A stop in order would take longer, and is tested where it matters.
        self.addCleanup(self.kill_all)

    def end_session(self):
        self.session.kill()
        self.session.wait()

    def kill_all(self):
        while self.processes():
            for pid, _ in self.processes():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.02)

    def settings(self, *lines, tiers=None):
        self.put("dist/conf/site.conf", "\n".join([
            "network.interfaces = lo", f"scratch.tiers = {tiers or self.at('scratch')}",
            f"stage.tiers = {self.at('scratch')}", "stop.seconds = 5", "start.seconds = 60", *lines,
            ""]))

    def spark_hpc(self, *arguments, **named):
        env = self.environment(**{"SPARK_HPC_SESSION": str(self.session.pid), "JAVA_HOME": self.java_home,
                                  **named.pop("env", {})})
        return self.run_program(os.path.join(self.home, "bin", "spark-hpc"), *arguments, env=env,
                                **named)

    def processes(self):
        """All that a cluster of this test has started: [pid, words of its command]."""
        found = []
        for pid, _ in self.environments():
            try:
                with open(f"/proc/{pid}/cmdline", encoding="utf-8") as line:
                    found.append([int(pid), line.read().split("\0")])
            except OSError:
                continue
        return found

    def environments(self):
        """Theirs: (pid, words)."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", encoding="utf-8", errors="replace") as f:
                    words = f.read().split("\0")
            except OSError:
                continue
            if f"SPARK_HPC_SESSION={self.session.pid}" in words:
                yield pid, words

    def await_true(self, what, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f"not in {PATIENCE} s: {what}; {self.processes()}")
            time.sleep(0.05)

    def run_directory(self):
        names = os.listdir(self.at("home", ".spark-hpc"))
        self.assertEqual(len(names), 1)
        return self.at("home", ".spark-hpc", names[0])

    def assert_nothing_left(self):
        self.assertEqual(self.processes(), [])
        self.assertEqual(os.listdir(self.at("scratch")), [])
        self.assertFalse(os.path.exists(os.path.join(self.run_directory(), "conf")))


class PolicyTest(HereCase):
    def assert_refused(self, text, *arguments, **named):
        done = self.spark_hpc(*arguments, check=False, **named)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"\Aspark-hpc: [^\n]*{text}[^\n]*\n\Z")

    def test_refuse_says_what_to_do(self):
        self.settings("login.policy = refuse")
        self.assert_refused("login.policy = refuse: this isn't in an allocation.*sbatch or salloc",
                            "start")
        self.assert_refused("no cluster: spark-hpc start", "submit", "x.jar")

    def test_auto_refuses_where_there_is_a_scheduler_and_takes_a_workstation_whole(self):
        self.settings()
        self.put("slurm/srun", "#!/bin/sh\n", 0o755)
        path = {"PATH": f"{self.at('slurm')}:{os.environ['PATH']}"}
        self.assert_refused(r"the default: login.policy = auto: this isn't in an allocation, and there is a "
                            r"scheduler \(srun\) on .*: use sbatch", "start", env=path)
        self.spark_hpc("start", env={"PATH": self.tools()})
        worker = next(line for _, line in self.processes() if "--cores" in line)
        self.assertEqual(worker[worker.index("--cores") + 1], str(len(os.sched_getaffinity(0))))

    def test_a_run_directory_whose_parent_is_not_there_is_refused_and_not_made(self):
        self.settings("login.policy = allow", f"run.directory = {self.at('mistyped', 'runs')}")
        for verb in ("start", "status", "submit"):
            self.assert_refused(rf"run.directory = {self.at('mistyped', 'runs')}: there is no directory "
                                rf"{self.at('mistyped')}: correct the path, or make it", verb)
        self.assertFalse(os.path.exists(self.at("mistyped")))
        self.settings("login.policy = allow")

    def test_a_shared_directory_whose_parent_is_not_there_is_refused(self):
        self.assert_refused("shuffle.directory = /lustrr/me: there is no directory /lustrr: correct the path",
                            "start", "--set", "shuffle.directory=/lustrr/me")
        self.spark_hpc("start", env={"SCRATCH": "/lustrr/me"})

    def test_limit_takes_that_much_and_allow_all(self):
        for policy, cores in (("limit", 1), ("allow", len(os.sched_getaffinity(0)))):
            self.settings(f"login.policy = {policy}", "login.cores = 1", "login.memory = 3g")
            self.spark_hpc("start")
            worker = next(line for _, line in self.processes() if "--cores" in line)
            self.assertEqual(worker[worker.index("--cores") + 1], str(cores))
            self.spark_hpc("stop")


class LifeTest(HereCase):
    def test_it_starts_says_where_and_stops(self):
        out = self.spark_hpc("start").stdout
        self.assertIn("master   spark://127.0.0.1:7077", out)
        self.assertIn("UI       http://127.0.0.1:8080", out)
        status = self.spark_hpc("status")
        self.assertEqual(status.returncode, 0)
        self.assertIn(f"logs     {self.run_directory()}/logs\n", status.stdout)
        self.spark_hpc("stop")
        self.assert_nothing_left()
        self.assertEqual(self.spark_hpc("status", check=False).returncode, 3)

    def test_what_is_submitted_has_the_cluster_in_its_settings(self):
        self.put("users/spark-defaults.conf", "spark.master local\nspark.app.name mine\n"
                                              "spark.authenticate false\n")
        self.put("users/log4j2.properties", "x")
        self.spark_hpc("start", env={"SPARK_CONF_DIR": self.at("users")})
        out = self.spark_hpc("submit", "--class", "C", "a b.jar", env={
            "SPARK_CONF_DIR": self.at("users")}).stdout
        self.assertIn("spark-submit was given: --conf spark.driver.host=127.0.0.1 --conf "
                      "spark.driver.bindAddress=127.0.0.1 --class C a b.jar\n", out)
        directory = re.search("^SPARK_CONF_DIR=(.*)$", out, re.M).group(1)
        with open(os.path.join(directory, "spark-defaults.conf"), encoding="utf-8") as f:
            last = dict(line.split(" ", 1) for line in f.read().splitlines())
        self.assertEqual((last["spark.master"], last["spark.app.name"], last["spark.authenticate"]),
                         ("spark://127.0.0.1:7077", "mine", "true"))
        self.assertTrue(os.path.exists(os.path.join(directory, "log4j2.properties")))
        self.assertIn(f"SPARK_LOCAL_DIRS={self.at('scratch')}/spark-hpc-", out)

    def test_tiers_on_other_file_systems_are_offered_to_drivers_and_executors(self):
        with tempfile.TemporaryDirectory(prefix="site-here-", dir="/dev/shm") as memory:
            self.settings("login.policy = allow", tiers=f"{memory}, {self.at('scratch')}")
            self.spark_hpc("start")
            name, = os.listdir(memory)
            offered = f"SPARK_HPC_SCRATCH={memory}/{name}"
            out = self.spark_hpc("submit", "x.py").stdout
            self.assertIn(f"SPARK_LOCAL_DIRS={self.at('scratch')}/spark-hpc-", out)
            for line in (offered, "SPARK_HPC_MEMORY=0"):
                self.assertIn(f"{line}\n", out)
            said = {word for _, words in self.environments() for word in words
                    if re.match("SPARK_HPC_(SCRATCH|MEMORY)=", word)}
            self.assertRegex(" ".join(sorted(said)),
                             rf"\ASPARK_HPC_MEMORY=[1-9]\d{{8,}} {re.escape(offered)}\Z")
            self.spark_hpc("stop")
            self.assertEqual(os.listdir(memory), [])

    def test_map_outputs_that_outlive_executors_have_a_place_while_it_runs(self):
        os.mkdir(self.at("shared"))
        self.spark_hpc("start", env={"SCRATCH": self.at("shared")})
        name, = os.listdir(self.at("shared"))
        with open(os.path.join(self.run_directory(), "conf", "driver", "spark-defaults.conf"),
                  encoding="utf-8") as f:
            self.assertIn(f"spark.hpc.shuffle.directory {self.at('shared', name)}\n", f.read())
        self.spark_hpc("stop")
        self.assertEqual(os.listdir(self.at("shared")), [])

    def test_stripes_of_the_shared_directory_are_passed_on(self):
        os.mkdir(self.at("shared"))
        self.spark_hpc("start", "--set", "shuffle.directory=$SCRATCH?stripes=8",
                       env={"SCRATCH": self.at("shared")})
        name, = os.listdir(self.at("shared"))
        with open(os.path.join(self.run_directory(), "conf", "driver", "spark-defaults.conf"),
                  encoding="utf-8") as f:
            self.assertIn(f"spark.hpc.shuffle.directory {self.at('shared', name)}?stripes=8\n", f.read())
        self.spark_hpc("stop")
        self.assertEqual(os.listdir(self.at("shared")), [])

    def test_each_of_sparks_programs_is_started_on_the_cluster(self):
        self.spark_hpc("start")
        for verb, program in (("run-example", "run-example"), ("shell", "spark-shell"),
                              ("pyspark", "pyspark"), ("sql", "spark-sql")):
            out = self.spark_hpc(verb, "--name", "x").stdout
            self.assertRegex(out, rf"(?m)^{program} was given: --conf .* --name x$")
            self.assertRegex(out, rf"(?m)^SPARK_CONF_DIR={self.at('scratch')}/[^/]+/driver-\w+/conf$")

    def test_only_the_user_can_read_scratch_logs_and_secret_but_his_umask_stays(self):
        self.spark_hpc("start", preexec_fn=lambda: os.umask(0o022))
        for top in (self.run_directory(), *(e.path for e in os.scandir(self.at("scratch")))):
            self.assertEqual(stat.S_IMODE(os.stat(top).st_mode), 0o700)
        conf = os.path.join(self.run_directory(), "conf", "daemons", "spark-defaults.conf")
        self.assertEqual(stat.S_IMODE(os.stat(conf).st_mode), 0o600)
        self.spark_hpc("stop")
        logs = os.path.join(self.run_directory(), "logs")
        name, = (n for n in os.listdir(logs) if n.endswith("-0.stderr"))
        with open(os.path.join(logs, name), encoding="utf-8") as f:
            self.assertEqual(f.read(), "0022\n", "an executor's umask is the user's")

    def test_the_secret_is_on_no_command_line_and_new_each_time(self):
        secrets = set()
        for _ in range(2):
            self.spark_hpc("start")
            conf = os.path.join(self.run_directory(), "conf", "daemons", "spark-defaults.conf")
            with open(conf, encoding="utf-8") as f:
                text = f.read()
            self.assertIn("spark.authenticate true\n", text)
            secret = re.search(r"^spark.authenticate.secret (\S{32,})$", text, re.M).group(1)
            words = [word for _, line in self.processes() for word in line]
            self.assertGreater(len(words), 4)
            self.assertFalse([word for word in words if secret in word])
            secrets.add(secret)
            self.spark_hpc("stop")
        self.assertEqual(len(secrets), 2)

    def test_pages_have_a_key_that_only_a_file_of_the_users_says(self):
        out = self.spark_hpc("start").stdout
        path = os.path.join(self.run_directory(), "key")
        with open(path, encoding="ascii") as f:
            key = f.read().strip()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertIn("UI       http://127.0.0.1:8080/?key=KEY\n", out)
        self.assertIn(f"key      {path}\n", out)
        self.assertNotIn(key, out)
        for part in ("daemons", "driver"):
            with open(os.path.join(self.run_directory(), "conf", part, "spark-defaults.conf"),
                      encoding="utf-8") as f:
                text = f.read()
            self.assertIn("spark.ui.filters org.sparkhpc.pages.KeyFilter\n", text)
            self.assertIn(f"spark.org.sparkhpc.pages.KeyFilter.param.token {key}\n", text)
        self.spark_hpc("stop")
        self.assertFalse(os.path.exists(path))

    def test_encryption_is_one_switch(self):
        self.spark_hpc("start", "--set", "encryption=on")
        for part in ("daemons", "driver"):
            with open(os.path.join(self.run_directory(), "conf", part, "spark-defaults.conf"),
                      encoding="utf-8") as f:
                text = f.read()
            self.assertIn("spark.network.crypto.enabled true\n", text)
            self.assertIn("spark.network.crypto.authEngineVersion 2\n", text)
            self.assertIn("spark.io.encryption.enabled true\n", text)

    def test_sizes_can_be_set_at_the_start(self):
        cores = len(os.sched_getaffinity(0))
        if cores < 2:
            skip_or_fail("two executors need two cores")
        self.spark_hpc("start", "--set", "executors.per.node=2", "--set", "memory.overhead=0.25")
        with open(os.path.join(self.run_directory(), "conf", "driver", "spark-defaults.conf"),
                  encoding="utf-8") as f:
            self.assertIn(f"spark.executor.cores {cores // 2}\n", f.read())

    def test_a_second_start_is_refused_and_disturbs_nothing(self):
        self.spark_hpc("start")
        self.assertIn("has a cluster already", self.spark_hpc("start", check=False).stderr)
        self.assertEqual(self.spark_hpc("status").returncode, 0)


class EndTest(HereCase):
    def start_fails(self, fake, text, *arguments):
        done = self.spark_hpc("start", *arguments, env={"FAKE": fake}, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, text)
        self.assert_nothing_left()

    def test_a_master_that_dies_is_reported_with_its_words(self):
        self.start_fails("dies", "1 of 1 nodes didn't come: .*the master ended: ERROR Master: can't "
                                 "bind")

    def test_a_java_that_spark_does_not_run_on_is_named_in_the_one_line(self):
        self.make_java("21.0.1")
        said = r"\S+/jdk/bin/java is Java 21, but Spark 3.5 runs on 8, 11 and 17: set java.home .*"
        self.start_fails("", rf"\Aspark-hpc: 1 of 1 nodes didn't come: \w+: {said}\n\Z")
        self.make_java()
        self.spark_hpc("start")
        self.make_java("21.0.1")
        for verb in ("submit", "shell", "pyspark", "sql", "run-example", "connect"):
            done = self.spark_hpc(verb, check=False)
            self.assertRegex(done.stderr, rf"\Aspark-hpc: {said}\n\Z")
        self.make_java()

    def test_a_node_is_named_once(self):
        done = self.spark_hpc("start", "--set", "driver.memory=4000g", check=False)
        host = os.uname().nodename.split(".")[0]
        self.assertRegex(done.stderr, rf"\Aspark-hpc: 1 of 1 nodes didn't come: {host}: of its \d+ MB, ")
        self.assertEqual(done.stderr.split("(logs:")[0].count(host), 1)

    def test_a_worker_that_says_nothing_is_reported_in_time(self):
        self.start_fails("mute", "the worker isn't ready in time", "--set", "start.seconds=5")

    def test_daemons_that_do_not_end_are_killed(self):
        self.spark_hpc("start", env={"FAKE": "stubborn"})
        self.spark_hpc("stop", "--set", "stop.seconds=1")
        self.await_true("all is gone", lambda: not self.processes())
        self.spark_hpc("clean")

    def test_any_of_the_schedulers_signals_ends_all(self):
        for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGXCPU):
            self.spark_hpc("start")
            node = next(pid for pid, line in self.processes() if "node" in line)
            os.kill(node, number)
            self.await_true("all is gone", lambda: not self.processes())
            self.assert_nothing_left()

    def test_a_program_that_still_runs_on_it_ends_with_it(self):
        self.put("dist/bin/spark-submit", "#!/bin/sh\nexec sleep 600\n", 0o755)
        self.spark_hpc("start")
        program = subprocess.Popen(
            [os.path.join(self.home, "bin", "spark-hpc"), "submit", "program.py"],
            env=self.environment(SPARK_HPC_SESSION=str(self.session.pid)))
        self.addCleanup(program.wait)
        self.addCleanup(program.kill)
        self.await_true("it runs", lambda: [program.pid, ["sleep", "600", ""]] in self.processes())
        self.spark_hpc("stop")
        self.assertEqual(program.wait(PATIENCE), -signal.SIGTERM)
        self.assert_nothing_left()

    def test_the_cluster_ends_with_its_session(self):
        self.spark_hpc("start")
        self.end_session()
        self.await_true("all is gone", lambda: not self.processes())
        self.assert_nothing_left()

    def test_a_killed_daemon_ends_the_others_and_status_says_so(self):
        self.spark_hpc("start")
        worker = next(pid for pid, line in self.processes() if any("Worker" in w for w in line))
        os.kill(worker, signal.SIGKILL)
        self.await_true("all is gone", lambda: not self.processes())
        self.assertEqual(self.spark_hpc("status", check=False).returncode, 3)
        self.assert_nothing_left()

    def test_what_a_killed_cluster_left_the_next_start_and_clean_sweep(self):
        for sweep in ("start", "clean"):
            self.spark_hpc("start")
            self.kill_all()
            left, = os.listdir(self.at("scratch"))
            if sweep == "clean":
                self.assertEqual(self.spark_hpc("clean").stdout, "", "its session lives")
                self.end_session()
                self.assertIn(left, self.spark_hpc("clean").stdout)
                self.assertEqual(os.listdir(self.at("scratch")), [])
            else:
                self.spark_hpc("start")
                self.assertNotIn(left, os.listdir(self.at("scratch")))
                self.spark_hpc("stop")


if __name__ == "__main__":
    unittest.main()
