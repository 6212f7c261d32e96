"""Which event log spark-hpc report reads. The report itself is tested with Spark."""

import os
import re
import time
import unittest

from test_here import HereCase


class ReportTest(HereCase):
    def setUp(self):
        super().setUp()
        self.events = self.at("events")
        os.mkdir(self.events)

    def log(self, name, age=0):
        """The path of an event log that was written to `age` seconds ago."""
        path = os.path.join(self.events, name)
        with open(path, "w", encoding="utf-8"):
            pass
        os.utime(path, (time.time() - age,) * 2)
        return path

    def given(self, *arguments):
        out = self.spark_hpc("report", *arguments).stdout
        return re.search("(?m)^Report was given: org.apache.spark.hpc.report.Report (.*)$", out).group(1)

    def with_logs(self):
        self.settings("login.policy = allow", f"event.log = {self.events}")

    def test_a_log_by_its_path_with_options(self):
        self.settings("login.policy = allow")
        self.assertEqual(self.given("--html", "F", "/logs/app-1"), "--html F /logs/app-1")

    def test_an_application_by_its_id_in_event_log(self):
        self.with_logs()
        self.assertEqual(self.given("app-1"), f"--directory {self.events} app-1")
        self.assertEqual(self.given("--compare", "app-1", "app-2"),
                         f"--directory {self.events} --compare app-1 app-2")

    def test_the_last_log_if_none_is_named(self):
        self.with_logs()
        self.log("app-1", age=100)
        last = self.log("app-2.inprogress", age=10)
        self.log("app-0", age=1000)
        self.assertEqual(self.given("--json", "F"), f"--directory {self.events} --json F {last}")

    def test_no_log_is_one_line_with_the_remedy(self):
        self.settings("login.policy = allow")
        self.assertRegex(self.spark_hpc("report", check=False).stderr,
                         r"\Aspark-hpc: event.log isn't set[^\n]*: name one: spark-hpc report LOG\n\Z")
        self.with_logs()
        self.assertRegex(self.spark_hpc("report", check=False).stderr,
                         r"\Aspark-hpc: there is no event log in [^\n]*\n\Z")

    def test_help(self):
        self.assertIn("--compare LOG LOG", self.spark_hpc("report", "--help").stdout)

    def stopped(self, **env):
        self.spark_hpc("start")
        return self.spark_hpc("stop", env=env).stdout

    def test_stop_ends_with_the_conclusion_on_the_clusters_last_program(self):
        self.with_logs()
        # Another job's program, whose log is newer.
        self.log("app-9")
        self.assertIn("Report was given: org.apache.spark.hpc.report.Report "
                      f"--directory {self.events} --brief app-20260101000000-0000\n", self.stopped())

    def test_stop_says_nothing_without_event_logs_or_if_the_log_cannot_be_read(self):
        self.settings("login.policy = allow")
        self.assertRegex(self.stopped(), r"\Astopped; logs: [^\n]*\n\Z")
        self.with_logs()
        self.assertRegex(self.stopped(FAKE="unreadable"), r"\Astopped; logs: [^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
