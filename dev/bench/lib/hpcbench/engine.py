"""Makes a page of the cost of a PageRank iteration, as the program prints it, beside one thread of plain C."""

import pathlib
import re
import statistics
import subprocess
import tempfile

from . import ROOT, intervals, prepared, record, report, summary, workload

PLAIN = ROOT / "dev" / "bench" / "plain" / "pagerank.c"
ITERATION = re.compile(r"load ([\d.]+) ms, iteration ([\d.]+) ms")
HEADS = ["scale", "variant", "n", "tasks' CPU ms an iteration", "of stock's", "of C's", "wall ms an iteration",
         "of stock's", "shuffle MB an iteration", "cached MB at most", "CPU s of the run", "of stock's"]
ABOUT = (
    "Medians of n rounds after a warm-up round. The cost of an iteration is the median of a run's iterations but the "
    "first. Ratios are of runs of one round; in brackets the 95% interval. CPU of the run: of executors and driver, "
    "from their start, with the loading of the graph and, in the engine, the rows.")


def plain(about, options, iterations):
    """Returns the CPU ms (for loading, for an iteration) of the C program on the graph of a measurement."""
    step = workload.load(about["workload"]).prepare(options)
    parts = sorted(prepared.directory(step).glob("part-*"))
    with tempfile.TemporaryDirectory() as directory:
        program = pathlib.Path(directory, "pagerank")
        subprocess.run(["cc", "-O2", "-o", program, PLAIN], check=True)
        edges = pathlib.Path(directory, "edges")
        edges.write_bytes(b"".join(part.read_bytes() for part in parts))
        said = subprocess.run([program, edges, str(iterations)], check=True, capture_output=True, text=True).stdout
    return tuple(float(number) for number in ITERATION.search(said).groups())


def by_round(runs, variant):
    """Returns {round: run} of the runs with the most iterations."""
    most = max(len(run["iterations"]) for run in runs)
    return {run["round"]: run for run in record.measured(runs)
            if run["variant"] == variant and len(run["iterations"]) == most}


def an_iteration(figure):
    return lambda run: statistics.median(one[figure] for one in run["iterations"][1:])


FIGURES = ((an_iteration("cpuSeconds"), 1e3, "0"), (an_iteration("seconds"), 1e3, "0"), (summary.cpu, 1, "1"))


def rows(about, runs):
    found = {variant: by_round(runs, variant) for variant in about["variants"]}
    stock = found[about["variants"][0]]
    options = runs[0]["options"]
    load, iteration = plain(about, options, max(len(run["iterations"]) for run in runs))
    yield [options["scale"], "plain C", 1, f"{iteration:.1f}", "", "", "", "", "", "", f"{load / 1e3:.1f} to load", ""]
    for variant, its in ((variant, its) for variant, its in found.items() if its):
        cpu, wall, whole = ([f"{scale * intervals.of([figure(run) for run in its.values()]).median:.{digits}f}",
                             "" if its is stock else report.ratio(intervals.paired_ratio(
                                 {number: figure(run) for number, run in its.items()},
                                 {number: figure(run) for number, run in stock.items()}))]
                            for figure, scale, digits in FIGURES)
        shuffled = intervals.of([an_iteration("shuffleReadBytes")(run) for run in its.values()]).median
        cached = intervals.of([summary.cached(run) for run in its.values()]).median
        yield [options["scale"], variant, len(its), *cpu, f"{float(cpu[0]) / iteration:.1f}", *wall,
               f"{shuffled / 1e6:.2f}", f"{cached / 1e6:.0f}", *whole]


def page(title, found):
    """`found` are (about, runs) of directories that dev/bench/run wrote."""
    yield f"# {title}"
    yield ""
    yield from report.measured([about for about, _ in found])
    yield ABOUT
    yield ""
    yield from report.table(HEADS, [row for about, runs in found for row in rows(about, runs)])
    yield ""
    for about, runs in found:
        yield from report.failures(summary.asked(about, runs))
