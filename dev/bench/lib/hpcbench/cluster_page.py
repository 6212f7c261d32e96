"""The page of docs/results/cluster-model.md, from the model and from the runs that it rests on."""

import sys

from . import ROOT, environment, report, svg
from . import cluster_model as model

SIZES = (512, 2048, 10240, 50000)
CORI_CORES = 32
# 4 partitions for each core, as in HPDC'16.
PER_CORE = 4
# Assumed: HPDC'16 doesn't publish it. A record for each reducer of the largest size, as in the worst case.
SHAPE = {"pairs": 1_000_000, "pair_bytes": 20, "steps": 8}
NODE = "an executor for each node"
# The preset's number of service threads is assumed. These are what HPDC'16's ratio on 8 nodes would need.
FAST = {"mds.threads": 16}
# label: (variant of the model, cores of an executor, changed settings).
SERIES = {"stock": ("stock", 1, None), "stock, 16 threads": ("stock", 1, FAST), "pool": ("pool", 1, None),
          "lustremount": ("lustremount", 1, None), "ramdisk": ("ramdisk", 1, None), "ours": ("ours", 1, None),
          f"ours, {NODE}": ("ours", CORI_CORES, None)}
# Of PageRank's 20 shuffles, larger sizes take too long to simulate.
OTHERS = {"PageRank": (SIZES[:2], {"shuffles": 20, "pairs": 20_000, "pair_bytes": 20,
                                   "changed": {"cpu.map_s": 0.2, "cpu.reduce_s": 0.2}}),
          "Big Data Benchmark": (SIZES, {"shuffles": 2, "pairs": 20_000, "pair_bytes": 50, "tasks": 200,
                                         "files": True})}


