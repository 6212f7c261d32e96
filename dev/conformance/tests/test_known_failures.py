"""Which explanations are refused: python3 -m unittest discover dev/conformance/tests"""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
MODULE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(MODULE / "lib"))

import known_failures  # noqa: E402
from suites import Refusal  # noqa: E402


def read(text):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        return known_failures.read(pathlib.Path(file.name))


class KnownFailuresTest(unittest.TestCase):
    def refused(self, line, why):
        with self.assertRaisesRegex(Refusal, rf":1: .*{why}"):
            read(line + "\n")

    def test_an_entry_is_of_a_test_a_place_and_a_message(self):
        self.assertEqual(read("# why\na.B | t | BSuite.scala:7 | 0 did not equal 4 | as | ever\n"),
                         {("a.B", "t"): known_failures.Known("BSuite.scala:7", "0 did not equal 4", "as | ever")})

    def test_an_entry_without_the_line_that_fails_is_refused(self):
        for place in ("-", "BSuite", "BSuite.scala:", "BSuite.scala:0"):
            self.refused(f"a.B | t | {place} | 0 did not equal 4 | why", "is no line of a test")
        self.refused("a.B | t | 0 did not equal 4 | why", "needs class")

    def test_a_message_that_any_failure_of_the_test_has_is_refused(self):
        for message in ("did not equal", "was not equal to", "was false", "Array(", "Failed with", "-"):
            self.refused(f"a.B | t | BSuite.scala:7 | {message} | why", "say which values")
        message = "Expected exception a.X to be thrown"
        self.refused(f"a.B | t | BSuite.scala:7 | {message} | why", "whatever was thrown instead")
        self.refused("a.B | fails with SPARK-1 | BSuite.scala:7 | SPARK-1 | why", "test's name")

    def test_a_test_stands_there_once(self):
        line = "a.B | t | BSuite.scala:7 | 0 did not equal 4 | why\n"
        with self.assertRaisesRegex(Refusal, ":2: .*stands there already"):
            read(line + line)

    def test_the_lists_of_this_folder_are_accepted(self):
        files = sorted(MODULE.glob("known-failures*.txt"))
        self.assertGreaterEqual(len(files), 3)
        for file in files:
            self.assertTrue(known_failures.read(file), file)


if __name__ == "__main__":
    unittest.main()
