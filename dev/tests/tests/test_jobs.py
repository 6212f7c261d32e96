"""Jobs of Python's unittest: which of their tests run again, and what is recorded."""

import pathlib
import sys
import tempfile
import unittest

from testing import second_tries, summary
from testing.jobs import Unittest
from testing.lanes import Lanes

PLANTED = """\
import os
import pathlib
import unittest


class FirstTest(unittest.TestCase):
    def tearDown(self):
        with open("ran", "a", encoding="utf-8") as f:
            print(self.id(), file=f)

    def test_flake(self):
        self.fail_once("flake")

    def test_flake_has_a_longer_name_here(self):
        pass

    def test_bad(self):
        self.assertFalse("bad" in os.environ["PLANTED"], "always so")

    def fail_once(self, name):
        if name in os.environ["PLANTED"] and not pathlib.Path(name).exists():
            pathlib.Path(name).touch()
            self.fail("as planned")


class SecondTest(FirstTest):
    @classmethod
    def setUpClass(cls):
        cls.fail_once(cls(), "class")


if "end" in os.environ["PLANTED"]:
    os._exit(1)
"""


class UnittestTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "test_planted.py").write_text(PLANTED, encoding="utf-8")
        self.file = self.folder / "second-tries.tsv"
        self.said = []

    def run_twice(self, planted):
        """Returns whether the run passed, which tests ran again, and what was recorded."""
        command = [sys.executable, "-B", "-m", "unittest", "discover"]
        job = Unittest("tests-tool-planted", command, cwd=self.folder, env={"PLANTED": planted})
        first = Lanes(1, {}, self.said.append).run([job])
        (self.folder / "ran").unlink(missing_ok=True)
        again = second_tries.run(first, {}, self.said.append)
        passed = summary.passed(first, again, self.said.append, file=self.file)
        ran = (self.folder / "ran").read_text(encoding="utf-8").split() if (self.folder / "ran").exists() else []
        return passed, ran, second_tries.names(self.file)

    def test_only_the_test_that_failed_runs_again_and_is_recorded_with_its_job(self):
        passed, ran, recorded = self.run_twice("flake")
        self.assertTrue(passed)
        # Both classes have it, and the first of them that ran left the file.
        self.assertEqual(ran, ["test_planted.FirstTest.test_flake"])
        self.assertEqual(recorded, ["tests-tool-planted: test_planted.FirstTest.test_flake"])
        self.assertEqual(self.said[-1], "6 passed, 0 failed, 0 skipped")
        self.assertTrue(any("AssertionError: as planned" in said for said in self.said))

    def test_what_fails_twice_is_told_from_what_passes_then(self):
        passed, ran, recorded = self.run_twice("flake bad")
        self.assertFalse(passed)
        self.assertEqual(len(ran), 3)
        self.assertEqual(recorded, ["tests-tool-planted: test_planted.FirstTest.test_flake"])
        self.assertEqual(self.said[-1], "4 passed, 2 failed, 0 skipped")
        self.assertIn("failed twice: tests-tool-planted: test_planted.SecondTest.test_bad", "\n".join(self.said))

    def test_a_class_whose_set_up_failed_runs_again_as_a_whole(self):
        passed, ran, recorded = self.run_twice("class")
        self.assertTrue(passed)
        self.assertEqual({name.rpartition(".")[0] for name in ran}, {"test_planted.SecondTest"})
        self.assertEqual(len(ran), 3)
        self.assertEqual(recorded, ["tests-tool-planted: test_planted.SecondTest.*"])

    def test_where_no_names_are_told_all_run_again(self):
        passed, _, recorded = self.run_twice("end")
        self.assertFalse(passed)
        self.assertEqual(recorded, [])
        self.assertIn("== once more, alone: tests-tool-planted", self.said)

    def test_a_test_that_does_not_run_again_has_failed_again(self):
        job = Unittest("tests-tool-planted", ["true"])
        unit = "tests-tool-planted: test_planted.FirstTest.test_gone"
        again, = job.again([unit])
        self.assertEqual(again.units, [unit])
        self.assertEqual(again.command, ["true", "-k", "*test_planted.FirstTest.test_gone"])
        self.assertEqual(list(again.run().failed), [unit])


if __name__ == "__main__":
    unittest.main()
