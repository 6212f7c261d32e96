"""Makes a page of the times of several measurements, compared with the first variant on the same scratch and on the
first scratch."""

from . import report, summary

HEADS = ["work", "scratch", "variant", "n", "wall s", "to {0} there", "to {0} on {1}",
         "CPU s", "to {0} there", "to {0} on {1}"]
ABOUT = (
    "Medians of n rounds after a warm-up round. Ratios are of runs of one round; in brackets the 95% interval, "
    "with ! if its upper end isn't below 1.05. CPU: of executors and driver.")
WARMED = (" Each run did its work {times} times on a copy of its input first: that isn't in the wall-clock times, but "
          "in the CPU times.")


def work(about):
    """Returns the workload with the options that differ from its defaults."""
    return " ".join([about["workload"], *(f"{key}={value}" for key, value in about["options"].items())])


def rows(about, runs):
    lines = [line for line in summary.asked(about, runs) if line.runs]
    for line in lines:
        there = next(each for each in lines if each.series.scratch == line.series.scratch)
        cells = []
        for figure in (summary.wall, summary.cpu):
            cells.append(report.median(line.interval(figure)))
            cells += ["" if line is other else report.ratio(line.ratio(figure, other))
                      for other in (there, lines[0])]
        yield [work(about), line.series.scratch, line.series.variant, len(line.runs), *cells]


def phase_rows(about, runs):
    """Yields a row for each phase of the program and each series, compared with the first variant on the same scratch."""
    lines = [line for line in summary.asked(about, runs) if line.runs]
    names = dict.fromkeys(name for line in lines for run in line.runs.values() for name in run["phases"])
    for name in names:
        for line in lines:
            there = next(each for each in lines if each.series.scratch == line.series.scratch)
            seconds = summary.phase(name)
            yield [work(about), name, line.series.scratch, line.series.variant,
                   report.median(line.interval(seconds)),
                   "" if line is there else report.ratio(line.ratio(seconds, there))]


def commits(found):
    """Returns the commits of the measurements; they needn't have been made together."""
    return ", ".join(dict.fromkeys(about["environment"]["commit"] for about, _ in found))


def about_runs(about):
    text = ABOUT.replace("after a warm-up round", "without a warm-up round") if about["keep_first"] else ABOUT
    return text + (WARMED.format(times=about["warm_up"]) if about.get("warm_up") else "")


def page(title, found, phases=False):
    """`found` are (about, runs) of directories that dev/bench/run wrote."""
    first = found[0][0]
    yield f"# {title}"
    yield ""
    for about, _ in found:
        yield f"    {about['command']}"
    yield ""
    yield report.measured_where({**first, "environment": {**first["environment"], "commit": commits(found)}})
    yield ""
    yield about_runs(first)
    yield ""
    heads = [head.format(first["variants"][0], first["scratches"][0]) for head in HEADS]
    yield from report.table(heads, [row for about, runs in found for row in rows(about, runs)])
    yield ""
    if phases:
        yield "## Phases of the program"
        yield ""
        yield from report.table(["work", "phase", "scratch", "variant", "wall s", f"to {first['variants'][0]} there"],
                                [row for about, runs in found for row in phase_rows(about, runs)])
        yield ""
    for about, runs in found:
        yield from report.failures(summary.asked(about, runs))
