"""Measures a file system itself, without Spark, with a program that runs as a node.

It writes the same files as dev/bench/run, so that figure 10 is drawn like the others.
"""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import typing

from . import environment, libraries, plan, record, report, scratch, summary, svg
from .drawing import over
from .refusal import Refusal

HERE = pathlib.Path(__file__).parent


class Nowhere:
    """Stands for a control group, where nobody needs the daemons' CPU time."""

    @staticmethod
    def command(words):
        return words


@dataclasses.dataclass(frozen=True)
class Probe:
    """Measures each of the `values` of `axis`. `words` makes the program's arguments after the directory from a
    value, `settings` makes the file system's settings from it. The program prints {phase: seconds}."""

    title: str
    about: str
    axis: str
    values: tuple
    scratches: tuple
    program: str
    words: typing.Callable
    # {column heading: (run -> number, digits)}; the first column is plotted.
    columns: dict
    y: str
    settings: typing.Callable = lambda value: {}
    log: bool = True
    log_x: bool = False

    def measure(self, reps, out, say, command):
        """Measures all rounds on one kind of scratch, then on the next. The first round is a warm-up."""
        libraries.load_all()
        about = {"command": command, "workload": self.title, "variants": ["open"],
                 "scratches": list(self.scratches), "sweep": {self.axis: list(self.values)},
                 "environment": environment.describe()}
        out.mkdir(parents=True)
        (out / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        for number, text in enumerate(self.scratches):
            say(f"{number + 1}/{len(self.scratches)} {text}: {reps} rounds and one that doesn't count")
            made = scratch.load(text, 1, f"/dev/shm/hpcbench-{os.getpid()}-{number}")
            try:
                made.start(Nowhere)
                for of_round in range(reps + 1):
                    for value in self.values:
                        record.save(out, self._one(of_round, text, made, value))
            finally:
                made.stop()
        about, runs = record.load(out)
        (out / "plot.svg").write_text(self.plot(about, runs), encoding="utf-8")
        (out / "report.md").write_text("\n".join(self.page(about, runs)) + "\n", encoding="utf-8")

    def _one(self, number, text, made, value):
        made.set(self.settings(value))
        words = [sys.executable, str(HERE / self.program), made.local(0), *self.words(value)]
        done = subprocess.run(made.on_node(0, words), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Refusal(f"{self.program} on {text}: {done.stderr.strip().rpartition(chr(10))[2]}")
        times = json.loads(done.stdout)
        return record.bare(number, plan.Series("open", text, ((self.axis, value),)),
                           sum(times.values()), times)

    def page(self, about, runs):
        """Yields the figures as Markdown: medians of rounds, in the first column with their intervals."""
        lines = summary.asked(about, runs)
        where = about["environment"]
        yield f"# {self.title}"
        yield ""
        yield f"    {about['command']}"
        yield ""
        yield (f"{where['date']}, commit {where['commit']}, {where['jvm']}, {where['os']}, "
               f"{where['processor']}, load {where['load']} at the start.")
        yield ""
        rounds = max(len(line.runs) for line in lines)
        yield (f"{self.about} Medians of {rounds} rounds after a warm-up round; in "
               "brackets the 95% interval.")
        yield ""
        yield from report.table(["scratch", self.axis, *self.columns], [
            [text, f"{int(dict(line.series.point)[self.axis]):,}",
             *(cell(line.interval(figure), digits, interval_too=not at) for at, (figure, digits)
               in enumerate(self.columns.values()))]
            for text in about["scratches"] for line in lines if line.series.scratch == text])
        yield ""
        yield f"![{self.title}](plot.svg)"

    def draw(self, measurements):
        """Returns (None, series): the first column over the axis, as drawing.over does."""
        [(figure, _), *_] = self.columns.values()
        _, series = over(self.axis, {"": figure})(measurements)
        for each in series:
            each.name = each.name.partition(" on ")[2]
        return None, series

    def plot(self, about, runs):
        _, series = self.draw([(about, summary.asked(about, runs))])
        return svg.chart(self.title, svg.Axis(self.axis, log=self.log_x),
                         svg.Axis(self.y, log=self.log), series, about["command"])


def cell(interval, digits, interval_too=True):
    text = f"{interval.median:,.{digits}f}"
    if interval_too and interval.low is not None:
        text += f" ({interval.low:,.{digits}f} to {interval.high:,.{digits}f})"
    return text
