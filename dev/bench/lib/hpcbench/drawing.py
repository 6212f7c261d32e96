"""Makes the series of charts from measurements: over a sweep axis, by scratch, by phase or by iteration.

over, by_scratch, by_phase and by_iteration return a function. It takes [(about, lines)], one pair for each
command of a figure, and returns the categories of the x axis (None if x is a number) and the series.
"""

from . import intervals, svg


def interval_point(x, values):
    its = intervals.of(values)
    return x, its.median, its.low, its.high


def where(line):
    return f"{line.series.variant} on {line.series.scratch}"


def collected(measurements, figures, x, series):
    """Returns {series name: points} for `figures`, {name: run -> number}. If there are several measurements, the
    names include the workload."""
    found = {}
    for about, lines in measurements:
        workload = about["workload"] if len(measurements) > 1 else ""
        for line in lines:
            for name, figure in figures.items():
                values = list(line.values(figure).values())
                if values:
                    key = " ".join(word for word in (workload, name, series(about, line)) if word)
                    found.setdefault(key, []).append(interval_point(x(line), values))
    return found


def over(axis, figures):
    """Draws over a sweep axis: one series for each variant, scratch and value of the other axes."""
    def place(line):
        return dict(line.series.point)[axis]

    def series(about, line):
        several = about.get("sweep", {})
        return where(line) + "".join(f" {other}={value}" for other, value in line.series.point
                                     if other != axis and len(several.get(other, ())) > 1)

    def draw(measurements):
        places = list(dict.fromkeys(place(line) for _, lines in measurements for line in lines))
        try:
            found = collected(measurements, figures, lambda line: float(place(line)), series)
        except ValueError:
            found = collected(measurements, figures, place, series)
            return places, [svg.Series(name, points) for name, points in found.items()]
        return None, [svg.Series(name, sorted(points)) for name, points in found.items()]
    return draw


def by_scratch(figures):
    """Draws over the kinds of scratch: one series for each variant."""
    def draw(measurements):
        found = collected(measurements, figures, lambda line: line.series.scratch,
                          lambda _, line: line.series.variant)
        categories = list(dict.fromkeys(s for about, _ in measurements for s in about["scratches"]))
        return categories, [svg.Series(name, points, joined=False) for name, points in found.items()]
    return draw


def by_phase(names):
    """Draws over the program's phases: one series for each scratch."""
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
    """Draws a value that the program prints for each iteration: one series for each point of the sweep."""
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
    """Microseconds of a kind of request, from the testbed's model."""
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
