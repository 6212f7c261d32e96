"""Measures the time of an open: under other nodes' load, under its own node's load, and for each read (figure 10)."""

import argparse
import datetime
import pathlib
import shlex
import sys

from . import ROOT
from .probe import Probe
from .refusal import Refusal

SIZES = ("1024", "16384", "262144", "1048576")
READS = 500
OPENS = 480


def _of_a_read(name):
    return lambda run: run["phases"][name] / READS * 1e6


def _dearer(run):
    """Figure 10: the ratio of the seconds with an open for each read to those with one open for all."""
    return run["phases"]["each"] / run["phases"]["once"]


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


def parser():
    made = argparse.ArgumentParser(
        prog="dev/bench/opens", description="Measures what an open takes, without Spark.")
    made.add_argument("probe", choices=PROBES,
                      help="; ".join(f"{name}: {each.title}" for name, each in PROBES.items()))
    made.add_argument("--reps", type=int, default=15, metavar="N",
                      help="measured rounds, after a warm-up round (default: 15)")
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
    say(f"report: {out / 'report.md'}")
    return 0
