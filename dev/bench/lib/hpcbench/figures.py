"""Redraws the HPDC'16 paper's figures from our own runs: the commands of each figure, and its series.

Chaimov et al., Scaling Spark on HPC Systems, doi:10.1145/2907294.2907310. Here, nodes are
mount namespaces on one machine, and Lustre is the testbed's emulator. Each figure shows its command.
"""

import argparse
import dataclasses
import pathlib
import shlex
import sys
import typing

from . import ROOT, command_line, probes, record, summary, svg
from .drawing import (app_per_task, by_iteration, by_phase, by_scratch, mean_with_wait, over,
                      per_task, phase, served)
from .probe import Probe
from .refusal import Refusal

MB = 1 << 20
READS = probes.PROBES["reads"]
FILE_SYSTEMS = "tmpfs,local,loopfs,pfs:cori,pfs:bb-striped,pfs:bb-private"
WEAK = "--workload groupby --sweep executors=1,2,4 --sweep partitions-per-core=4"
BLOWUP = ("--workload pagerank --iterations 10 --heap 1500m --scratch tmpfs "
          "--sweep memory-region=100m,36m")


@dataclasses.dataclass(frozen=True)
class Figure:
    """`commands` are arguments of dev/bench/run; `draw` makes the series from the lines of each."""

    title: str
    commands: tuple
    x: str
    y: str
    draw: typing.Callable
    log: bool = False
    log_x: bool = False
    # Measures a figure that dev/bench/run doesn't.
    probe: Probe = None


FIGURES = {
    6: Figure("Big Data Benchmark, queries 1-3", (
        "--workload bdb --variant stock,hpc --executors 1 --scratch local,pfs:workstation,pfs:edison",),
        "query", "seconds", by_phase(("q1", "q2", "q3"))),
    7: Figure("Service times of requests during the Big Data Benchmark", (
        "--workload bdb --variant stock --executors 1 "
        "--scratch pfs:workstation,pfs:edison,pfs:bb-striped,pfs:bb-private",),
        "file system", "microseconds", by_scratch({
            "open, median": served("open", "median_us"), "open, mean": served("open", "mean_us"),
            "open, worst": served("open", "max_us"), "read, median": served("read", "median_us"),
            "read, worst": served("read", "max_us")}), log=True),
    8: Figure("GroupBy, weak scaling: map and reduce", (
        f"{WEAK} --variant stock,hpc --scratch tmpfs,pfs:edison",),
        "nodes", "seconds", over("executors", {"map": phase("map"), "reduce": phase("reduce")})),
    # With 10 MB from each map, a node has more dirty data than a client may keep, so the client writes.
    9: Figure("GroupBy, weak scaling: mean time of an open, a read and a write", (
        f"{WEAK} --pairs-per-map 100000 --variant stock --scratch pfs:cori",),
        "nodes", "microseconds", over("executors", {
            kind: mean_with_wait(kind) for kind in ("open", "read", "write")}), log=True),
    10: Figure(READS.title, (), READS.axis, READS.y, READS.draw, log=READS.log, log_x=READS.log_x,
               probe=READS),
    11: Figure("GroupBy and PageRank on one node", (
        f"--workload groupby --variant stock,hpc --executors 1 --scratch {FILE_SYSTEMS}",
        f"--workload pagerank --variant stock,hpc --executors 1 --scratch {FILE_SYSTEMS}"),
        "scratch", "seconds", by_scratch({"": summary.wall})),
    12: Figure("GroupBy, weak scaling: parts of a task's time", (
        f"{WEAK} --variant stock,hpc --scratch tmpfs,pfs:cori",),
        "nodes", "seconds of a task", over("executors", {
            "serialisation": per_task("deserialize_seconds", "result_serialization_seconds"),
            "fetch": per_task("fetch_wait_seconds", "shuffle_write_seconds"),
            "app": app_per_task})),
    13: Figure("PageRank and Big Data Benchmark, strong scaling", (
        "--workload pagerank --variant stock,hpc --sweep executors=1,2,4 --scratch tmpfs,pfs:cori",
        "--workload bdb --variant stock,hpc --sweep executors=1,2,4 --scratch tmpfs,pfs:cori"),
        "nodes", "seconds", over("executors", {"": summary.wall})),
    16: Figure("PageRank: seconds of each iteration, memory plentiful and short", (
        f"{BLOWUP} --variant stock,hpc",),
        "iteration", "seconds", by_iteration("seconds")),
    17: Figure("PageRank: MB read by each iteration's shuffles", (
        f"{BLOWUP} --variant stock,hpc",),
        "iteration", "MB", by_iteration("shuffleReadBytes", MB), log=True),
    18: Figure("PageRank: MB read by each iteration's shuffles, persisted to disk or not", (
        f"{BLOWUP} --variant stock --sweep storage-level=MEMORY_ONLY,MEMORY_AND_DISK",),
        "iteration", "MB", by_iteration("shuffleReadBytes", MB), log=True),
}


