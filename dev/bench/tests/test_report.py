"""The page has medians, paired ratios, counts, laws and failures; the plot has all points."""

import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from hpcbench import drawing, figures, plot, report, summary, svg
from hpcbench.refusal import Refusal
from runs import ABOUT, run


def page(runs, **about):
    return "\n".join(report.page({**ABOUT, **about}, runs, "plot.svg"))


def pairs(reps, ratio):
    """Returns rounds on a machine that gets slower; `ratio` is hpc's time to stock's."""
    return [run(number, variant, wall=(1 + number) * (ratio if variant == "hpc" else 1.0))
            for number in range(reps + 1) for variant in ("stock", "hpc")]


class ReportTest(unittest.TestCase):
    def test_ratios_are_paired_and_the_warm_up_left_out(self):
        text = page(pairs(7, 0.5))
        self.assertIn("| tmpfs | stock | 7 | 5.0 |", text)
        self.assertIn("| tmpfs | hpc | 7 | 2.5 | 0.50 (0.50 to 0.50) |", text)

    def test_a_ratio_that_may_be_slower_is_marked(self):
        self.assertIn("1.10 (1.10 to 1.10) !", page(pairs(7, 1.1)))
        self.assertIn("1.10 (n = 3: no interval)", page(pairs(3, 1.1)))

    def test_a_failed_run_is_named_and_in_no_figure(self):
        text = page([*pairs(2, 1.0), run(3, wall=1000.0, failure="exit code 2: no space")])
        self.assertIn("exit code 2: no space", text)
        self.assertIn("| tmpfs | stock | 2 |", text)

    def test_counts_that_repeat_are_one_number_and_others_a_range(self):
        text = page([run(1, counts={"open": 512, "mkdir": 60}),
                     run(2, counts={"open": 512, "mkdir": 64})])
        self.assertIn("| stock on tmpfs | 512 | 60 to 64 |", text)

    def test_laws_of_counts_stand_in_the_page(self):
        runs = [run(1, point={"maps": str(m), "reduces": str(r)},
                    options={"maps": str(m), "reduces": str(r)}, counts={"open": 2 * m * r})
                for m in (16, 32) for r in (16, 64)]
        self.assertIn("| stock on tmpfs | open | 2 M R | 4 |", page(runs))

    def test_rows_and_points_stand_as_they_were_asked_for(self):
        # The order of a round's runs changes from round to round, and files are read by name.
        runs = [run(1, variant, scratch, point={"maps": maps}) for maps in ("128", "16")
                for scratch in ("tmpfs", "pfs:none") for variant in ("hpc", "stock")]
        text = page(runs, scratches=["pfs:none", "tmpfs"], sweep={"maps": ["16", "128"]})
        found = [line for line in text.splitlines() if line.startswith(("## maps", "| pfs", "| tmp"))]
        self.assertEqual([line[:18] for line in found[:5]], [
            "## maps = 16", "| pfs:none | stock", "| pfs:none | hpc |", "| tmpfs | stock | ",
            "| tmpfs | hpc | 1 "])
        self.assertEqual(found[5], "## maps = 128")

    def test_scratch_is_compared_with_tmpfs(self):
        runs = [run(number, scratch=scratch, wall=wall) for number in range(7)
                for scratch, wall in (("pfs:none", 3.0), ("tmpfs", 1.0))]
        text = page(runs, scratches=["pfs:none", "tmpfs"])
        self.assertIn("| pfs:none | stock | 6 | 3.0 | 3.00 (3.00 to 3.00) !", text)


