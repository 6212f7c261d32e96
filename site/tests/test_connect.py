"""spark-hpc connect, with an imitation of Spark: whose server it is, and where its clients are told."""

import os
import re
import socket
import stat
import unittest

from test_here import HereCase


class ConnectTest(HereCase):
    def key_file(self):
        return os.path.join(self.run_directory(), "connect-key")

    def test_it_is_sparks_server_on_a_port_of_the_sites_and_its_users_alone(self):
        self.settings("login.policy = allow", "network.ports = 41200-41300")
        self.spark_hpc("start")
        with open(self.key_file(), encoding="ascii") as f:
            key = f.read().strip()
        self.assertGreaterEqual(len(key), 32)
        self.assertEqual(stat.S_IMODE(os.stat(self.key_file()).st_mode), 0o600)
        out = self.spark_hpc("connect", "--executor-cores", "1").stdout
        port = re.search(r"(?m)^spark-submit was given: .* --class \S+\.SparkConnectServer .* --conf "
                         r"spark\.connect\.grpc\.binding\.port=(41[23]\d\d) --executor-cores 1$", out).group(1)
        self.assertIn(f'connect  SPARK_REMOTE="sc://127.0.0.1:{port}/;x-spark-hpc-key='
                      f'$(cat {self.key_file()})"\n', out)
        self.assertNotIn(key, out, "it isn't printed where others may read it")
        directory = re.search("^SPARK_CONF_DIR=(.*)$", out, re.M).group(1)
        with open(os.path.join(directory, "spark-defaults.conf"), encoding="utf-8") as f:
            settings = dict(line.split(" ", 1) for line in f.read().splitlines())
        interceptor = "org.sparkhpc.pages.ConnectKey"
        self.assertEqual(settings["spark.connect.grpc.interceptor.classes"], interceptor)
        self.assertEqual(settings[f"spark.{interceptor}.file"], self.key_file())

    def test_status_names_a_server_that_answers_and_stop_forgets_its_key(self):
        self.spark_hpc("start")
        self.assertNotIn("connect", self.spark_hpc("status").stdout)
        out = self.spark_hpc("connect").stdout
        port = int(re.search(r"sc://127\.0\.0\.1:(\d+)/", out).group(1))
        self.assertNotIn("connect", self.spark_hpc("status").stdout, "the imitation has ended")
        with socket.create_server(("127.0.0.1", port)):
            self.assertIn(f'SPARK_REMOTE="sc://127.0.0.1:{port}/;x-spark-hpc-key=',
                          self.spark_hpc("status").stdout)
        self.spark_hpc("stop")
        self.assertFalse(os.path.exists(self.key_file()))

    def test_a_distribution_without_the_server_says_so(self):
        os.remove(os.path.join(self.home, "jars", "spark-connect_2.12-3.5.7.jar"))
        done = self.spark_hpc("connect", check=False)
        self.assertIn("dist/jars has no spark-connect_*.jar", done.stderr)
        self.assertIn("how-to.md, Spark Connect, says how to add", done.stderr)

    def test_without_a_cluster_it_says_so(self):
        done = self.spark_hpc("connect", check=False)
        self.assertIn("no cluster: spark-hpc start", done.stderr)


if __name__ == "__main__":
    unittest.main()
