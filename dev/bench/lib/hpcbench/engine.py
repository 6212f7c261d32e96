"""Makes a page of the cost of an iteration, as the program prints it, beside one thread of plain C. An iteration is one
of PageRank, or, in the workload loadgraph, one loading."""

import functools
import pathlib
import re
import statistics
import subprocess
import tempfile

from . import ROOT, intervals, prepared, report, summary, svg, workload

PLAIN = ROOT / "dev" / "bench" / "plain" / "pagerank.c"
PLAIN_ITERATIONS = 24
PLAIN_SAYS = re.compile(r"load ([\d.]+) ms, iteration ([\d.]+) ms")
HEADS = ["scale", "executors", "memory", "scratch", "variant", "n", "tasks' CPU ms an iteration", "of stock's",
         "of C's", "wall ms an iteration", "of stock's", "shuffle MB an iteration", "cached MB at most", "of stock's",
         "CPU s of the run", "of stock's"]
ABOUT = (
    "Medians of n rounds after a warm-up round. The cost of an iteration is the median of a run's iterations but the "
    "first. Ratios are of runs of one round; in brackets the 95% interval. CPU of the run: of executors and driver, "
    "from their start, with the loading of the graph and, in the engine, the rows. Memory: Spark's unified region of an "
    "executor, if it was set. hpc is Spark-HPC with Spark's own GraphX.")


@functools.lru_cache(None)
def plain(scale, edge_factor):
    """Returns the CPU ms (for loading, for an iteration) of the C program on an R-MAT graph."""
    step = workload.load("pagerank").prepare({"scale": scale, "edge-factor": edge_factor})
    parts = sorted(prepared.directory(step).glob("part-*"))
    with tempfile.TemporaryDirectory() as directory:
        edges = pathlib.Path(directory, "edges")
        edges.write_bytes(b"".join(part.read_bytes() for part in parts))
        said = run_plain(directory, edges, PLAIN_ITERATIONS)
    return tuple(float(number) for number in PLAIN_SAYS.search(said).groups())


def run_plain(directory, edges, iterations):
    """Compiles the C program in the directory, and returns what it says of a file of edges."""
    program = pathlib.Path(directory, "pagerank")
    subprocess.run(["cc", "-O2", "-o", program, PLAIN], check=True)
    return subprocess.run([program, edges, str(iterations)], check=True, capture_output=True, text=True).stdout


def plain_of(about, line):
    """Returns the CPU ms of what the line's iterations do, in C."""
    options = any_run(line)["options"]
    load, iteration = plain(options["scale"], options["edge-factor"])
    return load if about["workload"] == "loadgraph" else iteration


def any_run(line):
    return next(iter(line.runs.values()))


def an_iteration(figure):
    return lambda run: statistics.median(one[figure] for one in run["iterations"][1:])


CPU, WALL, SHUFFLE = (an_iteration(figure) for figure in ("cpuSeconds", "seconds", "shuffleReadBytes"))


def baseline(about, line, lines):
    """Returns the first variant's line under the same conditions; None if all of its runs failed."""
    return next((other for other in lines if other.series.variant == about["variants"][0]
                 and (other.series.scratch, other.series.point) == (line.series.scratch, line.series.point)), None)


def rows(about, runs):
    lines = [line for line in summary.asked(about, runs) if line.runs]
    told = set()
    for line in lines:
        run, stock, c = any_run(line), baseline(about, line, lines), plain_of(about, line)
        scale = run["options"]["scale"]
        if scale not in told:
            told.add(scale)
            yield [scale, "", "", "", "one thread of C", 1, f"{c:.1f}", *[""] * 9]

        def against(figure):
            return "" if stock in (None, line) else report.ratio(line.ratio(figure, stock))

        cpu = line.interval(CPU)
        yield [scale, run["executors"], dict(line.series.point).get("memory-region", ""), line.series.scratch,
               line.series.variant, len(line.runs),
               report.median(cpu, 1e-3, 0), against(CPU), f"{1e3 * cpu.median / c:.1f}",
               report.median(line.interval(WALL), 1e-3, 0), against(WALL),
               report.median(line.interval(SHUFFLE), 1e6, 2),
               report.median(line.interval(summary.cached), 1e6, 0), against(summary.cached),
               report.median(line.interval(summary.cpu)), against(summary.cpu)]


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


def plot(title, found):
    """Draws the CPU time of an iteration over the scale, for each variant and for C."""
    series, plains = {}, {}
    for about, runs in found:
        for line in summary.asked(about, runs):
            if line.runs:
                scale = any_run(line)["options"]["scale"]
                cpu = intervals.of([1e3 * value for value in line.values(CPU).values()])
                series.setdefault(line.series.variant, []).append((scale, cpu.median, cpu.low, cpu.high))
                plains[scale] = plain_of(about, line)
    series["one thread of C"] = [(scale, c, None, None) for scale, c in plains.items()]
    return svg.chart(title, svg.Axis("scale", categories=list(plains)), svg.Axis("CPU ms an iteration", log=True),
                     [svg.Series(name, points) for name, points in series.items()],
                     "; ".join(about["command"] for about, _ in found))
