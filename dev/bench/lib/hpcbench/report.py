"""A measurement as a Markdown page."""

from . import fit, intervals, summary, sweep

MB = 1 << 20
HEADS = ["scratch", "variant", "n", "wall s", "ratio", "CPU s", "ratio", "heap + tmpfs MB",
         "shuffle MB", "spill MB", "evictions", "metadata ops", "data requests"]


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"


def whole(value):
    """Returns a count, or its range if runs differ."""
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return f"{value[0]:,} to {value[1]:,}"
    return f"{value:,}"


def median(interval, unit=1, digits=1):
    return "-" if interval is None else f"{interval.median / unit:,.{digits}f}"


def ratio(interval):
    """Returns a ratio such as `0.93 (0.88 to 0.99)`; `!` marks one whose upper end isn't below 1.05."""
    if interval is None:
        return ""
    if interval.low is None:
        return f"{interval.median:.2f} (n = {interval.n}: no interval)"
    mark = "" if intervals.no_slower(interval) else " !"
    return f"{interval.median:.2f} ({interval.low:.2f} to {interval.high:.2f}){mark}"


def row(line, baseline):
    def against(figure):
        return ratio(line.ratio(figure, baseline)) if baseline else ""

    return [line.series.scratch, line.series.variant, len(line.runs),
            median(line.interval(summary.wall)), against(summary.wall),
            median(line.interval(summary.cpu)), against(summary.cpu),
            median(line.interval(summary.memory), MB, 0),
            median(line.interval(summary.shuffle), MB, 1),
            median(line.interval(summary.spilled), MB, 1),
            whole(line.exact(summary.evictions)),
            whole(line.exact(summary.metadata)), whole(line.exact(summary.data))]


def measured_where(about):
    """Returns two sentences: when and on what machine, with how many nodes."""
    where = about["environment"]
    return (f"{where['date']}, commit {where['commit']}, {where['jvm']}, {where['os']}, "
            f"{where['processor']}, load {where['load']} at the start. "
            f"{about['nodes']} nodes, heap {about['heap']} each executor"
            f"{', caches emptied before each run' if about['cold'] else ''}.")


def measured(abouts):
    """The commands of measurements that were made together, and where."""
    for about in abouts:
        yield f"    {about['command']}"
    yield from ("", measured_where(abouts[0]), "")


def page(about, runs, plot=None):
    lines = summary.asked(about, runs)
    yield f"# {about['workload']}: {', '.join(about['variants'])}"
    yield ""
    yield f"    {about['command']}"
    yield ""
    yield f"{measured_where(about)} CPU: executors and driver, by {about['cpu']}."
    yield ""
    thrown = "" if about["keep_first"] else " after a warm-up round"
    yield (f"Medians of n rounds{thrown}. Ratios are of runs of one "
           f"round, to {about['variants'][0]} on the same scratch; those of this variant itself are to its runs on "
           "tmpfs or on the first scratch. In brackets the 95% interval, with ! if its upper end isn't below 1.05. "
           "Counts are of one run, counted by the file system.")
    yield ""
    for point in dict.fromkeys(line.series.point for line in lines):
        here = [line for line in lines if line.series.point == point]
        if point:
            yield "## " + ", ".join(f"{axis} = {value}" for axis, value in point)
            yield ""
        yield from table(HEADS, [
            row(line, summary.baseline_of(line, here, about["variants"], about["scratches"]))
            for line in here if line.runs])
        yield ""
    if plot:
        yield f"![{about['workload']}]({plot})"
        yield ""
    yield from failures(lines)
    yield from _kinds(lines)
    yield from _laws(lines)
    yield from _servers(lines)


def failures(lines):
    failed = [(line.series.label(), number, why) for line in lines for number, why in line.failures]
    if failed:
        yield "## Runs that failed, and are in no figure"
        yield ""
        yield from table(["series", "round", "why"], failed)
        yield ""


def _kinds(lines):
    """Yields requests by kind; a cell is a range if rounds differ."""
    counted = [line for line in lines if any(summary.kinds(run) for run in line.runs.values())]
    if not counted:
        return
    names = list(dict.fromkeys(kind for line in counted for run in line.runs.values()
                               for kind in summary.kinds(run)))
    yield "## Requests by kind, counted outside the JVM"
    yield ""
    yield from table(["series", *names], [
        [line.series.label(), *(whole(_of_kind(line, kind)) for kind in names)]
        for line in counted])
    yield ""


def _of_kind(line, kind):
    """Returns None if no run saw that kind: some file systems don't count all kinds."""
    count = line.exact(lambda run: summary.kinds(run).get(kind, 0))
    return None if count == 0 else count


def laws(lines):
    """Returns {(variant, scratch, kind): formula} over points that differ only in maps and reduces."""
    points = {}
    for line in lines:
        for run in list(line.runs.values())[:1]:
            options = run["options"]
            if run["counts"] and {"maps", "reduces"} <= options.keys():
                rest = tuple((axis, value) for axis, value in line.series.point
                             if axis not in ("maps", "reduces", *sweep.PARTITIONS))
                pair = int(options["maps"]), int(options["reduces"])
                for kind in summary.kinds(run):
                    key = (line.series.variant, line.series.scratch, rest, kind)
                    count = line.exact(lambda one, kind=kind: summary.kinds(one).get(kind, 0))
                    points.setdefault(key, {})[pair] = (
                        sum(count) / 2 if isinstance(count, tuple) else count)
    for key, counts in points.items():
        square = all(m == r for m, r in counts)
        if len(counts) >= (3 if square else 4):
            yield key, fit.formula(*fit.least_squares(counts)), sorted(counts)


def _laws(lines):
    found = list(laws(lines))
    if not found:
        return
    yield "## Laws of the counts"
    yield ""
    yield ("Least squares on a + b M + c R + d M R (M maps, R reduces; if M = R at all points, b and c "
           "are one). A law without 'within' holds exactly at all measured points.")
    yield ""
    yield from table(["series", "kind", "requests", "points"], [
        [f"{variant} on {scratch}" + "".join(f" {a}={v}" for a, v in rest), kind, law, len(points)]
        for (variant, scratch, rest, kind), law, points in found])
    yield ""


def _servers(lines):
    def used(run):
        return run["cpu_seconds"]["file_system"]

    rows = [[line.series.label(), median(line.interval(used))] for line in lines
            if line.interval(used) and line.interval(used).median > 0]
    if rows:
        yield "## CPU seconds of the file systems' own processes, in none of the figures above"
        yield ""
        yield from table(["series", "CPU s"], rows)
        yield ""