class PlotTest(unittest.TestCase):
    def drawn(self, text):
        """Returns {colour: heights of its points, from below}; the last point of each series is in the key."""
        found = {}
        for point in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}use"):
            colour = re.search("fill: (#[0-9a-f]+)", point.get("style"))
            if colour:
                found.setdefault(colour[1], []).append(-float(point.get("y")))
        return found

    def test_plots_are_the_same_each_time(self):
        swept = [run(n, point={"maps": maps}, wall=float(maps)) for n in range(8)
                 for maps in ("4", "16")]
        for runs in (pairs(7, 0.5), swept):
            self.assertEqual(plot.of(ABOUT, runs), plot.of(ABOUT, runs))

    def test_every_measured_point_is_drawn_larger_ones_higher_on_both_kinds_of_axis(self):
        for log in (False, True):
            text = svg.chart("t", svg.Axis("x"), svg.Axis("y", log=log), [
                svg.Series("s", [(1, 10, 5, 12), (2, 1000, None, None)]),
                svg.Series("r", [(1, 30, 30, 30)])])
            (low, high, _), (middle, _) = self.drawn(text).values()
            self.assertLess(low, middle, log)
            self.assertLess(middle, high, log)

    def test_a_sweep_over_words_has_them_as_categories(self):
        text = plot.of(ABOUT, [run(n, point={"api": api}) for n in range(3) for api in ("rdd", "sql")])
        self.assertEqual([len(heights) for heights in self.drawn(text).values()], [3])
        self.assertTrue({"rdd", "sql"} < set(ElementTree.fromstring(text).itertext()))

    def test_series_have_what_the_sweep_changes_besides_in_their_names(self):
        runs = [run(1, point={"maps": maps, "reduces": "2", "executors": executors})
                for maps in ("4", "16") for executors in ("1", "2")]
        about = {**ABOUT, "sweep": {"maps": ["4", "16"], "reduces": ["2"], "executors": ["1", "2"]}}
        _, series = drawing.over("maps", {"": summary.wall})([(about, summary.asked(about, runs))])
        self.assertEqual([each.name for each in series],
                         ["stock on tmpfs executors=1", "stock on tmpfs executors=2"])

    def test_many_series_have_a_colour_each_and_a_long_command_can_be_copied(self):
        series = [svg.Series(f"serialisation of variant {n} on pfs:bb-private", [(1, n, n, n)])
                  for n in range(12)]
        command = "dev/bench/run " + " ".join(f"--some-option-{n} some-value" for n in range(20))
        text = svg.chart("a < b & c", svg.Axis("x"), svg.Axis("y"), series, f"{command} $x $y")
        self.assertEqual([len(heights) for heights in self.drawn(text).values()], [2] * 12)
        # Lines are broken between words only.
        self.assertIn(f"{command} $x $y", " ".join(" ".join(ElementTree.fromstring(text).itertext()).split()))


class FiguresTest(unittest.TestCase):
    def test_every_figure_names_commands_that_the_parser_takes(self):
        import shlex

        from hpcbench import command_line, sweep, workload
        for number, figure in figures.FIGURES.items():
            for command in figure.commands:
                options, rest = command_line.parser().parse_known_args(shlex.split(command))
                its = workload.load(options.workload)
                base = sweep.Conditions(command_line.options_of(its, rest), 2, 1, 1, options.heap)
                points = sweep.points(sweep.axes(options.sweep))
                self.assertTrue(points, number)
                for point in points:
                    self.assertTrue(sweep.conditions(base, point, its), number)

    def test_what_follows_two_dashes_is_for_each_run(self):
        self.assertEqual(figures.at_dashes(["8", "--reps", "1", "--", "--keep-first"]),
                         (["8", "--reps", "1"], ["--keep-first"]))
        self.assertEqual(figures.at_dashes(["8"]), (["8"], []))

    def test_figures_of_one_command_share_its_runs(self):
        out = pathlib.Path("out")
        self.assertEqual([figures.runs_of(n, 0, out).name for n in (16, 17, 18)],
                         ["runs-16-1", "runs-16-1", "runs-18-1"])
        self.assertEqual(figures.runs_of(11, 1, out).name, "runs-11-2")

    def test_runs_that_were_interrupted_are_not_taken_for_finished(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            self.assertFalse(figures.finished(out / "runs"))
            with self.assertRaisesRegex(Refusal, "weren't finished"):
                figures.finished(out)
            (out / "report.md").touch()
            self.assertTrue(figures.finished(out))

    def test_iterations_are_drawn_for_each_point(self):
        runs = [run(n, point={"memory-region": region}, iterations=[
            {"iteration": k, "seconds": 0.1 * k, "shuffleReadBytes": k << 20} for k in (1, 2, 3)])
            for n in range(7) for region in ("100m", "36m")]
        _, series = figures.FIGURES[17].draw([(ABOUT, summary.lines(runs))])
        self.assertEqual([each.name for each in series], ["stock 100m", "stock 36m"])
        self.assertEqual([point[:2] for point in series[0].points], [(1, 1), (2, 2), (3, 3)])
