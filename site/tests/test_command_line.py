"""What users type: verbs that are mistyped, the version, and what asks for more than warnings."""

import os
import unittest

from site_case import VERSION, SiteCase
from spark_hpc.command_line import VERBS, is_verbose


class CommandLineTest(SiteCase):
    def setUp(self):
        super().setUp()
        self.home = self.make_distribution()

    def spark_hpc(self, *arguments):
        return self.run_program(os.path.join(self.home, "bin", "spark-hpc"), *arguments, check=False)

    def test_a_mistyped_verb_is_one_line_with_the_nearest_and_all_that_users_have(self):
        all_of_them = ", ".join(VERBS)
        for typed, near in (("strat", "did you mean start? "), ("sumbit", "did you mean submit? "),
                            ("qqqq", "")):
            done = self.spark_hpc(typed, "x.py")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"spark-hpc: {typed}: there is no such command: {near}there are "
                                          f"{all_of_them}\n")
        for inner in ("node", "signal", "list-logs"):
            self.assertNotIn(inner, VERBS)

    def test_options_that_are_not_there_are_one_line(self):
        for arguments in (("start", "--node", "x"), ("doctor", "--jsn"), ("--versoin",), ("start", "--set")):
            done = self.spark_hpc(*arguments)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Aspark-hpc: [^\n]* --help says what it takes\n\Z")

    def test_help_and_no_verb_show_all(self):
        for arguments, code in ((("--help",), 0), ((), 2)):
            done = self.spark_hpc(*arguments)
            self.assertEqual(done.returncode, code)
            for verb in VERBS:
                self.assertIn(verb, done.stdout + done.stderr)

    def test_the_version_is_the_line_of_the_distribution(self):
        self.assertEqual(self.spark_hpc("--version").stdout,
                         f"Spark-HPC {VERSION}, Spark 3.5.9, Scala 2.12\n")
        os.unlink(self.at("dist", "RELEASE"))
        self.assertRegex(self.spark_hpc("--version").stderr, r"\Aspark-hpc: \S+/RELEASE: No such file [^\n]+\n\Z")

    def test_verbose_is_an_option_of_spark_submit_and_not_of_the_program(self):
        for line, wanted in (("--verbose x.py", True), ("--class C -v x.jar", True), ("x.py --verbose", False),
                             ("--conf a=b --supervise --verbose x.py", True), ("--conf=a=b --verbose", True),
                             ("--name --verbose x.py", False), ("", False)):
            self.assertEqual(is_verbose(line.split()), wanted, line)


if __name__ == "__main__":
    unittest.main()
