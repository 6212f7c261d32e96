"""Counts from the frameworks' reports and last lines."""

import pathlib
import tempfile
import unittest

from testing.counts import Counts, failures_of_unittest, of_report, of_unittest

REPORT = """<testsuite name="a.BSuite" time="2.5" tests="3" failures="1" errors="0" skipped="1">
<testcase classname="a.BSuite" name="one" time="1.0"/>
<testcase classname="a.BSuite" name="two" time="1.0"><failure message="x" type="T">1 did not equal 2
	at a.B.c(B.scala:3)
more</failure></testcase>
<testcase classname="a.BSuite" name="three" time="0.5"><skipped/></testcase>
</testsuite>"""

FAILURES = f"""..FE
{"=" * 70}
ERROR: setUpClass (jobs.OtherTest)
{"-" * 70}
Traceback (most recent call last):
OSError: gone

{"=" * 70}
FAIL: test_a (jobs.JobsTest.test_a) (page='one')
What it shows.
{"-" * 70}
AssertionError: 1 != 2

{"=" * 70}
FAIL: test_a (jobs.JobsTest.test_a) (page='two')
{"-" * 70}
AssertionError: 3 != 4

{"=" * 70}
FAIL: test_b (jobs.JobsTest)
{"-" * 70}
AssertionError: as Python 3.10 says it

{"-" * 70}
Ran 5 tests in 0.001s

FAILED (failures=3, errors=1)
"""


class CountsTest(unittest.TestCase):
    def test_a_report_of_scalatest(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "TEST-a.BSuite.xml")
            file.write_text(REPORT, encoding="utf-8")
            counts, lines, seconds = of_report(file)
        self.assertEqual(counts, Counts(1, 1, 1))
        self.assertEqual(seconds, 2.5)
        self.assertEqual(lines, ["failed: a.BSuite: two\n    1 did not equal 2\n    more", "skipped: a.BSuite: three"])

    def test_runs_of_unittest(self):
        log = "x\n----\nRan 5 tests in 0.1s\n\nOK (skipped=2)\ny\nRan 3 tests in 2s\n\nFAILED (failures=1, errors=1)\n"
        self.assertEqual(of_unittest(log), Counts(3 + 1, 2, 2))
        self.assertEqual(of_unittest("Ran 1 test in 0s\n\nOK\n"), Counts(1, 0, 0))
        self.assertEqual(of_unittest("nothing"), Counts())

    def test_failures_of_unittest_by_the_names_that_its_patterns_take(self):
        found = failures_of_unittest(FAILURES)
        self.assertEqual(list(found), ["jobs.OtherTest.*", "jobs.JobsTest.test_a", "jobs.JobsTest.test_b"])
        self.assertIn("OSError: gone", found["jobs.OtherTest.*"])
        self.assertNotIn("!=", found["jobs.OtherTest.*"])
        self.assertRegex(found["jobs.JobsTest.test_a"], "(?s)one.*1 != 2.*two.*3 != 4")

    def test_a_log_that_does_not_name_all_failures_names_none(self):
        self.assertEqual(failures_of_unittest(FAILURES.replace("errors=1", "errors=2")), {})
        self.assertEqual(failures_of_unittest(FAILURES + FAILURES), {})
        self.assertEqual(failures_of_unittest(FAILURES.replace("jobs.JobsTest", "unittest.loader._FailedTest")), {})
        self.assertEqual(failures_of_unittest("nothing"), {})


if __name__ == "__main__":
    unittest.main()
