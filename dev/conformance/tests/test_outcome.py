"""What a report says about a failure: python3 -m unittest discover dev/conformance/tests"""

import pathlib
import sys
import tempfile
import unittest
from xml.sax.saxutils import escape, quoteattr

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))

from outcome import Outcome, outcomes, said  # noqa: E402

ASSERTION = """
      org.scalatest.exceptions.TestFailedException: 0 did not equal 32
      at org.scalatest.Assertions.newAssertionFailedException(Assertions.scala:472)
      at org.scalatest.funsuite.AnyFunSuite.newAssertionFailedException(AnyFunSuite.scala:1564)
      at org.apache.spark.scheduler.SparkListenerSuite.$anonfun$new$38(SparkListenerSuite.scala:351)
      at org.apache.spark.scheduler.SparkListenerSuite.$anonfun$new$35(SparkListenerSuite.scala:344)
      at org.apache.spark.SparkFunSuite.withFixture(SparkFunSuite.scala:227)
"""
WRAPPED = """
      java.lang.Exception: Failed with spark.shuffle.compress=true
      at org.apache.spark.ShuffleSuite.$anonfun$new$20(ShuffleSuite.scala:272)
      Cause: org.scalatest.exceptions.TestFailedException: List() was empty
      at org.scalatest.Assertions.newAssertionFailedException(Assertions.scala:472)
      at org.apache.spark.ShuffleSuite.$anonfun$new$20(ShuffleSuite.scala:267)
"""
IN_TASK = """
      org.apache.spark.SparkException: Job aborted
      at org.apache.spark.scheduler.DAGScheduler.abort(DAGScheduler.scala:9)
      at org.apache.spark.ShuffleSuite.$anonfun$new$20(ShuffleSuite.scala:266)
      Cause: java.io.IOException: No space left on device
      at java.base/java.io.FileOutputStream.write(FileOutputStream.java:1)
"""


class OutcomeTest(unittest.TestCase):
    def outcomes(self, cases):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(f"<testsuite>{cases}</testsuite>")
            file.flush()
            return outcomes(pathlib.Path(file.name))

    def failure(self, message, text):
        failure = f"<failure message={quoteattr(message)}>{escape(text)}</failure>"
        return self.outcomes(f"<testcase name='t'>{failure}</testcase>")["t"]

    def test_a_failed_assertion_has_the_line_of_the_test(self):
        expected = Outcome("failed", "0 did not equal 32", "SparkListenerSuite.scala:351")
        self.assertEqual(self.failure("0 did not equal 32", ASSERTION), expected)

    def test_of_a_wrapped_one_the_root_cause_counts(self):
        its = self.failure("Failed with spark.shuffle.compress=true", WRAPPED)
        around = "Failed with spark.shuffle.compress=true"
        self.assertEqual(its, Outcome("failed", "List() was empty", "ShuffleSuite.scala:267", around))
        self.assertEqual(said(its), f"ShuffleSuite.scala:267: List() was empty ({around})")

    def test_a_cause_in_another_thread_has_the_line_that_waited_for_it(self):
        its = self.failure("Job aborted", IN_TASK)
        self.assertEqual((its.message, its.place), ("No space left on device", "ShuffleSuite.scala:266"))

    def test_a_failure_without_a_line_of_a_test_has_no_place(self):
        frame = "at org.apache.spark.SparkFunSuite.a(SparkFunSuite.scala:1)"
        its = self.failure("", f"java.lang.NullPointerException\n {frame}")
        self.assertEqual((its.message, its.place), ("", ""))
        self.assertTrue(said(its).startswith("no line of a test"))

    def test_collections_that_differ_in_order_alone_are_told_from_those_with_other_elements(self):
        one, same = "Array(Array(2, 1), Array(3))", "Array(Array(1, 2), Array(3))"
        other = "Array(Array(1, 3), Array(2))"
        said = "each with the same elements in another order: "
        self.assertEqual(self.failure(f"{one} did not equal {same}", "").message, f"{said}{one} did not equal {same}")
        self.assertEqual(self.failure(f"{one} did not equal {other}", "").message, f"{one} did not equal {other}")
        long = ", ".join(map(str, range(1000)))
        self.assertTrue(self.failure(f"A(B({long})) did not equal A(B(1, {long}))", "").message.startswith("A(B(0, "))
        self.assertTrue(self.failure(f"A(B({long})) did not equal A(B(999, {long[:-5]}))", "").message.startswith(said))

    def test_the_worst_outcome_of_a_test_that_ran_twice_counts(self):
        found = self.outcomes("<testcase name='t'/><testcase name='t'><failure message='m'/></testcase>"
                              "<testcase name='t'/><testcase name='u'><skipped/></testcase>")
        self.assertEqual(found, {"t": Outcome("failed", "m"), "u": Outcome("skipped")})


if __name__ == "__main__":
    unittest.main()
