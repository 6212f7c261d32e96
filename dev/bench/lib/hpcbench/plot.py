"""The plot beside a report: wall seconds of each series, with the interval of their median."""

from . import summary, svg


def numeric(values):
    try:
        return [float(value) for value in values]
    except ValueError:
        return None


def sweep_plot(about, lines, axis, figure=summary.wall, label="wall seconds", log=False):
    """`figure` over one axis of the sweep; every other difference is a series of its own."""
    values = list(dict.fromkeys(dict(line.series.point)[axis] for line in lines))
    numbers = numeric(values)
    at = dict(zip(values, numbers or values))
    found = {}
    for line in lines:
        point = dict(line.series.point)
        rest = "".join(f" {a}={v}" for a, v in point.items() if a != axis)
        name = f"{line.series.variant} on {line.series.scratch}{rest}"
        interval = line.interval(figure)
        if interval:
            found.setdefault(name, []).append(
                (at[point[axis]], interval.median, interval.low, interval.high))
    return svg.chart(about["workload"],
                     svg.Axis(axis, categories=None if numbers else values), svg.Axis(label, log=log),
                     [svg.Series(name, sorted(points) if numbers else points)
                      for name, points in found.items()], about["command"])


def scratch_plot(about, lines, figure=summary.wall, label="wall seconds", log=False):
    """`figure` by scratch; a series for each variant."""
    found = {}
    for line in lines:
        interval = line.interval(figure)
        if interval:
            found.setdefault(line.series.variant, []).append(
                (line.series.scratch, interval.median, interval.low, interval.high))
    return svg.chart(about["workload"], svg.Axis("scratch", categories=about["scratches"]),
                     svg.Axis(label, log=log),
                     [svg.Series(name, points, joined=False) for name, points in found.items()],
                     about["command"])


def of(about, runs):
    lines = summary.asked(about, runs)
    axes = [axis for axis, _ in lines[0].series.point] if lines else []
    return sweep_plot(about, lines, axes[0]) if axes else scratch_plot(about, lines)
