"""Spark from Python and in notebooks, with an imitation of Spark, of PySpark and of Jupyter."""

import os
import re
import sys
import unittest

from test_here import HereCase

# What spark_hpc.cluster() uses of PySpark; the session tells what it was made from.
_PYSPARK = """\
import os
import subprocess


class Gateway:
    def __init__(self):
        self.proc = subprocess.Popen(["cat"], stdin=subprocess.PIPE)

    def shutdown(self):
        print("gateway is shut down")


class SparkContext:
    _gateway = None
    _jvm = None
"""
_PYSPARK_SQL = """\
import os

from pyspark import Gateway, SparkContext


class SparkSession:
    class builder:
        given = {}

        @classmethod
        def config(cls, key, value):
            cls.given[key] = value
            return cls

        @classmethod
        def getOrCreate(cls):
            SparkContext._gateway = Gateway()
            SparkContext._jvm = object()
            session = SparkSession()
            session.conf, session.directory = dict(cls.given), os.environ["SPARK_CONF_DIR"]
            session.mark = os.environ["SPARK_HPC_NODE"]
            return session

    def stop(self):
        print("session is stopped")
"""


class SessionTest(HereCase):
    def python(self, text, pyspark=True, **more):
        self.put("stub/pyspark/__init__.py", _PYSPARK if pyspark else "raise ImportError\n")
        if pyspark:
            self.put("stub/pyspark/sql/__init__.py", _PYSPARK_SQL)
        path = f"{self.home}/site/lib:{self.at('stub')}"
        env = self.environment(**{"SPARK_HPC_SESSION": str(self.session.pid), "PYTHONPATH": path,
                                  "JAVA_HOME": self.java_home, **more})
        return self.run_program(sys.executable, "-B", "-c", "import os, spark_hpc\n" + text, env=env,
                                check=False)

    def test_a_session_has_the_clusters_settings_and_ends_with_it(self):
        done = self.python(
            "with spark_hpc.cluster(conf={'spark.x': '1'}, settings={'driver.memory': '2g'}) as s:\n"
            "    print('conf', s.conf)\n"
            "    print(open(os.path.join(s.directory, 'spark-defaults.conf')).read())\n"
            "print('after', os.environ.get('SPARK_CONF_DIR'), os.environ.get('PYSPARK_PYTHON'))\n")
        self.assertEqual(done.stderr, "")
        self.assertIn("conf {'spark.driver.host': '127.0.0.1', 'spark.driver.bindAddress': "
                      "'127.0.0.1', 'spark.x': '1'}\n", done.stdout)
        self.assertIn("spark.driver.memory 2048m\n", done.stdout)
        self.assertRegex(done.stdout, r"session is stopped\ngateway is shut down\nstopped; logs: .*\n"
                                      r"after None None\n\Z")
        self.assert_nothing_left()

    def test_what_the_program_starts_is_not_the_clusters_to_end(self):
        done = self.python("with spark_hpc.cluster() as s:\n"
                           "    print('Java', s.mark, 'others', os.environ.get('SPARK_HPC_NODE'))\n")
        self.assertRegex(done.stdout, rf"(?m)^Java here-\w+-{self.session.pid}-\S+ others None$")

    def test_a_program_that_fails_leaves_nothing(self):
        done = self.python("with spark_hpc.cluster() as spark:\n    raise ValueError('mine')\n")
        self.assertIn("ValueError: mine", done.stderr)
        self.assertIn("gateway is shut down\nstopped", done.stdout)
        self.assert_nothing_left()

    def test_two_one_after_the_other_are_two_clusters(self):
        done = self.python("for _ in range(2):\n    with spark_hpc.cluster() as spark:\n"
                           "        print(open(spark.directory + '/spark-defaults.conf').read())\n")
        self.assertEqual(len(set(re.findall(r"secret (\S+)", done.stdout))), 2, done.stderr)

    def test_a_cluster_that_is_there_is_used_and_stays(self):
        self.spark_hpc("start")
        self.assertEqual(self.python("with spark_hpc.cluster() as spark:\n    pass\n").returncode, 0)
        self.assertEqual(self.spark_hpc("status").returncode, 0)

    def test_what_is_wrong_is_said_in_one_line_with_the_remedy(self):
        for said, text, more in (
                ("there is no PySpark in .*/dist/python .*: install it again from the archive", "",
                 {"pyspark": False}),
                ("this Python process has a Spark already, .*: begin with spark_hpc.cluster.*",
                 "import pyspark\npyspark.SparkContext._gateway = 1\n", {}),
                ("this Python process has a Spark already, .* run the program by python", "",
                 {"PYSPARK_GATEWAY_PORT": "1"})):
            with self.subTest(said):
                done = self.python(text + "with spark_hpc.cluster():\n    pass\n", **more)
                self.assertRegex(done.stderr, rf"\Aspark_hpc: {said}\n\Z")
                self.assertEqual(done.returncode, 1)
                self.assertEqual(self.processes(), [])

    def test_outside_a_job_it_refuses_in_one_line(self):
        self.settings("login.policy = refuse")
        done = self.python("with spark_hpc.cluster():\n    pass\n")
        self.assertRegex(done.stderr, r"\Aspark_hpc: \S+, line \d+: login.policy = refuse: this isn't in an "
                                      r"allocation, .*: use sbatch or salloc first\n\Z")
        self.assertEqual(done.returncode, 1)

    def test_a_workstation_needs_no_settings_and_one_directory_on_the_path(self):
        os.unlink(self.at("dist", "conf", "site.conf"))
        self.put("dist/python/pyspark/__init__.py", _PYSPARK)
        self.put("dist/python/pyspark/sql/__init__.py", _PYSPARK_SQL)
        done = self.python("with spark_hpc.cluster() as s:\n    print('conf', s.conf)\n", PATH=self.tools(),
                           PYTHONPATH=f"{self.home}/site/lib", TMPDIR=self.at("scratch"))
        self.assertEqual(done.stderr, "")
        self.assertIn("conf {'spark.driver.host': ", done.stdout)
        self.assertEqual(self.processes(), [])


