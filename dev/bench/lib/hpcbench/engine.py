"""Makes a page of the cost of a PageRank iteration: its share of the extra time of a run with more iterations.
Compares it with one thread of plain C."""

import pathlib
import re
import subprocess
import tempfile

from . import ROOT, intervals, prepared, record, report, summary, workload

PLAIN = ROOT / "dev" / "bench" / "plain" / "pagerank.c"
ITERATION = re.compile(r"load ([\d.]+) ms, iteration ([\d.]+) ms")
HEADS = ["scale", "variant", "n", "CPU ms an iteration", "of stock's", "of C's", "wall ms an iteration", "of stock's",
         "shuffle MB an iteration", "cached MB at most", "CPU s besides"]
ABOUT = (
    "Medians of n rounds after a warm-up round. The cost of an iteration is the difference of two runs of one round, "
    "divided by the difference of their numbers of iterations. Ratios are of runs of one round; in brackets the 95% "
    "interval. CPU: of executors and driver. `besides`: the rest of the shorter run, which is Spark's start, "
    "loading and, in the engine, the rows.")


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


def pairs(runs, variant):
    """Returns {round: (the run with fewer iterations, the run with more)}."""
    found = {}
    for run in record.measured(runs):
        if run["variant"] == variant:
            found.setdefault(run["round"], {})[int(run["point"]["iterations"])] = run
    return {number: tuple(both[n] for n in sorted(both)) for number, both in found.items() if len(both) == 2}


def an_iteration(both, figure):
    few, many = both
    number = int(many["point"]["iterations"]) - int(few["point"]["iterations"])
    return (figure(many) - figure(few)) / number


def besides(both):
    few, _ = both
    return summary.cpu(few) - int(few["point"]["iterations"]) * an_iteration(both, summary.cpu)


def rows(about, runs):
    found = {variant: pairs(runs, variant) for variant in about["variants"]}
    first = found[about["variants"][0]]
    most = max(int(run["point"]["iterations"]) for run in runs)
    options = runs[0]["options"]
    load, iteration = plain(about, options, most)
    yield [options["scale"], "plain C", 1, f"{iteration:.1f}", "", "", "", "", "", "", f"{load / 1e3:.1f}"]
    for variant, its in ((variant, its) for variant, its in found.items() if its):
        cells = [options["scale"], variant, len(its)]
        for figure, scale in ((summary.cpu, 1e3), (summary.wall, 1e3)):
            values = {number: an_iteration(both, figure) * scale for number, both in its.items()}
            others = {number: an_iteration(both, figure) * scale for number, both in first.items()}
            median = intervals.of(values.values())
            cells.append(f"{median.median:.0f}")
            cells.append("" if its is first else report.ratio(intervals.paired_ratio(values, others)))
            if figure is summary.cpu:
                cells.append(f"{median.median / iteration:.1f}")
        shuffled = intervals.of([an_iteration(both, summary.shuffle) for both in its.values()]).median
        cached = intervals.of([summary.cached(many) for _, many in its.values()]).median
        cells += [f"{shuffled / 1e6:.2f}", f"{cached / 1e6:.0f}",
                  f"{intervals.of([besides(both) for both in its.values()]).median:.1f}"]
        yield cells


def page(title, found):
    """`found` are (about, runs) of directories that dev/bench/run wrote, with two numbers of iterations."""
    yield f"# {title}"
    yield ""
    yield from report.measured([about for about, _ in found])
    yield ABOUT
    yield ""
    yield from report.table(HEADS, [row for about, runs in found for row in rows(about, runs)])
    yield ""
    for about, runs in found:
        yield from report.failures(summary.asked(about, runs))
