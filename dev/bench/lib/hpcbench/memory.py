"""Reports what short memory costs: compares the series of a memory-region sweep with the one in which all fits.

That series is the first variant's with the most memory, on the same scratch and at the same other
values of the sweep. Ratios to it are ratios of medians, since its rounds needn't be those of the others.
"""

from . import report, summary, sweep
from .report import MB

AXIS = "memory-region"
HEADS = ["memory", "scratch", "variant", "n", "wall s", "wall to first", "wall to all fits", "CPU s",
         "CPU to first", "CPU to all fits", "shuffles read MB", "to all fits", "CPU s of iterations",
         "cached MB", "evictions", "blocks written MB", "executors wrote MB", "read MB", "heap + tmpfs MB"]
ABOUT = (
    "To first: the ratio to the first variant, in pairs of runs of one round; in brackets the 95% interval, "
    "with ! if its upper end isn't below 1.05. To all fits: the ratio of medians to the first variant with the "
    "most memory. For shuffles read, it is the ratio in the worst iteration if the program reports each one, "
    "otherwise in the whole run. CPU of iterations: CPU time of the tasks, as Spark counts it, in the second, the "
    "middle and the last iteration. Cached: the most bytes of cached blocks that were in memory at once. Blocks "
    "written: bytes of cached blocks, as reported to the driver. Executors wrote and read: all bytes of system "
    "calls, as the kernel counts them, for blocks, shuffles, sockets and jars, but not for mapped files.")


def region(line):
    return dict(line.series.point).get(AXIS)


def whole(lines):
    """Returns {place: the line in which all fits} for the lines that have a memory-region."""
    found = {}
    for line in lines:
        if region(line) and line.runs:
            best = found.setdefault(_place(line), line)
            if sweep.bytes_of(region(line)) > sweep.bytes_of(region(best)):
                found[_place(line)] = line
    return found


def _place(line):
    return line.series.scratch, tuple(each for each in line.series.point if each[0] != AXIS)


def _over(line, other, figure):
    """Returns the ratio of two lines' medians, or None if one line has no median."""
    one, all_fits = (each.interval(figure) if each else None for each in (line, other))
    return one.median / all_fits.median if one and all_fits and all_fits.median else None


def iterations(line):
    return max((len(run["iterations"] or ()) for run in line.runs.values()), default=0)


def shuffles_over(line, other):
    """Returns the ratio of what shuffles read in the worst iteration; without iterations, in the whole run."""
    each = [_over(line, other, summary.iteration(number, "shuffleReadBytes"))
            for number in range(1, iterations(line) + 1)]
    known = [ratio for ratio in each if ratio is not None]
    return max(known) if known else _over(line, other, summary.shuffle_read)


def cpu_of_iterations(line):
    last = iterations(line)
    chosen = dict.fromkeys([2, (last + 2) // 2, last]) if last > 1 else ()
    its = [line.interval(summary.iteration(number, "cpuSeconds")) for number in chosen]
    return ", ".join(report.median(each, 1, 2) for each in its) or "-"


def _ratio(value):
    return "-" if value is None else f"{value:.2f}"


def row(line, first, all_fits):
    def to_first(figure):
        return report.ratio(line.ratio(figure, first)) if first and first is not line else ""

    return [region(line) or "-", line.series.scratch, line.series.variant, len(line.runs),
            report.median(line.interval(summary.wall)), to_first(summary.wall),
            _ratio(_over(line, all_fits, summary.wall)),
            report.median(line.interval(summary.cpu)), to_first(summary.cpu),
            _ratio(_over(line, all_fits, summary.cpu)),
            report.median(line.interval(summary.shuffle_read), MB),
            _ratio(shuffles_over(line, all_fits)), cpu_of_iterations(line),
            report.median(line.interval(summary.cached), MB, 0),
            report.whole(line.exact(summary.evictions)),
            report.median(line.interval(summary.blocks_written), MB),
            report.median(line.interval(summary.moved("written")), MB),
            report.median(line.interval(summary.moved("read")), MB),
            report.median(line.interval(summary.memory), MB, 0)]


def rows(measurements):
    """Yields the rows of [(about, lines)] of the same work. The first pair has the line in which all fits."""
    fits = whole([line for _, lines in measurements for line in lines])
    for about, lines in measurements:
        firsts = {(line.series.scratch, line.series.point): line for line in lines
                  if line.series.variant == about["variants"][0]}
        for line in lines:
            if line.runs:
                yield row(line, firsts.get((line.series.scratch, line.series.point)),
                          fits.get(_place(line)))


def section(about, lines):
    """Yields a section of a measurement's report, or nothing if memory wasn't swept."""
    if any(region(line) for line in lines):
        yield "## When memory is short"
        yield ""
        yield ABOUT
        yield ""
        yield from report.table(HEADS, rows([(about, lines)]))
        yield ""


def work(about):
    """Returns the workload with the options that differ from its defaults."""
    return ", ".join([about["workload"],
                      *(f"{name} = {value}" for name, value in about["options"].items())])


def page(title, measurements):
    """One page of several measurements [(about, lines)]: a table for each work."""
    yield f"# {title}"
    yield ""
    yield ABOUT
    yield ""
    for its in dict.fromkeys(work(about) for about, _ in measurements):
        of_it = [(about, lines) for about, lines in measurements if work(about) == its]
        yield f"## {its}"
        yield ""
        yield from report.measured([about for about, _ in of_it])
        yield from report.table(HEADS, rows(of_it))
        yield ""
        yield from report.failures([line for _, lines in of_it for line in lines])