def ask(machine, cores, slots, variants, **how):
    tasks = how.pop("tasks", PER_CORE * cores)
    if how.pop("files", False):
        how["inputs"] = PER_CORE * cores
    return model.simulate(machine, max(1, cores // slots), slots=slots, tasks=tasks, variants=variants,
                          **{**SHAPE, **how})


def whole(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def difference(found, wanted):
    return f"{100 * (found / wanted - 1):+.0f}%"


def ratios(changed):
    """Yields ratios of the model's times, in the order of the rows of `paper`."""
    def ratio(of, to, its):
        return its[of]["seconds"] / its[to]["seconds"]

    edison = ask("edison-xc30", 24, 24, ("stock", "ramdisk"), changed=changed)
    node = ask("cori-xc40", 32, 32, ("stock", "pool", "ramdisk", "lustremount"), changed=changed)
    eight = ask("cori-xc40", 256, 32, ("stock", "pool", "ramdisk"), changed=changed)
    alone = ask("cori-xc40", 512, 1, ("stock", "pool"), changed=changed)
    large = ask("cori-xc40", 10240, 1, ("ramdisk", "lustremount"), changed=changed)
    yield ratio("stock", "ramdisk", edison)
    yield ratio("stock", "ramdisk", node)
    yield ratio("stock", "lustremount", node)
    yield ratio("stock", "pool", node)
    yield ratio("stock", "ramdisk", eight)
    yield ratio("stock", "pool", eight)
    yield ratio("stock", "pool", alone)
    yield ratio("lustremount", "ramdisk", large)


def paper():
    """Yields rows: what HPDC'16 says, and what the model says of the same."""
    opens = ask("edison-xc30", 384, 24, ("stock",))["stock"]["opens"]
    yield ["5.1", "opens of a shuffle, 1,536 partitions", "4,718,592", f"{opens:,.0f}", difference(opens, 4_718_592), ""]
    texts = (("5.1", "a node of Edison, a task on Lustre to one on ramdisk", 3228 / 1540),
             ("Fig. 11", "a node of Cori, Lustre to ramdisk (\"up to\")", 7.7),
             ("Fig. 11", "a node of Cori, Lustre to lustremount", 6.6),
             ("Fig. 11", "a node of Cori, Lustre to pool", 2.2),
             ("Fig. 12", "8 nodes of Cori, YARN, Lustre to ramdisk (\"up to\")", 6),
             ("Fig. 12", "8 nodes of Cori, YARN, Lustre to pool (\"up to\")", 4),
             ("Fig. 12", "512 cores of Cori, standalone, Lustre to pool (\"only as high as\")", 1.3),
             ("Fig. 15", "10,240 cores of Cori, lustremount to ramdisk", 1.13))
    for (where, what, theirs), its, fast in zip(texts, ratios(None), ratios(FAST)):
        yield [where, what, f"{theirs:.2f}", f"{its:.2f}", difference(its, theirs), f"{fast:.2f}"]


def series(cores, **how):
    """Returns {label: figures} at one size."""
    found = {}
    for slots, changed in ((1, None), (1, FAST), (CORI_CORES, None)):
        labels = {its[0]: label for label, its in SERIES.items() if its[1:] == (slots, changed)}
        more = {**how, "changed": {**how.get("changed", {}), **(changed or {})}}
        for variant, its in ask("cori-xc40", cores, slots, tuple(labels), **more).items():
            found[labels[variant]] = its
    return {label: found[label] for label in SERIES}


def groupby():
    """Returns {label: {cores: figures}}."""
    found = {label: {} for label in SERIES}
    for cores in SIZES:
        print(f"cluster-model: GroupBy on {cores:,} cores", file=sys.stderr)
        for label, its in series(cores).items():
            found[label][cores] = its
    return found


def sizes(found):
    """Yields rows of the large sizes."""
    for label, by_cores in found.items():
        for cores, its in by_cores.items():
            yield [label, f"{cores:,}", whole(its["seconds"]), whole(its["first"]), whole(its["others"]),
                   f"{its['metadata']:,.0f}", f"{its['busiest'].replace('_', ' ')} {its['share']:.0%}"]


def others():
    """Yields rows of the other programs."""
    for name, (sizes_of, how) in OTHERS.items():
        for cores in sizes_of:
            print(f"cluster-model: {name} on {cores:,} cores", file=sys.stderr)
            cells = [f"{whole(its['seconds'])} ({its['metadata']:,.0f})"
                     for its in series(cores, label="other", steps=4, **how).values()]
            yield [name, f"{cores:,}", *cells]


def checked():
    """Yields rows: what was predicted, and what runs took."""
    runs = [row for row in model.load(model.RUNS) if row["purpose"] == "check"]
    for row in model.load(model.PREDICTED):
        same = [run for run in runs if run["variant"] == row["variant"] and run["executors"] == row["executors"]]
        for what in ("seconds", "map", "reduce", "cpu", "metadata", "wait"):
            values = sorted(run[what] for run in same)
            if values:
                middle = values[len(values) // 2]
                error = row[what] / middle - 1
                yield [row["variant"], f"{row['executors']:.0f}", what, whole(row[what]), whole(middle),
                       f"{whole(values[0])} to {whole(values[-1])}", f"{error:+.0%}",
                       "yes" if abs(error) <= model.GOAL else "**no**"]


def calibrated():
    """Yields rows: the model beside the runs that it was calibrated with."""
    runs = [row for row in model.load(model.RUNS) if row["purpose"] == "executors"]
    for row in model.predictions(model.CALIBRATED):
        same = [run for run in runs if run["variant"] == row["variant"] and run["executors"] == row["executors"]]
        least = {what: min(run[what] for run in same) for what in ("seconds", "metadata", "wait")}
        most = max(run["seconds"] for run in same)
        yield [row["variant"], row["executors"], whole(row["seconds"]), f"{whole(least['seconds'])} to {whole(most)}",
               difference(row["seconds"], least["seconds"]), whole(row["metadata"]), whole(least["metadata"]),
               whole(row["wait"]), whole(least["wait"])]


def draw(found):
    """Draws both plots."""
    caption = "dev/bench/cluster-model page"
    lines = [svg.Series(label, [(cores, its["seconds"], None, None) for cores, its in by_cores.items()])
             for label, by_cores in found.items()]
    plots = {"sizes.svg": svg.chart("GroupBy on a machine like Cori, predicted", svg.Axis("cores", log=True),
                                    svg.Axis("seconds", log=True), lines, caption)}
    points = []
    runs = model.load(model.RUNS)
    counts = (*model.CALIBRATED, *model.CHECKED)
    rows = model.predictions(counts)
    for variant in model.VARIANTS:
        points.append(svg.Series(f"{variant}, model", [(row["executors"], row["seconds"], None, None)
                                                       for row in rows if row["variant"] == variant]))
        measured = []
        for count in counts:
            values = sorted(run["seconds"] for run in runs if run["variant"] == variant
                            and run["executors"] == count and run["purpose"] != "width")
            if values:
                measured.append((count, values[len(values) // 2], values[0], values[-1]))
        points.append(svg.Series(f"{variant}, measured (least to most)", measured, joined=False))
    plots["check.svg"] = svg.chart("GroupBy on this machine's two cores", svg.Axis("executors"),
                                   svg.Axis("seconds"), points, caption)
    for name, text in plots.items():
        (model.RESULTS / name).write_text(text, encoding="utf-8")


def page():
    where = environment.describe()
    found = groupby()
    draw(found)
    fitted = model.FITTED.read_text(encoding="utf-8").splitlines()
    text = (ROOT / "dev" / "bench" / "lib" / "hpcbench" / "cluster_page.txt").read_text(encoding="utf-8")
    heads = {
        "where": [f"{where['date']}, commit {where['commit']}, {where['jvm']}, {where['os']}, {where['processor']}. "
                  f"The calibration: {fitted[1].lstrip('# ')}."],
        "sizes": report.table(["variant", "cores", "s", "map stage s", "reduce stage s", "metadata requests",
                               "what is busiest in the longest stage"], sizes(found)),
        "others": report.table(["program", "cores", *SERIES], others()),
        "checked": report.table(["variant", "executors", "what", "predicted", "measured, median", "least to most",
                                 "difference", "within 20%"], checked()),
        "calibrated": report.table(["variant", "executors", "model s", "measured s", "difference to the least",
                                    "model: metadata requests", "measured", "model: s of all requests",
                                    "measured"], calibrated()),
        "paper": report.table(["HPDC'16", "what", "paper", "model", "difference", "model, 16 threads"], paper()),
    }
    for name, lines in heads.items():
        text = text.replace(f"<!-- {name} -->", "\n".join(lines))
    return text.rstrip().splitlines()
