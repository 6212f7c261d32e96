"""The published sparkctl, installed by pip, with dist/ as its Spark: site/run-tests --sparkctl."""

import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import sys

import pages
from site_case import skip_or_fail
from slurm_case import COMPILE_QUICKLY, DIST, SlurmCase, run

# Its defaults want nodes of six cores and 28 GB, which this host needn't have: Slurm is told of more than
# there is and binds no task to it, and Java says that it has as many.
CORES = 6
JAVA = f"{COMPILE_QUICKLY} -XX:ActiveProcessorCount={CORES}"
# Its commands are Python that pip hasn't compiled: the first of them does it for the others.
IMITATED = f"export SLURM_CPU_BIND=none JDK_JAVA_OPTIONS='{JAVA}'\nunset PYTHONDONTWRITEBYTECODE\n"


class SparkctlTest(SlurmCase):
    slurm_options = ("--cores", str(CORES), "--memory", "36000")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.venv = os.path.join(cls.directory, "venv")
        run([sys.executable, "-m", "venv", "--without-pip", cls.venv])
        # Compiling all that comes with it, such as pandas and plotly, would take longer than the test.
        done = subprocess.run([sys.executable, "-m", "pip", "--python", f"{cls.venv}/bin/python", "install", "-q",
                               "--no-compile", "sparkctl"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            skip_or_fail(f"pip can't install sparkctl: {(done.stderr.strip().splitlines() or [''])[-1]}")

    @classmethod
    def install(cls):
        # A single test starts too few processes for class data to be worth their time.
        cls.prefix = os.path.join(cls.directory, "apps")
        run([str(DIST / "sbin" / "hpc-install"), "--prefix", cls.prefix, "--no-class-data"])

    @staticmethod
    def user_names():
        """The caller: no other user may be able to run his Python."""
        return [pwd.getpwuid(os.getuid()).pw_name]

    def test_the_published_one_starts_runs_and_stops_a_cluster_by_its_defaults(self):
        user = self.users[0]
        user.put("count.py", pages.files("how-to")["count.py"])
        java = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("java"))))
        block, = pages.of("coming-from", "sparkctl")
        found = f"export JAVA_HOME={java} PATH={self.venv}/bin:$PATH\n"
        job = user.submit("sparkctl", IMITATED + found + block, "--nodes=2", "--exclusive", "--mem=36000")
        out = self.await_completed(job, user.at("sparkctl.out"))
        self.assertIn("even numbers: 500\n", out)
        log, = pathlib.Path(user.at("spark_scratch", "logs")).glob("*.master.Master-1-*.out")
        workers = re.findall(r" Registering worker (\S+)", log.read_text(encoding="utf-8"))
        self.assertEqual(len(set(workers)), 2)
        self.assertEqual(self.listening(), [])

    def listening(self):
        """Of the master's port, that it is closed."""
        with socket.socket() as probe:
            return [] if probe.connect_ex((socket.gethostname(), 7077)) else [7077]


if __name__ == "__main__":
    unittest.main()