def draw(number, directories):
    """Returns the SVG of a figure from the directories that its commands wrote."""
    figure = FIGURES[number]
    measurements = []
    for directory in directories:
        about, runs = record.load(directory)
        measurements.append((about, summary.asked(about, runs)))
    categories, series = figure.draw(measurements)
    if not series:
        raise Refusal(f"figure {number}: no run that counts in {', '.join(map(str, directories))}")
    caption = "; ".join(about["command"] for about, _ in measurements)
    return svg.chart(f"{number}. {figure.title}", svg.Axis(figure.x, log=figure.log_x, categories=categories),
                     svg.Axis(figure.y, log=figure.log), series, caption)


def parser():
    made = argparse.ArgumentParser(
        prog="dev/bench/figures", description="Redraws figures of HPDC'16 from our own runs.",
        epilog="Arguments after -- are added to each dev/bench/run and override its options: "
        "-- --scratch tmpfs --keep-first is a quick look.")
    made.add_argument("numbers", type=int, nargs="*", metavar="N",
                      help=", ".join(map(str, FIGURES)) + "; without a number, lists the commands")
    made.add_argument("--from", dest="sources", nargs="+", metavar="DIR",
                      help="directories of existing runs, in the order of the figure's commands")
    made.add_argument("--reps", type=int, default=15)
    made.add_argument("--out", type=pathlib.Path, default=ROOT / "target" / "bench" / "figures")
    return made


def runs_of(number, index, out):
    """Returns the directory of a command's runs, named after the first figure that has this command."""
    command = FIGURES[number].commands[index]
    first, its = next((n, each) for n, each in FIGURES.items() if command in each.commands)
    return out / f"runs-{first}-{its.commands.index(command) + 1}"


def finished(directory):
    """Returns whether the runs are there. Refuses a directory without a report, which is written last: the runs were
    interrupted, and their figures would be partial."""
    if directory.exists() and not (directory / "report.md").is_file():
        raise Refusal(f"{directory}: its runs weren't finished; remove it, or draw from them with --from")
    return directory.exists()


def measured(number, reps, out, more):
    """Runs the figure's commands, except those that have a report already."""
    if FIGURES[number].probe:
        directory = out / f"runs-{number}"
        if not finished(directory):
            FIGURES[number].probe.measure(reps, directory, command_line.say,
                                          f"dev/bench/figures {number} --reps {reps}")
        yield directory
    for index, command in enumerate(FIGURES[number].commands):
        directory = runs_of(number, index, out)
        if not finished(directory):
            command_line.run([*shlex.split(command), "--reps", str(reps), *more,
                              "--out", str(directory)])
        yield directory


def at_dashes(arguments):
    """Returns the arguments before -- and those after it."""
    if "--" not in arguments:
        return arguments, []
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1:]


def main(arguments):
    own, more = at_dashes(arguments)
    options = parser().parse_args(own)
    if not options.numbers:
        for number, figure in FIGURES.items():
            print(f"{number:>2}  {figure.title}")
            for command in figure.commands:
                print(f"    dev/bench/run {command}")
            if figure.probe:
                print(f"    dev/bench/figures {number}")
        return 0
    for number in options.numbers:
        if number not in FIGURES:
            raise Refusal(f"figure {number}: there are {', '.join(map(str, FIGURES))}")
        sources = options.sources or list(measured(number, options.reps, options.out, more))
        options.out.mkdir(parents=True, exist_ok=True)
        file = options.out / f"figure-{number}.svg"
        file.write_text(draw(number, sources), encoding="utf-8")
        print(f"figures: {file}", file=sys.stderr)
    return 0
