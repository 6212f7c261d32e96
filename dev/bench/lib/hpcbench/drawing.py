"""Series of charts from measurements: over an axis of the sweep, by scratch, phase or iteration.

Each of the first functions makes one that takes [(about, lines)], one for each command of a figure,
and gives the categories of the x axis (None where x is a number) and the series.
"""

from . import intervals, svg


def interval_point(x, values):
    its = intervals.of(values)
    return x, its.median, its.low, its.high


def where(line):
    return f"{line.series.variant} on {line.series.scratch}"


def over(axis, figures):
    """Series for each (variant, scratch) and each of {name: run -> number}, over a sweep's axis."""
    def draw(measurements):
        found = {}
        for about, lines in measurements:
            several = len(measurements) > 1
            for line in lines:
                x = float(dict(line.series.point)[axis])
                for name, figure in figures.items():
                    values = list(line.values(figure).values())
                    if values:
                        words = [about["workload"] if several else "", name, where(line)]
                        key = " ".join(word for word in words if word)
                        found.setdefault(key, []).append(interval_point(x, values))
        return None, [svg.Series(name, sorted(points)) for name, points in found.items()]
    return draw


def by_scratch(figures):
    """The same over the kinds of scratch."""
    def draw(measurements):
        categories = list(dict.fromkeys(s for about, _ in measurements for s in about["scratches"]))
        found = {}
        for about, lines in measurements:
            for line in lines:
                for name, figure in figures.items():
                    values = list(line.values(figure).values())
                    if values:
                        key = f"{about['workload']} {name} {line.series.variant}".replace("  ", " ")
                        found.setdefault(key, []).append(
                            interval_point(line.series.scratch, values))
        return categories, [svg.Series(name, points, joined=False)
                            for name, points in found.items()]
    return draw


def by_phase(names):
    """Categories are the program's phases, a series for each scratch."""
    def draw(measurements):
        found = {}
        for _, lines in measurements:
            for line in lines:
                for name in names:
                    values = [run["phases"][name] for run in line.runs.values()]
                    if values:
                        found.setdefault(where(line), []).append(interval_point(name, values))
        return list(names), [svg.Series(name, points, joined=False)
                             for name, points in found.items()]
    return draw


def by_iteration(key, unit=1):
    """A value of the program's own lines for each iteration, a series for each point of the sweep."""
    def draw(measurements):
        found = {}
        for _, lines in measurements:
            for line in lines:
                name = " ".join([line.series.variant, *(value for _, value in line.series.point)])
                by_number = {}
                for run in line.runs.values():
                    for each in run["iterations"]:
                        by_number.setdefault(each["iteration"], []).append(each[key] / unit)
                found[name] = [interval_point(number, values)
                               for number, values in sorted(by_number.items())]
        return None, [svg.Series(name, points) for name, points in found.items()]
    return draw


def phase(name):
    return lambda run: run["phases"].get(name)


def served(kind, what):
    """Microseconds of a kind of request, as the testbed's model gave them."""
    def figure(run):
        times = run["counts"] and run["counts"].get("service", {}).get(kind)
        return times and times[what]
    return figure


def mean_with_wait(kind):
    def figure(run):
        times = run["counts"] and run["counts"].get("service", {}).get(kind)
        return times and times["mean_us"] + times["mean_wait_us"]
    return figure


def per_task(*keys):
    """Seconds of one task, on average."""
    return lambda run: sum(run["spark"][key] for key in keys) / run["spark"]["tasks"]


def app_per_task(run):
    its = run["spark"]
    return max(0.0, its["run_seconds"] - its["fetch_wait_seconds"] - its["shuffle_write_seconds"]
               - its["result_serialization_seconds"]) / its["tasks"]