class NotebookTest(HereCase):
    def test_it_is_sparks_python_shell_in_the_sites_jupyter(self):
        path = self.tools("jupyter-notebook", "jupyter-lab")
        self.spark_hpc("start")
        out = self.spark_hpc("notebook", "--name", "x", env={"PATH": path}).stdout
        self.assertIn(f"PYSPARK_DRIVER_PYTHON={path}/jupyter-lab\n", out)
        self.assertRegex(out, r"(?m)^PYSPARK_DRIVER_PYTHON_OPTS=--no-browser --ip=127\.0\.0\.1 "
                              r"--port=\d+$")
        self.assertRegex(out, r"(?m)^pyspark was given: --conf .* --name x$")
        self.assertRegex(out, rf"(?m)^SPARK_CONF_DIR={self.at('scratch')}/[^/]+/driver-\w+/conf$")

    def test_its_token_is_not_in_a_jobs_output(self):
        path = self.tools("jupyter-lab")
        self.spark_hpc("start")
        out = self.spark_hpc("notebook", env={"PATH": path}).stdout
        file = os.path.join(self.run_directory(), "connect-key")
        with open(file, encoding="ascii") as f:
            key = f.read().strip()
        self.assertEqual([line for line in out.splitlines() if key in line], [f"JUPYTER_TOKEN={key}"],
                         "as the imitation prints its environment; Jupyter doesn't print one that it was given")
        self.assertIn(f"token    {file}\n", out)

    def test_its_port_is_one_of_the_sites(self):
        path = self.tools("jupyter-lab")
        self.settings("login.policy = allow", "network.ports = 41000-41100")
        self.spark_hpc("start")
        out = self.spark_hpc("notebook", env={"PATH": path}).stdout
        self.assertRegex(out, r"--port=41[01]\d\d\n")

    def test_no_jupyter_is_said_with_what_to_do(self):
        path = self.tools()
        self.spark_hpc("start")
        done = self.spark_hpc("notebook", env={"PATH": path}, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Aspark-hpc: no jupyter-lab or jupyter-notebook on PATH: load "
                                      r"[^\n]*jupyterlab[^\n]*\n\Z")

    def test_without_a_cluster_it_says_so(self):
        done = self.spark_hpc("notebook", check=False)
        self.assertIn("no cluster: spark-hpc start", done.stderr)


if __name__ == "__main__":
    unittest.main()
