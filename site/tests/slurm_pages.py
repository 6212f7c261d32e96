"""What the documentation's pages tell users to do, with the distribution on a real Slurm."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import pages
from site_case import skip_or_fail
from slurm_case import ARCHIVE, LMOD, ROOT, SlurmCase, environments, run

JOB_PATIENCE = 1500  # seconds; a job of these pages runs several programs
# What pip installs for clients of Connect; its own Python may be one that other users can't run.
PACKAGES = ROOT / "dev" / "e2e" / "target" / "python" / "lib"
JUPYTER_PACKAGE = "jupyterlab==4.4.5"
# One cluster for all that the page has: its own commands, with Jupyter's and Connect's before the last of them,
# the stop. What one part does wrong must not keep the others from being seen.
JOB = """\
{session}
bash -eu jupyter.sh >jupyter.out 2>&1 || echo "jupyter.sh ended with $?"
spark-hpc connect >server.out 2>server.log &
server=$!
bash -eu connect.sh $server >connect.out 2>&1 || echo "connect.sh ended with $?"
{stop}
wait $server || echo "the server ended with $?"
"""
# The server's own Python is that of the environment; its executors' is the copy's.
JUPYTER = """\
PATH={env}/bin:$PATH spark-hpc notebook >notebook.out 2>notebook.log &
trap "kill $!" EXIT
{env}/bin/python {directory}/cells.py
"""
CLIENT = """\
from pyspark.sql import SparkSession

