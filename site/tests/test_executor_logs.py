"""spark-hpc logs: where executors' logs are, while the cluster runs and afterwards, and what they say."""

import os
import unittest

from test_here import HereCase
from test_launched import HOST

APPLICATION = "app-20260101000000-0000"  # that of the imitation


class LogsTest(HereCase):
    def assert_refused(self, text, *arguments):
        done = self.spark_hpc("logs", *arguments, check=False)
        self.assertRegex(done.stderr, rf"\Aspark-hpc: [^\n]*{text}[^\n]*\n\Z")

    def write(self, application, executor, text):
        """As that executor does."""
        scratch, = os.listdir(self.at("scratch"))
        self.put(f"scratch/{scratch}/work/{application}/{executor}/stderr", text)

    def test_they_are_named_and_shown_while_the_cluster_runs(self):
        self.spark_hpc("start")
        self.write(APPLICATION, "11", "of eleven\n")
        self.write("app-20260101000000-0001", "0", "of the next\n")
        out = self.spark_hpc("logs").stdout.splitlines()
        self.assertEqual([line.split(": ")[0] for line in out], [
            f"{APPLICATION}  executor 0 on {HOST}", f"{APPLICATION}  executor 11 on {HOST}",
            f"app-20260101000000-0001  executor 0 on {HOST}"])
        for line in out:
            self.assertTrue(os.path.isfile(line.split(": ")[1]), line)
        shown = self.spark_hpc("logs", "11").stdout
        self.assertEqual(shown, f"==> {out[1].split(': ')[1]} on {HOST} <==\nof eleven\n")
        self.assertTrue(self.spark_hpc("logs", "0").stdout.endswith("<==\nof the next\n"), "of the last program")
        self.assertRegex(self.spark_hpc("logs", f"{APPLICATION}/0").stdout, r"<==\n0\d\d\d\n\Z")
        self.assert_refused(rf"executor 7 has no log; these have: {APPLICATION}/0, .*: name one", "7")

    def test_they_are_found_when_the_cluster_is_gone(self):
        self.assert_refused("no executor of this job has a log yet, .*: run a program")
        self.spark_hpc("start")
        self.spark_hpc("stop")
        kept = os.path.join(self.run_directory(), "logs", f"{APPLICATION}-{HOST}-0.stderr")
        self.assertEqual(self.spark_hpc("logs").stdout, f"{APPLICATION}  executor 0 on {HOST}: {kept}\n")
        self.assertRegex(self.spark_hpc("logs", "0").stdout, r"\A==> \S+ on \S+ <==\n0\d\d\d\n\Z")


if __name__ == "__main__":
    unittest.main()
