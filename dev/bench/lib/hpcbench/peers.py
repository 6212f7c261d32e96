"""Makes a page that compares ways to keep map outputs: requests, bytes, memory, what is run again after a loss, and time."""

from . import report, summary

MB = report.MB
COUNTS = ["variant", "metadata requests", "opens", "creates", "data requests", "MB written", "MB read"]
COSTS = ["variant", "n", "CPU s, executors and driver", "CPU s, servers", "MB, executors", "MB, servers"]
LOSSES = ["variant", "n", "maps run again", "attempts that failed"]
TIMES = ["variant", "n", "wall s", "ratio", "CPU s", "ratio"]


def of_kind(kind):
    return lambda run: summary.kinds(run).get(kind, 0)


def moved(kind):
    """Returns how many bytes the file system's servers got or gave for requests of that kind."""
    def figure(run):
        return sum(sum(client["bytes"].get(kind, {}).values()) for client in run["counts"]["clients"])
    return figure


def megabytes(line, figure):
    """Returns the megabytes, or their range if runs differ in what is shown."""
    shown = sorted({f"{value / MB:,.1f}" for value in line.values(figure).values()}, key=lambda text: float(text.replace(",", "")))
    return shown[0] if len(shown) == 1 else f"{shown[0]} to {shown[-1]}"


def resident(who):
    return lambda run: run["peak_resident_bytes"].get(who) or None


def servers_cpu(run):
    return run["cpu_seconds"]["servers"]


def counted(line):
    return [line.series.variant,
            *(report.whole(line.exact(figure)) for figure in
              (summary.metadata, of_kind("open"), of_kind("create"), summary.data)),
            megabytes(line, moved("write")), megabytes(line, moved("read"))]


def cost(line):
    return [line.series.variant, len(line.runs), report.median(line.interval(summary.cpu)),
            report.median(line.interval(servers_cpu)),
            *(report.median(line.interval(resident(who)), MB, 0) for who in ("executors", "servers"))]


def lost(line):
    return [line.series.variant, len(line.runs),
            *(report.whole(line.exact(lambda run, name=name: run["spark"].get(name, 0)))
              for name in ("maps_run_again", "failed_tasks"))]


def timed(line, baseline):
    def against(figure):
        return report.ratio(line.ratio(figure, baseline)) if line is not baseline else ""

    return [line.series.variant, len(line.runs), report.median(line.interval(summary.wall)), against(summary.wall),
            report.median(line.interval(summary.cpu)), against(summary.cpu)]


def lines_of(found):
    """`found` are (about, runs) of directories that dev/bench/run wrote."""
    return [line for about, runs in found for line in summary.asked(about, runs)]


def page(command, counts, kills, times):
    """Each of the last three is a list of (about, runs). Parts that weren't measured are left out."""
    yield "# Ways to keep map outputs"
    yield ""
    yield f"    {command}"
    yield ""
    found = [*counts, *kills, *times]
    yield from report.measured([about for about, _ in found])
    yield ("All variants serialize with Kryo. Executors have one core. The applications are whole: start and end are "
           "included.")
    if counts:
        yield from _section("Requests and bytes", (
            f"{_size(counts)}, one executor. Counted by the file system, outside the JVM; a cell has a range if runs differ. A node that "
            "has written data reads it from its cache, which is no request. It sends the data later: a "
            "file that is deleted before that adds no bytes. `hpc` keeps map outputs in containers in the "
            "executor's scratch directory, which is on the file system here."),
            COUNTS, map(counted, _measured(counts)))
        yield from _section("Memory and CPU", (
            "The same runs, on a shared machine; medians. Memory is resident memory of the processes, sampled each 0.1 s: a peak of "
            "one sample, and a process that starts another one may count twice at that moment, so few runs can't compare variants. "
            "Servers are what the variant started besides Spark's master and worker; `-`: none."),
            COSTS, map(cost, _measured(counts)))
    if kills:
        yield from _section("After the loss of an executor", (
            f"{_size(kills)}, one executor, killed with SIGKILL when the map stage has ended. Spark's master starts another one. A map "
            "counts as run again if it had already ended well."),
            LOSSES, map(lost, _measured(kills)))
    if times:
        about = times[0][0]
        measured = _measured(times)
        yield from _section("Time", (
            f"{_size(times)}, on {', '.join(about['scratches'])}, medians. Ratios are of runs of one round, to {about['variants'][0]}; in "
            "brackets the 95% interval, with ! if its upper end isn't below 1.05."),
            TIMES, (timed(line, measured[0]) for line in measured))
    yield ""
    yield from report.failures(lines_of(found))


def _measured(found):
    return [line for line in lines_of(found) if line.runs]


def _size(found):
    options = found[0][1][0]["options"]
    return f"{options['maps']} maps and {options['reduces']} reducers"


def _section(title, text, heads, rows):
    yield from ("", f"## {title}", "", text, "")
    yield from report.table(heads, rows)