print("sum:", SparkSession.builder.getOrCreate().range(1000).groupBy().sum().first()[0])
"""
# As a user does it, with the line that status prints; and as somebody who hasn't the key.
CONNECT = """\
until line=$(spark-hpc status | sed -n 's/^connect *//p') && [ "$line" ]; do kill -0 $1; sleep 1; done
eval "export $line PYTHONPATH=$PYTHONPATH:$(echo {packages}/python3*/site-packages)"
python3 client.py
if SPARK_REMOTE=${{SPARK_REMOTE%%;*}} python3 client.py; then exit 1; fi
"""
# Spark logs it if an executor is gone when the driver has just stopped, as on a busy machine, with some twenty lines.
LATE_EXECUTOR = re.compile(r"(?m)^.* ERROR Inbox: Ignoring error\njava\.util\.concurrent\.RejectedExecutionException: "
                           r".*\n(?:\s+at .*\n)+")


class PagesTest(SlurmCase):
    """Tests of one page look at the same job, which the first of them starts."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.user = cls.users[0]
        cls.jobs = {}
        # Of the distribution: those from which the page's executors ran with class data.
        cls.copies = set()
        cls.why_no_jupyter = None

    def await_page(self):
        """What the job with the how-to's commands has said."""
        if "page" not in self.jobs:
            # It takes the other node meanwhile.
            self.own_cluster()
            self.jobs["page"] = self.submit_page()
        return self.await_completed(self.jobs["page"], self.user.at("how-to.out"), seconds=JOB_PATIENCE,
                                    meanwhile=lambda: self.copies or self.copies.update(self.copies_with_class_data()))

    def submit_page(self):
        for name, text in pages.files("how-to").items():
            self.user.put(name, text)
        # The program of the page takes seconds.
        session = [block.replace(".unit=minutes", ".unit=seconds") for block in pages.of("how-to", "session")]
        self.assertEqual(session[0], "spark-hpc start --stage\n")
        self.assertIn("spark-hpc stop\n", session[-1])
        env = os.path.join(self.directory, "jupyter")
        type(self).why_no_jupyter = self.install_jupyter(env)
        if self.why_no_jupyter is None:
            session[0] = f"spark-hpc start --stage --stage-python {env}\n"
        self.user.put("jupyter.sh", JUPYTER.format(env=env, directory=self.directory))
        self.user.put("connect.sh", CONNECT.format(packages=PACKAGES))
        self.user.put("client.py", CLIENT)
        commands = JOB.format(session="\n".join(session[:-1]), stop=session[-1])
        return self.user.submit("how-to", commands, "--nodes=1", "--nodelist=n0", "--exclusive")

    @staticmethod
    def install_jupyter(env):
        """Makes an environment with it; the reason if that can't be done."""
        # Debian's Python, which each user can run, needn't have pip.
        run(["/usr/bin/python3", "-m", "venv", "--without-pip", env])
        done = subprocess.run([sys.executable, "-m", "pip", "--python", f"{env}/bin/python", "install", "-q",
                               JUPYTER_PACKAGE], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return None
        return f"pip can't install {JUPYTER_PACKAGE}: {(done.stderr.splitlines() or [''])[-1]}"

    def own_cluster(self):
        """The job of a program with a cluster of its own."""
        if "session" not in self.jobs:
            self.jobs["session"] = self.user.submit("session", f"python3 {self.directory}/session.py", "--nodes=1",
                                                    "--nodelist=n1", "--exclusive")
        return self.jobs["session"]

    def copies_with_class_data(self):
        """The distributions in scratch from which executors run whose JVM has mapped an archive there."""
        for pid, env in environments():
            home = dict(word.split("=", 1) for word in env if "=" in word).get("SPARK_HOME", "")
            if not home.startswith(f"{self.scratch}/"):
                continue
            process = pathlib.Path(f"/proc/{pid}")
            try:
                line = (process / "cmdline").read_text(encoding="utf-8")
                maps = (process / "maps").read_text(encoding="utf-8")
            except OSError:
                continue
            if "CoarseGrainedExecutorBackend" in line and f" {home}/class-data/small.jsa\n" in maps:
                yield home

    def test_what_the_page_says_works_in_a_job(self):
        out = self.await_page()
        self.assertTrue(self.copies, "an executor runs from a copy, and from the class data in it")
        self.assertIn("even numbers: 500\n", out)
        self.assertIn("odd numbers: 500\n", out)
        self.assertIn("highest rank: ann\n", out)
        ranks = [line.split("\t") for path in pathlib.Path(self.user.at("my-ranks")).glob("part-*")
                 for line in path.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(sorted(vertex for vertex, _ in ranks), ["1", "2", "3", "4"])
        self.assertRegex(out, r"(?m)^\S+\.hpc\.patchedComponents\n +value = 4$")
        self.assert_nothing_left()

    def test_a_connect_server_of_a_job_answers_its_users_clients_alone(self):
        if not PACKAGES.exists():
            skip_or_fail(f"{PACKAGES} is missing: dev/e2e/make-python VERSION dev/e2e/target/python")
        if not self.has_archive():
            skip_or_fail("without an archive, no Connect server is installed: dev/make-distribution.sh --tgz")
        out = self.await_page()
        said = self.user.get("connect.out")
        self.assertNotIn("connect.sh ended", out, said)
        self.assertIn("sum: 499500\n", said)
        self.assertRegex(said, r"(?m)^.*UNAUTHENTICATED\b.*$")
        self.assertRegex(out, r"(?m)^the server ended with 143$")
        self.assertRegex(self.user.get("server.out"), r"(?m)^connect  SPARK_REMOTE=\"sc://[\d.]+:\d+/;")
        self.assert_nothing_left()

    def test_a_cell_of_jupyter_runs_on_the_jobs_executors_in_the_copy_of_its_environment(self):
        out = self.await_page()
        if self.why_no_jupyter is not None:
            skip_or_fail(self.why_no_jupyter)
        said = self.user.get("jupyter.out")
        self.assertNotIn("jupyter.sh ended", out, said)
        self.assertIn("without the token: 403\n", said)
        self.assertIn("sum: 499500\n", said)
        self.assertRegex(said, r"(?m)^master: spark://")
        self.assertRegex(said, rf"(?m)^executor's Python: {self.scratch}/[^/]+/.*python$")
        self.assert_nothing_left()

    def test_the_tutorial_ranks_a_graph_and_leaves_nothing(self):
        if not self.has_archive():
            skip_or_fail(f"{ARCHIVE.name} is missing, or older than dist/: dev/make-distribution.sh --tgz")
        script = pages.files("tutorial")["rank.sh"].replace("/apps/spark-hpc", self.prefix)
        # A site's shells know the command module by themselves.
        self.assertIn("\nmodule use", script)
        self.user.put("rank.sh", script.replace("\nmodule use", f"\n. {LMOD}\nmodule use", 1))
        login, = pages.of("tutorial", "login")
        said = self.user.run("bash", "-euc", login).stdout
        job = said.split("Submitted batch job ")[1].split()[0]
        out = self.await_completed(job, self.user.at(f"slurm-{job}.out"))
        self.assertRegex(out, r"(?m)^place +rank +id")
        self.assertLess(len(LATE_EXECUTOR.sub("", out).splitlines()), 60, out)
        self.assertRegex(out, r"(?m)^workers  2: n0, n1$")
        self.assertRegex(out, r"(?m)^tunnel   ssh -N -L 8080:127\.0\.0\.1:\d+ \w+@\S+ ")
        self.assertTrue(list(pathlib.Path(self.user.at("ranks")).glob("part-*")))
        self.assert_nothing_left()

    def test_a_python_programs_own_cluster_has_pages_for_its_user_alone(self):
        out = self.await_completed(self.own_cluster(), self.user.at("session.out"))
        for line in ("count 1000", "page: 403 403 302 200", "master's: 403 403 302 200",
                     "for scripts: 403 403 302 200", "by the master's: 403 403 302 200", "for Prometheus: 403 403 200",
                     "key on a page: False"):
            self.assertIn(f"{line}\n", out)
        self.assertEqual(out.count("cookie: HttpOnly Path=/ SameSite=Strict\n"), 4)
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
