"""Probes: their programs print all times, their pages have all points in order, figure 10 is a probe."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from hpcbench import figures, plan, probes, record, summary
from runs import ABOUT


def runs(probe, phases):
    return [record.bare(number, plan.Series("open", scratch, ((probe.axis, value),)), 1.0, phases)
            for number in range(7) for scratch in reversed(probe.scratches)
            for value in sorted(probe.values)]


class ProbesTest(unittest.TestCase):
    def phases(self, probe):
        """Runs the probe's program on a directory of this machine and returns what it prints."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(probes.__file__).parent / probe.program
            done = subprocess.run([sys.executable, file, folder, *probe.words(probe.values[-1])],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])
        times = json.loads(done.stdout)
        self.assertTrue(times and all(value > 0 for value in times.values()), times)
        return times

    def test_each_program_prints_what_its_columns_need_and_leaves_nothing(self):
        for probe in probes.PROBES.values():
            times = self.phases(probe)
            for figure, _ in probe.columns.values():
                self.assertGreater(figure({"phases": times}), 0)

    def test_a_page_has_its_command_and_all_points_in_order(self):
        probe = probes.PROBES["elsewhere"]
        about = {**ABOUT, "command": "dev/bench/opens elsewhere", "scratches": list(probe.scratches),
                 "sweep": {probe.axis: list(probe.values)}}
        measured = runs(probe, {"median": 400e-6, "mean": 5e-4, "p99": 2e-3, "worst": 0.3})
        page = "\n".join(probe.page(about, measured))
        self.assertIn("    dev/bench/opens elsewhere\n", page)
        rows = [line for line in page.splitlines() if line.startswith(("| pfs", "| moosefs"))]
        self.assertEqual(rows[:2], [
            "| pfs:edison | 0 | 400 (400 to 400) | 500 | 2,000 | 300,000 |",
            "| pfs:edison | 4,000 | 400 (400 to 400) | 500 | 2,000 | 300,000 |"])
        self.assertEqual(len(rows), len(probe.scratches) * len(probe.values))
        ElementTree.fromstring(probe.plot(about, measured))

    def test_figure_10_is_drawn_of_the_probe(self):
        figure = figures.FIGURES[10]
        _, series = figure.draw([(ABOUT, summary.lines(runs(figure.probe, {"each": 3.0, "once": 1.5})))])
        self.assertEqual([each.name for each in series], list(reversed(figure.probe.scratches)))
        self.assertEqual(series[0].points[0], (1024.0, 2.0, 2.0, 2.0))
