"""The plot beside a report: wall seconds of each series, with the interval of their median."""

from . import drawing, summary, svg


def of(about, runs):
    """Draws over the sweep's first axis, or by scratch if nothing was swept."""
    lines = summary.asked(about, runs)
    axis = next((axis for line in lines for axis, _ in line.series.point), None)
    figures = {"": summary.wall}
    draw = drawing.over(axis, figures) if axis else drawing.by_scratch(figures)
    categories, series = draw([(about, lines)])
    return svg.chart(about["workload"], svg.Axis(axis or "scratch", categories=categories),
                     svg.Axis("wall seconds"), series, about["command"])
