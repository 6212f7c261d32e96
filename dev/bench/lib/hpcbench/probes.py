"""What file systems take for an open, without Spark: measured by a program that runs as a node.

Each probe leaves the same files as dev/bench/run does, so that figure 10 is drawn like the others.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys
import typing

from . import ROOT, environment, plan, record, report, scratch, summary, svg
from .drawing import over
from .refusal import Refusal

HERE = pathlib.Path(__file__).parent
SIZES = ("1024", "16384", "262144", "1048576")
READS = 500
OPENS = 480


def _of_a_read(name):
    return lambda run: run["phases"][name] / READS * 1e6


def _dearer(run):
    """Figure 10: seconds with an open for each read to those with one for all."""
    return run["phases"]["each"] / run["phases"]["once"]


@dataclasses.dataclass(frozen=True)
class Probe:
    """`axis` has `values`; `words` and `settings` make the program's arguments after its directory,
    and the file system's settings, of one of them. The program prints {phase: seconds}."""

    title: str
    about: str
    axis: str
    values: tuple
    scratches: tuple
    program: str
    words: typing.Callable
    # {head: (run -> number, digits)}; the first is plotted.
    columns: dict
    y: str
    settings: typing.Callable = lambda value: {}
    log: bool = True
    log_x: bool = False

    def measure(self, reps, out, say, command):
        """All rounds of one kind of scratch, then the next; the first round doesn't count."""
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
        """The figures as Markdown; medians of rounds, and of the first one its interval, too."""
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
        yield (f"{self.about} Medians of {rounds} rounds after a first that was thrown away; in "
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
        """(None, series): the first column over the axis, as drawing's functions give it."""
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


def _micros(name):
    return lambda run: run["phases"][name] * 1e6


WAITS = {"median us": (_micros("median"), 0), "mean us": (_micros("mean"), 0),
         "99th percentile us": (_micros("p99"), 0), "worst us": (_micros("worst"), 0)}
SLOW = ("pfs:edison", "pfs:cori", "pfs:flash", "moosefs:edison")

PROBES = {
    "reads": Probe(
        "Reads with an open for each, against one open for all",
        f"{READS} reads of a file that its own node has written, each with open and close, and all "
        "with one open.",
        "bytes of a read", SIZES,
        ("local", "pfs:workstation", "pfs:edison", "pfs:cori", "pfs:bb-striped"),
        "opens_per_read.py", lambda size: (str(READS), size),
        {"times slower": (_dearer, 1), "us of a read with its open": (_of_a_read("each"), 1),
         "us of a read without": (_of_a_read("once"), 1)},
        "times slower", log_x=True),
    "elsewhere": Probe(
        "An open while others keep the metadata server busy",
        f"{OPENS} opens of a file by one thread; the requests per second of clients that aren't "
        "here go to the same metadata servers.",
        "requests per second from elsewhere", ("0", "4000", "6000", "8000", "9000"),
        SLOW, "open_waits.py", lambda load: (str(OPENS), "1"), WAITS, "us of an open, median",
        settings=lambda load: {"mds.ghost_ops": load}),
    "threads": Probe(
        "An open while other threads of the node open files",
        f"{OPENS} opens by so many threads, each its own file.",
        "threads", ("1", "4", "16", "64"), ("local", *SLOW), "open_waits.py",
        lambda threads: (str(OPENS), threads), WAITS, "us of an open, median", log_x=True),
}


class Nowhere:
    """No control group: nobody asks for the daemons' time here."""

    @staticmethod
    def command(words):
        return words


def parser():
    made = argparse.ArgumentParser(
        prog="dev/bench/opens", description="Measures what an open takes, without Spark.")
    made.add_argument("probe", choices=PROBES,
                      help="; ".join(f"{name}: {each.title}" for name, each in PROBES.items()))
    made.add_argument("--reps", type=int, default=15, metavar="N",
                      help="rounds that count, after one that doesn't (default: 15)")
    made.add_argument("--out", type=pathlib.Path, metavar="DIR",
                      help="new directory (default: below target/bench)")
    return made


def say(text):
    print(f"opens: {text}", file=sys.stderr, flush=True)


def main(arguments):
    options = parser().parse_args(arguments)
    probe = PROBES[options.probe]
    if options.reps < 1:
        raise Refusal(f"--reps {options.reps}: at least 1 is wanted")
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    out = options.out or ROOT / "target" / "bench" / f"opens-{options.probe}-{stamp}"
    if out.exists():
        raise Refusal(f"--out {out}: is there already; name a new directory")
    probe.measure(options.reps, out, say, " ".join(["dev/bench/opens", *map(shlex.quote, arguments)]))
    about, runs = record.load(out)
    (out / "plot.svg").write_text(probe.plot(about, runs), encoding="utf-8")
    (out / "report.md").write_text("\n".join(probe.page(about, runs)) + "\n", encoding="utf-8")
    say(f"report: {out / 'report.md'}")
    return 0
