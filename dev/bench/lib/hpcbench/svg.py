"""A chart as SVG text: points with intervals, joined by lines, on linear or logarithmic axes.

Written by hand so that a page of results has no dependency, and the same figures give the same
bytes.
"""

import dataclasses
import math
import textwrap
from xml.sax.saxutils import escape

COLOURS = ["#1b6ca8", "#d1495b", "#3c8d53", "#e09f3e", "#6a4c93", "#5c677d", "#00b4a0", "#8d5524",
           "#111111", "#b5c200", "#ff70c0", "#7a7aff"]
WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 230, 44, 100
CAPTION_WIDTH = 150
KEY_WIDTH = 32


@dataclasses.dataclass
class Series:
    """`points` are (x, y, low, high), low and high None where there is no interval; x is a number
    or the name of a category."""

    name: str
    points: list
    joined: bool = True


@dataclasses.dataclass
class Axis:
    """From values to 0..1; categories stand at equal distances."""

    label: str
    log: bool = False
    categories: list = None
    low: float = 0.0
    high: float = 1.0

    def cover(self, values):
        values = [value for value in values if value is not None and (value > 0 or not self.log)]
        if not values:
            return
        self.low, self.high = min(values), max(values)
        if self.log:
            self.low = 10 ** math.floor(math.log10(self.low))
            self.high = 10 ** max(math.ceil(math.log10(self.high)), math.log10(self.low) + 1)
        else:
            self.low = min(self.low, 0.0)
            step = self._step()
            self.high = max(math.ceil(self.high / step), 1) * step

    def _step(self):
        span = (self.high - self.low) or 1.0
        rough = span / 5
        power = 10 ** math.floor(math.log10(rough))
        return next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)

    def place(self, value):
        if self.categories:
            return (self.categories.index(value) + 0.5) / len(self.categories)
        if self.log:
            value = max(value, self.low)
            return math.log10(value / self.low) / math.log10(self.high / self.low)
        return (value - self.low) / ((self.high - self.low) or 1.0)

    def ticks(self):
        if self.categories:
            return self.categories
        if self.log:
            first, last = round(math.log10(self.low)), round(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1)]
        step = self._step()
        count = round((self.high - self.low) / step)
        return [self.low + step * n for n in range(count + 1)]


def name_of(tick):
    return tick if isinstance(tick, str) else f"{tick:,.6g}"


def chart(title, x, y, series, caption=""):
    """The SVG of all series; `x` and `y` are axes, whose ranges are found here."""
    values = [v for each in series for point in each.points for v in point[1:] if v is not None]
    y.cover(values)
    if not x.categories:
        x.cover([point[0] for each in series for point in each.points])
    lines = textwrap.wrap(caption, CAPTION_WIDTH, break_on_hyphens=False)
    key, down = _key(series)
    height = max(HEIGHT, down, HEIGHT - BOTTOM + 58 + 12 * len(lines))
    body = [*_frame(title, x, y, lines), *key]
    for number, each in enumerate(series):
        body += _draw(each, number, len(series), x, y)
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="12">')
    return "\n".join([head, f"<title>{escape(title)}</title>",
                      f'<rect width="{WIDTH}" height="{height}" fill="white"/>', *body, "</svg>", ""])


def _across(fraction):
    return LEFT + fraction * (WIDTH - LEFT - RIGHT)


def _up(fraction):
    return HEIGHT - BOTTOM - fraction * (HEIGHT - TOP - BOTTOM)


def _text(x, y, words, **attributes):
    its = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{its}>{escape(words)}</text>'


def _line(x1, y1, x2, y2, colour, width=1.0):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{colour}" stroke-width="{width}"/>')


def _frame(title, x, y, caption_lines):
    yield _text(LEFT, 24, title, font_size=15, font_weight="bold")
    for tick in y.ticks():
        height = _up(y.place(tick))
        yield _line(LEFT, height, WIDTH - RIGHT, height, "#dddddd")
        yield _text(LEFT - 6, height + 4, name_of(tick), text_anchor="end")
    for tick in x.ticks():
        place = _across(x.place(tick))
        yield _line(place, _up(0), place, _up(0) + 4, "#333333")
        yield _text(place, _up(0) + 18, name_of(tick), text_anchor="middle")
    yield _line(LEFT, _up(0), WIDTH - RIGHT, _up(0), "#333333")
    yield _line(LEFT, _up(0), LEFT, _up(1), "#333333")
    yield _text(_across(0.5), _up(0) + 38, x.label, text_anchor="middle")
    middle = _up(0.5)
    yield _text(18, middle, y.label, text_anchor="middle", transform=f"rotate(-90 18 {middle:.1f})")
    for number, line in enumerate(caption_lines):
        yield _text(12, _up(0) + 58 + 12 * number, line, font_size=9, fill="#555555")


def _draw(series, number, count, x, y):
    colour = COLOURS[number % len(COLOURS)]
    # Points of one category stand beside each other.
    shift = (number - (count - 1) / 2) * min(12, 60 / count) if x.categories else 0.0
    places = [(_across(x.place(at)) + shift, value, low, high)
              for at, value, low, high in series.points if value is not None]
    if series.joined and len(places) > 1:
        path = " ".join(f"{across:.1f},{_up(y.place(value)):.1f}" for across, value, _, _ in places)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    for across, value, low, high in places:
        if low is not None:
            yield _line(across, _up(y.place(low)), across, _up(y.place(high)), colour, 1.5)
        yield f'<circle cx="{across:.1f}" cy="{_up(y.place(value)):.1f}" r="4" fill="{colour}"/>'


def _key(series):
    """Its elements, and how far down it reaches."""
    found = []
    down = TOP + 8
    for number, each in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        found.append(f'<circle cx="{WIDTH - RIGHT + 20}" cy="{down}" r="4" fill="{colour}"/>')
        for line in textwrap.wrap(each.name, KEY_WIDTH) or [""]:
            found.append(_text(WIDTH - RIGHT + 30, down + 4, line, font_size=11))
            down += 14
        down += 4
    return found, down
