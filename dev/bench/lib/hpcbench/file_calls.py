"""Makes a page of the CPU time that calls of Hadoop file systems take."""

import subprocess
import tempfile

from . import ROOT, environment, intervals, report
from .refusal import Refusal

PROGRAM = ROOT / "dev" / "bench" / "programs" / "FileCalls.java"
BASELINE = "Raw"
COMPARED = ("ours, local", "ours, shared")
TITLES = {"Raw": "RawLocalFileSystem", "Hadoop": "LocalFileSystem"}


def of_lines(lines):
    """Returns {call: {file system: {round: microseconds}}} of the program's lines."""
    found = {}
    for line in lines:
        number, call, name, micros = line.split("\t")
        found.setdefault(call, {}).setdefault(name, {})[int(number)] = float(micros)
    return found


def measured(directory, rounds):
    jars = ROOT / "dist" / "jars"
    if not jars.is_dir():
        raise Refusal(f"no distribution in {jars.parent}: dev/make-distribution.sh makes it")
    with tempfile.TemporaryDirectory(dir=directory) as own:
        ran = subprocess.run(["java", "-cp", f"{jars}/*", str(PROGRAM), own, str(rounds)],
                             capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise Refusal(f"{PROGRAM.name}: {ran.stderr.strip()[-500:]}")
    return of_lines(ran.stdout.splitlines())


def rows(found):
    for call, by_name in found.items():
        medians = [f"{intervals.of(list(by_name[name].values())).median:,.1f}" for name in by_name]
        ratios = [report.ratio(intervals.paired_ratio(by_name[name], by_name[BASELINE])) for name in COMPARED]
        yield [call, *medians, *ratios]


def page(command, directory, found):
    where = environment.describe()
    names = [TITLES.get(name, name) for name in next(iter(found.values()))]
    yield "# What calls of Hadoop's file systems for file: cost"
    yield ""
    yield f"    {command}"
    yield ""
    yield (f"{where['date']}, commit {where['commit']}, {where['os']}, in {directory}. Microseconds of CPU time of one call, "
           "with that of child processes; medians. `LocalFileSystem` is Hadoop's default, with checksum files; "
           "`RawLocalFileSystem` has none, and is the base of the ratios. Ours has checksum files on local file systems, "
           "and none on shared ones. Hadoop's start `chmod` for each file and directory that they create. Files have 4 KiB.")
    yield ""
    yield from report.table(["call", *names, *(f"{name}: ratio" for name in COMPARED)], rows(found))
