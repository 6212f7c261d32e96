"""Summarises the runs of a series, and their ratios to a baseline round by round."""

import dataclasses

from . import intervals, record
from .plan import Series



def wall(run):
    return run["wall_seconds"]


def phase(name):
    """Seconds of a phase of the program, or None if it has no such phase."""
    return lambda run: run["phases"].get(name)


def cpu(run):
    return run["cpu_seconds"]["executors"] + run["cpu_seconds"]["driver"]


def memory(run):
    """Bytes of memory that the nodes need: the peak heaps and, if scratch is in memory, its peak."""
    return run["spark"]["peak_heap_bytes"] + (run["peak_scratch_bytes"] or 0)


def shuffle(run):
    return run["spark"]["shuffle_written_bytes"]


def spilled(run):
    return run["spark"]["spilled_bytes"]


def evictions(run):
    return run["spark"]["evictions"]


def shuffle_read(run):
    return run["spark"]["shuffle_read_bytes"]


def cached(run):
    """The most bytes of cached blocks that were in memory at once."""
    return run["spark"].get("peak_block_bytes")


def blocks_written(run):
    """Bytes of cached blocks that went to disk, as the driver was told."""
    return run["spark"].get("written_block_bytes")


def moved(way):
    """Bytes that executors have "read" or "written" by system calls: files and sockets."""
    return lambda run: (run.get("moved_bytes") or {}).get(way)


def iteration(number, key):
    """A value that the program printed for one of its iterations, or None if it had fewer."""
    return lambda run: next((each[key] for each in run["iterations"] or ()
                             if each["iteration"] == number and key in each), None)


def metadata(run):
    return (run["counts"] or {}).get("metadata_requests")


def data(run):
    return (run["counts"] or {}).get("data_requests")


def kinds(run):
    """Returns {kind: requests} of all clients."""
    return run["counts"]["totals"] if run["counts"] else {}


def classes(run):
    """Returns {(class, kind): requests} of all clients."""
    found = {}
    for client in run["counts"]["clients"] if run["counts"] else []:
        for kind, by_class in client["counts"].items():
            for name, count in by_class.items():
                found[name, kind] = found.get((name, kind), 0) + count
    return found


@dataclasses.dataclass
class Line:
    """A series with its measured runs, by round."""

    series: Series
    runs: dict
    failures: list

    def values(self, figure):
        return {number: figure(run) for number, run in self.runs.items()
                if figure(run) is not None}

    def interval(self, figure):
        values = self.values(figure)
        return intervals.of(values.values()) if values else None

    def ratio(self, figure, baseline):
        return intervals.paired_ratio(self.values(figure), baseline.values(figure))

    def exact(self, figure):
        """Returns the value if all runs have the same, otherwise (least, most); None if nothing counted."""
        values = set(self.values(figure).values())
        if not values:
            return None
        return values.pop() if len(values) == 1 else (min(values), max(values))


def lines(runs):
    """Returns one line per series, in the order of their first runs."""
    found = {}
    for run in sorted(runs, key=lambda run: run["round"]):
        series = Series(run["variant"], run["scratch"], tuple(run["point"].items()))
        line = found.setdefault(series, Line(series, {}, []))
        if run["failure"]:
            line.failures.append((run["round"], run["failure"]))
    for run in record.measured(runs):
        series = Series(run["variant"], run["scratch"], tuple(run["point"].items()))
        found[series].runs[run["round"]] = run
    return list(found.values())


def asked(about, runs):
    """Returns all lines in the order in which the command named sweep values, scratches and variants. The
    order of the runs changes from round to round."""
    def place(values, value):
        return values.index(value) if value in values else 0

    def key(line):
        point = [place(about.get("sweep", {}).get(axis, []), value) for axis, value in line.series.point]
        return (point, place(about["scratches"], line.series.scratch),
                place(about["variants"], line.series.variant))

    return sorted(lines(runs), key=key)


def baseline_of(line, all_lines, variants, scratches):
    """Returns the first variant's line on the same scratch. If there is none, and for the first variant itself,
    returns its line on tmpfs or on the first scratch, or None if that is the line itself."""
    def find(variant, scratch):
        wanted = Series(variant, scratch, line.series.point)
        return next((each for each in all_lines if each.series == wanted), None)

    first = next((text for text in scratches if text.partition(":")[0] == "tmpfs"), scratches[0])
    there = find(variants[0], line.series.scratch)
    baseline = find(variants[0], first) if there in (line, None) else there
    return baseline if baseline is not line else None
