"""What drivers print: warnings unless they are asked for more, and nothing over a user's own choice."""

import os
import pathlib
import pty
import re
import subprocess
import unittest

from site_case import SITE, skip_or_fail
from spark_hpc import driver_log
from test_here import HereCase


class TextTest(unittest.TestCase):
    def setUp(self):
        path = pathlib.Path(SITE).parent / "dev" / "distribution" / "conf" / "log4j2.properties.template"
        if not path.exists():
            skip_or_fail(f"{path} is missing")
        self.template = path.read_text(encoding="utf-8")

    def test_the_lines_of_ours_stay_unless_all_are_shown(self):
        ours = "org.apache.spark.storage.hpc.patch.HpcBlockManager"
        for level in ("ERROR", "WARN"):
            text = driver_log.text(self.template, level)
            self.assertIn(ours, text)
            self.assertIn(f"\nrootLogger.level = {level.lower()}\n", text)
        text = driver_log.text(self.template, "INFO")
        self.assertNotIn(ours, text)
        self.assertNotIn("warn", re.sub("(?m)^#.*$", "", text))
        self.assertEqual(text.count(" = info\n"), 5)


class DriverLogTest(HereCase):
    def conf_directory(self, *arguments, verb="submit", **env):
        """The driver's configuration directory."""
        out = self.spark_hpc(verb, *arguments, "x.py", env=env).stdout
        return re.search("^SPARK_CONF_DIR=(.*)$", out, re.M).group(1)

    def level(self, *arguments, **named):
        with open(os.path.join(self.conf_directory(*arguments, **named), driver_log.FILE), encoding="utf-8") as f:
            levels = re.findall(r"(?m)^rootLogger\.(?:level|appenderRef.console.level) = (\w+)$", f.read())
        self.assertEqual(levels, 2 * levels[:1])
        return levels[0].upper()

    def test_it_is_warnings_unless_somebody_asks_for_more(self):
        self.spark_hpc("start")
        for verb in ("submit", "shell", "pyspark", "sql", "run-example", "connect"):
            self.assertEqual(self.level(verb=verb), "WARN")
        self.assertEqual(self.level("--verbose"), "INFO")
        self.put("home/.config/spark-hpc.conf", "log.level = ERROR\n")
        self.assertEqual(self.level(), "ERROR")
        self.assertEqual(self.level("--verbose"), "INFO")

    def test_a_log4j2_file_of_the_users_own_is_left_as_it_is(self):
        for name in ("log4j2.properties", "log4j2.xml"):
            users = self.put(f"of-{name}/{name}", "mine")
            env = {"SPARK_CONF_DIR": os.path.dirname(users)}
            self.spark_hpc("start", env=env)
            for arguments in ((), ("--verbose",)):
                directory = self.conf_directory(*arguments, **env)
                self.assertEqual([each for each in os.listdir(directory) if each.startswith("log4j2")], [name])
                self.assertTrue(os.path.samefile(os.path.join(directory, name), users))
            self.spark_hpc("stop")

    def test_without_a_template_there_is_no_such_file(self):
        os.unlink(self.at("dist", "conf", "log4j2.properties.template"))
        self.spark_hpc("start")
        self.assertEqual(os.listdir(self.conf_directory()), ["spark-defaults.conf"])

    def test_executors_and_daemons_log_as_ever(self):
        self.spark_hpc("start")
        daemons = os.path.join(self.run_directory(), "conf", "daemons")
        self.assertEqual(os.listdir(daemons), ["spark-defaults.conf"])
        with open(os.path.join(self.conf_directory(), "spark-defaults.conf"), encoding="utf-8") as f:
            self.assertNotIn("spark.log.level", f.read())

    def test_on_a_terminal_there_is_a_bar_unless_the_user_says_otherwise(self):
        self.put("users/spark-defaults.conf", "spark.ui.showConsoleProgress false\n")
        self.spark_hpc("start", env={"SPARK_CONF_DIR": self.at("users")})
        self.assertNotIn("showConsoleProgress true", self.settings_of(self.conf_directory()))
        lines = [line for line in self.settings_of(self.on_a_terminal()).splitlines() if "Progress" in line]
        self.assertEqual(lines, ["spark.ui.showConsoleProgress true", "spark.ui.showConsoleProgress false"])
        self.assertNotIn("showConsoleProgress true", self.settings_of(self.on_a_terminal("--verbose")))

    def settings_of(self, directory):
        with open(os.path.join(directory, "spark-defaults.conf"), encoding="utf-8") as f:
            return f.read()

    def on_a_terminal(self, *arguments):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        env = self.environment(SPARK_HPC_SESSION=str(self.session.pid), JAVA_HOME=self.java_home)
        try:
            out = subprocess.run([os.path.join(self.home, "bin", "spark-hpc"), "submit", *arguments, "x.py"],
                                 env=env, stdout=subprocess.PIPE, stderr=slave, text=True, check=True).stdout
        finally:
            os.close(slave)
        return re.search("^SPARK_CONF_DIR=(.*)$", out, re.M).group(1)


if __name__ == "__main__":
    unittest.main()
