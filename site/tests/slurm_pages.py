"""What the documentation's pages tell users to do, with dist/ on a real Slurm."""

import os
import pathlib
import subprocess
import sys
import time
import unittest

import pages
from site_case import VERSION, skip_or_fail
from slurm_case import LMOD, ROOT, SlurmCase, environments, run

JOB_PATIENCE = 400  # seconds; a job of these pages runs several programs
# What pip installs for clients of Connect; its own Python may be one that other users can't run.
PACKAGES = ROOT / "dev" / "e2e" / "target" / "python" / "lib"
ARCHIVE = ROOT / f"spark-{VERSION}-bin-hpc.tgz"
CLIENT = """\
from pyspark.sql import SparkSession

print("sum:", SparkSession.builder.getOrCreate().range(1000).groupBy().sum().first()[0])
"""
# As a user does it, with the line that status prints; and as somebody who hasn't the key.
CONNECT = """\
spark-hpc start
spark-hpc connect >server.out 2>server.log &
until line=$(spark-hpc status | sed -n 's/^connect *//p') && [ "$line" ]; do sleep 1; done
eval "export $line PYTHONPATH=$PYTHONPATH:$(echo {packages}/python3*/site-packages)"
python3 client.py
SPARK_REMOTE=${{SPARK_REMOTE%%;*}} python3 client.py 2>&1 && exit 1
spark-hpc stop
wait $! || echo the server ended with $?
"""
# The server's own Python is that of the environment; its executors' is the copy's.
JUPYTER = """\
spark-hpc start --stage-python {env}
PATH={env}/bin:$PATH spark-hpc notebook >notebook.out 2>notebook.log &
{env}/bin/python {directory}/cells.py
kill $!
spark-hpc stop
"""
JUPYTER_PACKAGE = "jupyterlab==4.4.5"


