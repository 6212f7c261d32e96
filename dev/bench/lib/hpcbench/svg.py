"""A chart as SVG text: points with intervals, joined by lines, on linear or logarithmic axes.

The same figures give the same bytes, so a changed plot means changed figures. Words stay text, so that a
plot's command can be copied.
"""

import dataclasses
import io
import textwrap

from . import libraries

SETTINGS = {"svg.hashsalt": "spark-hpc", "svg.fonttype": "none", "figure.figsize": (7, 4.4), "font.size": 9,
            "axes.spines.top": False, "axes.spines.right": False}
NOT_SAID = {"Date": None, "Creator": None}
CAPTION_WIDTH = 110
KEY_WIDTH = 32
# The share of a category's width on which the points of all series stand.
ABREAST = 0.6


@dataclasses.dataclass
class Series:
    """`points` are (x, y, low, high); low and high are None if there is no interval; x is a number
    or the name of a category."""

    name: str
    points: list
    joined: bool = True


@dataclasses.dataclass
class Axis:
    """An axis; categories are at equal distances."""

    label: str
    log: bool = False
    categories: list = None

    def scale(self):
        return "log" if self.log else "linear"


def chart(title, x, y, series, caption=""):
    """Returns the SVG of all series."""
    matplotlib = libraries.load("matplotlib")
    text = io.StringIO()
    with matplotlib.rc_context():
        # Ignore this machine's matplotlibrc.
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        _figure(title, x, y, series, caption).savefig(text, format="svg", bbox_inches="tight",
                                                      metadata={**NOT_SAID, "Title": title})
    return text.getvalue()


def _figure(title, x, y, series, caption):
    figure = libraries.load("matplotlib.figure").Figure()
    axes = figure.subplots()
    axes.set(xlabel=x.label, ylabel=y.label, xscale=x.scale(), yscale=y.scale())
    axes.set_title(title, loc="left", weight="bold")
    axes.grid(axis="y", color="#dddddd")
    for number, each in enumerate(series):
        _draw(axes, each, number, len(series), x.categories)
    if x.categories:
        axes.set_xticks(range(len(x.categories)), x.categories)
    for scale, axis in ((x, axes.xaxis), (y, axes.yaxis)):
        if not scale.categories:
            axis.set_major_formatter("{x:,.9g}")
    if not y.log:
        axes.set_ylim(bottom=0)
    if series:
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    axes.annotate(textwrap.fill(caption, CAPTION_WIDTH, break_on_hyphens=False), (0, 0), (0, -40),
                  xycoords="axes fraction", textcoords="offset points", va="top", fontsize=6, parse_math=False)
    return figure


def _draw(axes, series, number, count, categories):
    if categories:
        # Points of one category stand beside each other.
        shift = ABREAST * ((number + 0.5) / count - 0.5)
        across = [categories.index(point[0]) + shift for point in series.points]
    else:
        across = [point[0] for point in series.points]
    values = [value for _, value, _, _ in series.points]
    intervals = [[value - low if low is not None else 0 for _, value, low, _ in series.points],
                 [high - value if high is not None else 0 for _, value, _, high in series.points]]
    # The twenty colours of tab20 are pairs of a dark and a light one: use all dark ones first.
    colours = libraries.load("matplotlib").colormaps["tab20"].colors
    axes.errorbar(across, values, intervals, fmt="o-" if series.joined else "o", markersize=5,
                  color=(colours[::2] + colours[1::2])[number % len(colours)],
                  label=textwrap.fill(series.name, KEY_WIDTH))
