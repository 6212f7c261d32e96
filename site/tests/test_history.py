"""Event logs, which programs leave where event.log says, and the server that shows them."""

import os
import re
import stat
import unittest

from test_here import HereCase


class HistoryTest(HereCase):
    def of_drivers(self):
        with open(os.path.join(self.run_directory(), "conf", "driver", "spark-defaults.conf"),
                  encoding="utf-8") as f:
            return f.read()

    def assert_refused(self, text, *arguments):
        done = self.spark_hpc(*arguments, check=False)
        self.assertRegex(done.stderr, rf"\Aspark-hpc: [^\n]*{text}[^\n]*\n\Z")

    def test_by_default_programs_leave_no_event_log(self):
        self.spark_hpc("start")
        self.assertNotIn("spark.eventLog", self.of_drivers())
        self.assert_refused("event.log isn't set, so programs leave no event logs: set it ", "history")

    def test_a_directory_of_its_users_alone_is_made_for_them_and_a_users_own_settings_hold(self):
        self.settings("login.policy = allow", f"event.log = {self.at('events')}")
        self.put("users/spark-defaults.conf", "spark.eventLog.enabled false\n")
        self.spark_hpc("start", env={"SPARK_CONF_DIR": self.at("users")})
        self.assertEqual(stat.S_IMODE(os.stat(self.at("events")).st_mode), 0o700)
        lines = [line for line in self.of_drivers().splitlines() if "eventLog" in line]
        self.assertEqual(lines, ["spark.eventLog.enabled true", f"spark.eventLog.dir file:{self.at('events')}",
                                 "spark.eventLog.enabled false"])

    def test_the_server_has_pages_for_who_has_its_key(self):
        os.mkdir(self.at("events"))
        self.settings("login.policy = allow", f"event.log = {self.at('events')}", "network.ports = 41300-41400")
        out = self.spark_hpc("history").stdout
        port = re.search(r"(?m)^history  http://127\.0\.0\.1:(41[34]\d\d)/\?key=KEY$", out).group(1)
        key_file = re.search(r"(?m)^key      (.*)$", out).group(1)
        self.assertEqual(stat.S_IMODE(os.stat(key_file).st_mode), 0o600)
        with open(key_file, encoding="ascii") as f:
            key = f.read().strip()
        self.assertNotIn(key, out)
        directory = re.search("(?m)^SPARK_CONF_DIR=(.*)$", out).group(1)
        with open(os.path.join(directory, "spark-defaults.conf"), encoding="utf-8") as f:
            self.assertEqual(f.read().splitlines(), [
                "spark.ui.filters org.sparkhpc.pages.KeyFilter",
                f"spark.org.sparkhpc.pages.KeyFilter.param.token {key}",
                f"spark.history.fs.logDirectory file:{self.at('events')}", f"spark.history.ui.port {port}"])
        self.spark_hpc("history")
        with open(key_file, encoding="ascii") as f:
            self.assertEqual(f.read().strip(), key, "it stays")

    def test_what_is_wrong_is_one_line_with_the_remedy(self):
        for value, said in ((self.at("no", "events"), "there is no directory .*/no: correct the path"),
                            ("$NOT_SET/events", "that variable isn't set: name a directory")):
            self.settings("login.policy = allow", f"event.log = {value}")
            self.assert_refused(rf"event.log = {re.escape(value)}: {said}", "start")
        self.settings("login.policy = allow", f"event.log = {self.at('events')}")
        self.assert_refused("there is no directory .*events: spark-hpc start makes it", "history")


if __name__ == "__main__":
    unittest.main()
