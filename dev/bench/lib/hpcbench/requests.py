"""Makes a page of the requests of several measurements to a file system, by kind of file."""

from . import report, summary

# Column -> the testbed's path classes.
GROUPS = {
    "spills": ("temp_local", "temp_shuffle"),
    "Python's spills": ("python_spill",),
    "cached blocks": ("rdd",),
    "shuffle outputs": ("shuffle_data", "shuffle_index", "shuffle_checksum", "shuffle_temp"),
}
# Requests of directories. By name, some of Spark's directories can't be told from Python's spill files: the names of
# both are numbers.
OF_DIRECTORIES = {"lookup", "mkdir", "rmdir", "opendir", "readdir", "closedir", "statfs"}
HEADS = ["work", "variant", "spill files made", *GROUPS, "others"]


def is_request(kind):
    """Returns False for what a client found in its cache, and for revocations."""
    return not kind.startswith("cached_") and not kind.endswith("_revoked")


def by_group(run):
    """Returns {column: requests}. Requests of no group, such as those of directories, are with the others."""
    found = dict.fromkeys([*GROUPS, "others"], 0)
    for (name, kind), count in summary.classes(run).items():
        if is_request(kind):
            found[group_of(name, kind)] += count
    return found


def group_of(name, kind):
    if name in GROUPS["Python's spills"] and kind in OF_DIRECTORIES:
        return "others"
    return next((group for group, names in GROUPS.items() if name in names), "others")


def spill_files(run):
    return sum(summary.classes(run).get((name, "create"), 0)
               for group in ("spills", "Python's spills") for name in GROUPS[group])


def rows(about, runs):
    for line in summary.asked(about, runs):
        if line.runs:
            cells = [line.exact(spill_files)]
            cells += [line.exact(lambda run, group=group: by_group(run)[group])
                      for group in (*GROUPS, "others")]
            yield [about["workload"], line.series.variant, *map(report.whole, cells)]


def page(title, found):
    """`found` are (about, runs) of directories that dev/bench/run wrote."""
    yield f"# {title}"
    yield ""
    yield from report.measured([about for about, _ in found])
    yield ("Spills: files temp_local_* and temp_shuffle_*. A shuffle's output has such a name, too, until it is "
           "complete; then it is renamed or copied, and stays where outputs are. A Python worker makes 59 files "
           "for each spill, 0 to 58; lookups of these, and requests of their directories, are among the others.")
    yield ""
    yield from report.table(HEADS, [row for about, runs in found for row in rows(about, runs)])
    yield ""
    for about, runs in found:
        yield from report.failures(summary.asked(about, runs))
