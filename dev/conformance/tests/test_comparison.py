"""What counts as red: python3 -m unittest discover dev/conformance/tests"""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))

import comparison  # noqa: E402
import results  # noqa: E402
import suites  # noqa: E402
from known_failures import Known  # noqa: E402
from outcome import Outcome  # noqa: E402
from side import WHOLE, Ran  # noqa: E402

PASSED, SKIPPED = Outcome("passed"), Outcome("skipped")
FAILED = Outcome("failed", "1 did not equal 2", "SSuite.scala:7")
KNOWN = {("S", "t"): Known("SSuite.scala:7", "1 did not equal 2", "why")}


def kinds(patched, stock, known=None):
    return [row.kind for row in comparison.compare("S", patched, stock, known or {})]


class ComparisonTest(unittest.TestCase):
    def test_a_test_that_only_stock_passes_is_red(self):
        self.assertEqual(kinds({"t": FAILED}, {"t": PASSED}), ["red"])

    def test_a_test_that_is_skipped_or_gone_on_the_patched_side_is_red(self):
        self.assertEqual(kinds({"t": SKIPPED}, {"t": PASSED}), ["red"])
        self.assertEqual(kinds({}, {"t": PASSED}), ["red"])

    def test_a_suite_that_ended_its_jvm_is_red_with_all_its_tests(self):
        self.assertEqual(kinds({WHOLE: FAILED}, {"t": PASSED}), ["red", "red"])

    def test_the_reverse_is_red_on_stock(self):
        self.assertEqual(kinds({"t": PASSED}, {"t": FAILED}), ["red on stock"])

    def test_a_failure_on_both_sides_needs_an_explanation(self):
        self.assertEqual(kinds({"t": FAILED}, {"t": FAILED}), ["unexplained"])
        self.assertEqual(kinds({"t": FAILED}, {"t": FAILED}, KNOWN), ["explained"])
        self.assertEqual(kinds({"t": PASSED}, {"t": PASSED}, KNOWN), ["unexpected pass"])

    def test_a_failure_on_one_side_that_is_listed_is_explained(self):
        self.assertEqual(kinds({"t": FAILED}, {"t": PASSED}, KNOWN), ["explained difference"])
        self.assertEqual(kinds({"t": PASSED}, {"t": FAILED}, KNOWN), ["explained difference"])

    def test_an_explanation_is_of_one_assertion_and_what_it_says(self):
        others = FAILED._replace(message="3 did not equal 2"), FAILED._replace(place="SSuite.scala:8")
        for other in others:
            self.assertEqual(kinds({"t": other}, {"t": PASSED}, KNOWN), ["red"])
            self.assertEqual(kinds({"t": other}, {"t": FAILED}, KNOWN), ["unexplained"])

    def test_an_explanation_is_not_of_what_is_wrapped_around_the_cause(self):
        wrapped = Outcome("failed", "no space left", "SSuite.scala:7", "1 did not equal 2")
        self.assertEqual(kinds({"t": wrapped}, {"t": PASSED}, KNOWN), ["red"])

    def test_what_is_skipped_or_gone_is_not_explained(self):
        self.assertEqual(kinds({"t": SKIPPED}, {"t": PASSED}, KNOWN), ["red"])
        self.assertEqual(kinds({}, {"t": PASSED}, KNOWN), ["red"])

    def test_what_passes_in_a_second_run_is_unsteady(self):
        rows = comparison.compare("S", {"t": FAILED, "u": FAILED}, {"t": PASSED, "u": PASSED}, {})
        again = comparison.steadied(rows, {"t": PASSED, "u": FAILED}, None)
        self.assertEqual([row.kind for row in again], ["unsteady", "red"])


class FilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        file = self.folder / "file"
        file.write_text(text, encoding="utf-8")
        return file

    def test_a_list_gives_groups_and_flags(self):
        listed = suites.read(self.write("# why\n[one]\na.B ci\n\n[two]\nc.D junit\n"))
        self.assertEqual(listed, [suites.Suite("a.B", "one", False, True), suites.Suite("c.D", "two", True, False)])
        self.assertEqual([suite.name for suite in suites.select(listed, subset="ci")], ["a.B"])

    def test_a_bad_line_is_refused_with_its_number(self):
        for text in ("a.B\n", "[one]\na.B fast\n", "[one]\na.B\na.B\n"):
            with self.assertRaisesRegex(suites.Refusal, r"^file:\d"):
                suites.read(self.write(text))

    def test_results_read_back_only_with_the_same_key(self):
        ran = Ran({"S": {"t": Outcome("failed", "m", "p", "w")}}, {"S": 1.5}, 2)
        file = results.file(self.folder / "results", "stock-one", ["a"])
        results.save(file, ["a"], ran)
        self.assertEqual(results.load(file, ["a"]), ran)
        self.assertIsNone(results.load(file, ["b"]))


if __name__ == "__main__":
    unittest.main()
