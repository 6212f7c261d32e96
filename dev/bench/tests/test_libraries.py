"""A missing library is reported in one line, before anything is measured; only plots need matplotlib."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from hpcbench import BENCH, libraries, plot, ratios
from hpcbench.refusal import Refusal
from runs import ABOUT, run

RUNS = [run(number, variant) for number in range(7) for variant in ("stock", "hpc")]


class LibrariesTest(unittest.TestCase):
    def test_a_measurement_is_refused_before_it_begins(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            # -S: nothing but the standard library.
            done = subprocess.run([sys.executable, "-S", BENCH / "run", "--workload", "groupby", "--out", out],
                                  capture_output=True, text=True, check=False)
            self.assertFalse(out.exists())
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"\Abench: .* has no scipy .*: dev/test-packages install.*python3-scipy.*\n\Z")

    def test_a_page_of_ratios_needs_no_matplotlib_and_a_plot_names_it(self):
        # A module that is first imported within the patch would disappear with it.
        libraries.load_all()
        with mock.patch.dict(sys.modules, {"matplotlib": None}):
            self.assertIn("1.00 (1.00 to 1.00)", "\n".join(ratios.page("Title", [({**ABOUT, "options": {}}, RUNS)])))
            with self.assertRaisesRegex(Refusal, "python3-matplotlib"):
                plot.of(ABOUT, RUNS)


if __name__ == "__main__":
    unittest.main()
