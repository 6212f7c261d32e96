"""The published sparkctl, installed by pip, with dist/ as its Spark: site/run-tests --sparkctl."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import unittest

import pages
from site_case import SITE, SiteCase, skip_or_fail

DIST = pathlib.Path(SITE).parent / "dist"
# Its defaults are for nodes of 100 GB and more; and it knows Slurm and one host.
SIZES = "--executor-cores 1 --driver-memory-gb 1 --node-memory-overhead-gb 4"


class SparkctlTest(SiteCase):
    def setUp(self):
        super().setUp()
        if not (DIST / "bin" / "spark-submit").exists():
            skip_or_fail("dist/ is missing: dev/make-distribution.sh")
        subprocess.run([sys.executable, "-m", "venv", self.at("venv")], check=True)
        done = subprocess.run([self.at("venv", "bin", "pip"), "install", "-q", "sparkctl"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            skip_or_fail(f"pip can't install sparkctl: {(done.stderr.strip().splitlines() or [''])[-1]}")

    def test_the_published_one_starts_runs_and_stops_a_cluster(self):
        self.put("work/count.py", pages.files("how-to")["count.py"])
        block, = pages.of("coming-from", "sparkctl")
        script = block.replace("default-config", "default-config -e native").replace(
            "sparkctl configure", f"sparkctl configure {SIZES}")
        java = os.path.realpath(shutil.which("java"))
        env = self.environment(SPARK_HOME=str(DIST), JAVA_HOME=os.path.dirname(os.path.dirname(java)),
                               PATH=f"{self.at('venv', 'bin')}:{DIST}/bin:{os.environ['PATH']}")
        self.addCleanup(self.run_program, "sparkctl", "stop", check=False, env=env, cwd=self.at("work"))
        done = self.run_program("bash", "-euc", script, env=env, cwd=self.at("work"))
        self.assertIn("even numbers: 500\n", done.stdout)
        self.assertEqual(self.listening(), [])

    def listening(self):
        """Of the master's port, that it is closed."""
        with socket.socket() as probe:
            return [] if probe.connect_ex((socket.gethostname(), 7077)) else [7077]


if __name__ == "__main__":
    unittest.main()