class PagesTest(SlurmCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.users[0]

    def setUp(self):
        self.addCleanup(self.slurm, "exec", "--", "scancel", "--nodelist=n0,n1")

    def await_end(self, job, out):
        self.await_true(f"job {job} has ended",
                        lambda: self.user.state(job) in ("COMPLETED", "FAILED", "CANCELLED"),
                        JOB_PATIENCE)
        text = self.user.get(out)
        self.assertEqual(self.user.state(job), "COMPLETED", text)
        return text

    def test_the_tutorial_ranks_a_graph_and_leaves_nothing(self):
        if not ARCHIVE.exists():
            skip_or_fail(f"{ARCHIVE.name} is missing: dev/make-distribution.sh --tgz")
        start = time.monotonic()
        prefix = os.path.join(self.directory, "tutorial")
        work = os.path.join(self.directory, "download")
        os.mkdir(work)
        os.symlink(ARCHIVE, os.path.join(work, ARCHIVE.name))
        install, = pages.of("tutorial", "install")
        run(["bash", "-euc", install.replace("/apps/spark-hpc", prefix)], cwd=work)
        self.write_settings(prefix=prefix)
        script = pages.files("tutorial")["rank.sh"].replace("/apps/spark-hpc", prefix)
        # A site's shells know the command module by themselves.
        self.assertIn("\nmodule use", script)
        self.user.put("rank.sh", script.replace("\nmodule use", f"\n. {LMOD}\nmodule use", 1))
        login, = pages.of("tutorial", "login")
        said = self.user.run("bash", "-euc", login).stdout
        job = said.split("Submitted batch job ")[1].split()[0]
        out = self.await_end(job, f"slurm-{job}.out")
        took = time.monotonic() - start
        print(f"the tutorial took {took:.0f} s", flush=True)
        self.assertRegex(out, r"(?m)^place +rank +id")
        self.assertLess(len(out.splitlines()), 60, out)
        self.assertRegex(out, r"(?m)^workers  2: n0, n1$")
        self.assertRegex(out, r"(?m)^tunnel   ssh -N -L 8080:127\.0\.0\.1:\d+ \w+@\S+ ")
        self.assertTrue(list(pathlib.Path(self.user.at("ranks")).glob("part-*")))
        self.assert_nothing_left()

    def test_what_the_page_says_works_in_a_job(self):
        for name, text in pages.files("how-to").items():
            self.user.put(name, text)
        # The program of the page takes seconds.
        session = "\n".join(pages.of("how-to", "session")).replace(".unit=minutes", ".unit=seconds")
        job = self.user.submit("how-to", session, "--nodes=1", "--nodelist=n0", "--exclusive")
        self.await_true("an executor runs from a copy, and from the class data in it",
                        lambda: self.user.state(job) == "FAILED" or any(self.copies_with_class_data()))
        out = self.await_end(job, "how-to.out")
        self.assertIn("even numbers: 500\n", out)
        self.assertIn("odd numbers: 500\n", out)
        self.assertIn("highest rank: ann\n", out)
        ranks = [line.split("\t") for path in pathlib.Path(self.user.at("my-ranks")).glob("part-*")
                 for line in path.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(sorted(vertex for vertex, _ in ranks), ["1", "2", "3", "4"])
        self.assertRegex(out, r"(?m)^\S+\.hpc\.patchedComponents\n +value = 4$")
        self.assert_nothing_left()

    def copies_with_class_data(self):
        """The distributions in scratch from which executors run whose JVM has mapped an archive there."""
        for pid, env in environments():
            process = pathlib.Path(f"/proc/{pid}")
            try:
                line = (process / "cmdline").read_text(encoding="utf-8")
                maps = (process / "maps").read_text(encoding="utf-8")
            except OSError:
                continue
            home = dict(word.split("=", 1) for word in env if "=" in word).get("SPARK_HOME", "")
            if ("CoarseGrainedExecutorBackend" in line and home.startswith(f"{self.scratch}/")
                    and f" {home}/class-data/small.jsa\n" in maps):
                yield home

    def test_a_connect_server_of_a_job_answers_its_users_clients_alone(self):
        if not PACKAGES.exists():
            skip_or_fail(f"{PACKAGES} is missing: dev/e2e/make-python 3.5.7 dev/e2e/target/python")
        self.user.put("client.py", CLIENT)
        job = self.user.submit("connect", CONNECT.format(packages=PACKAGES), "--nodes=1",
                               "--nodelist=n1", "--exclusive")
        out = self.await_end(job, "connect.out")
        self.assertIn("sum: 499500\n", out)
        self.assertRegex(out, r"(?m)^.*UNAUTHENTICATED\b.*$")
        self.assertRegex(out, r"(?m)^the server ended with 143$")
        self.assertRegex(self.user.get("server.out"), r"(?m)^connect  SPARK_REMOTE=\"sc://[\d.]+:\d+/;")
        self.assert_nothing_left()

    def test_a_cell_of_jupyter_runs_on_the_jobs_executors_in_the_copy_of_its_environment(self):
        env = os.path.join(self.directory, "jupyter")
        # Debian's Python, which each user can run, needn't have pip.
        run(["/usr/bin/python3", "-m", "venv", "--without-pip", env])
        done = subprocess.run([sys.executable, "-m", "pip", "--python", f"{env}/bin/python", "install", "-q",
                               JUPYTER_PACKAGE], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            skip_or_fail(f"pip can't install {JUPYTER_PACKAGE}: {(done.stderr.splitlines() or [''])[-1]}")
        job = self.user.submit("jupyter", JUPYTER.format(env=env, directory=self.directory), "--nodes=1",
                               "--nodelist=n0", "--exclusive")
        out = self.await_end(job, "jupyter.out")
        self.assertIn("without the token: 403\n", out)
        self.assertIn("sum: 499500\n", out)
        self.assertRegex(out, r"(?m)^master: spark://")
        self.assertRegex(out, rf"(?m)^executor's Python: {self.scratch}/[^/]+/.*python$")
        self.assert_nothing_left()

    def test_a_python_programs_own_cluster_has_pages_for_its_user_alone(self):
        job = self.user.submit("session", f"python3 {self.directory}/session.py", "--nodes=1",
                               "--nodelist=n1", "--exclusive")
        out = self.await_end(job, "session.out")
        for line in ("count 1000", "page: 403 403 302 200", "master's: 403 403 302 200",
                     "for scripts: 403 403 302 200", "by the master's: 403 403 302 200", "key on a page: False"):
            self.assertIn(f"{line}\n", out)
        self.assertEqual(out.count("cookie: HttpOnly Path=/ SameSite=Strict\n"), 4)
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
