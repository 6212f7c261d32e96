"""What spark-hpc prove has measured, as text and as a page that needs no other file."""

import html
import statistics

# (what of a run, its title, how a number is written)
_FIGURES = (
    (lambda run: run.seconds, "time of jobs", lambda number: f"{number:.1f} s"),
    (lambda run: run.requests and run.requests[0], "metadata requests of one node", lambda number: f"{number:,.0f}"),
    (lambda run: run.requests and run.requests[1], "data requests of one node", lambda number: f"{number:,.0f}"),
)
NAMES = {"stock": "stock Spark", "off": "features off", "on": "defaults"}
_WITHOUT = {
    "off": "Features off: Spark's own code for shuffles, scratch files and cached blocks, in the same distribution. A stock "
           "Spark is not compared.",
    "stock": "Stock Spark: driver and executors are those of a Spark without Spark-HPC, on the same cluster.",
}
_NOTES = (
    "Requests: what the file system's client on one node has counted, of all programs there. Clients of Lustre and MooseFS "
    "also count calls that their caches answer. No figure: this client shows none.",
    "Medians of the rounds, in brackets the smallest and the largest. The ratio is of runs of one round.",
)
_STYLE = ("body{font-family:system-ui,sans-serif;margin:2em;max-width:60em;color:#222}"
          "td,th{padding:.2em .8em;text-align:left}table{border-collapse:collapse;margin:1em 0}"
          "tr+tr{border-top:1px solid #ddd}.bar{height:.9em;min-width:2px}.off,.stock{background:#d55e00}.on{background:#009e73}")


def ratios(runs, figure=_FIGURES[0][0]):
    """Without Spark-HPC / with it, of each round; [] if a figure is missing."""
    on, without = ([figure(run) for run in runs if (run.variant == "on") == is_on] for is_on in (True, False))
    return [a / b for a, b in zip(without, on) if a is not None and b]


def text(about, runs, without):
    """`without` is what the defaults are compared with, `off` or `stock`; there may be no run of it."""
    lines = [f"{name:20} {value}" for name, value in about.items()]
    lines += ["", *map(_line, _rows(runs, without)), "", _WITHOUT[without], *_NOTES, "", conclusion(runs)]
    return "\n".join(lines) + "\n"


def conclusion(runs):
    found = ratios(runs)
    if not found:
        return "No round was complete: give it more time (--minutes), or fewer requests (--requests)."
    how = ("with stock Spark as with Spark-HPC" if any(run.variant == "stock" for run in runs)
           else "without Spark-HPC's features as with them")
    return (f"This program took {statistics.median(found):.2f} times as long {how} "
            f"({min(found):.2f} to {max(found):.2f}, {len(found)} rounds).")


def page(about, runs, without):
    cells = [f"<tr><td>{html.escape(name)}<td>{html.escape(value)}" for name, value in about.items()]
    rows = ["<tr><th>" + "<th>".join(html.escape(cell) for cell in row) for row in _rows(runs, without)[:1]]
    rows += ["<tr><td>" + "<td>".join(html.escape(cell) for cell in row) for row in _rows(runs, without)[1:]]
    return "\n".join([
        "<!DOCTYPE html>", '<html lang="en"><meta charset="utf-8"><title>Spark-HPC, measured</title>',
        f"<style>{_STYLE}</style>", "<h1>Spark-HPC, measured at a site</h1>", f"<p>{html.escape(conclusion(runs))}",
        "<table>", *rows, "</table>", *_bars(runs), *(f"<p>{html.escape(note)}" for note in (_WITHOUT[without], *_NOTES)),
        "<table>", *cells, "</table>", "</html>", ""])


def _rows(runs, without):
    rows = [["", NAMES[without], NAMES["on"], "ratio"]]
    for figure, title, write in _FIGURES:
        cells = [_spread([figure(run) for run in runs if run.variant == variant], write) for variant in (without, "on")]
        rows.append([title, *cells, _spread(ratios(runs, figure), lambda number: f"{number:.2f}")])
    return rows


def _spread(numbers, write):
    if not numbers or None in numbers:
        return ""
    return f"{write(statistics.median(numbers))} ({write(min(numbers))} to {write(max(numbers))})"


def _line(cells):
    return f"{cells[0]:30} " + "".join(f"{cell:34}" for cell in cells[1:]).rstrip()


def _bars(runs):
    """A bar for each run: how long its jobs took."""
    longest = max([run.seconds for run in runs], default=0)
    if not longest:
        return
    yield "<table><tr><th>run<th>time of jobs<th style=\"width:30em\">"
    for run in runs:
        yield (f"<tr><td>{NAMES[run.variant]}<td>{run.seconds:.1f} s<td><div class=\"bar {run.variant}\" "
               f"style=\"width:{100 * run.seconds / longest:.1f}%\"></div>")
    yield "</table>"
