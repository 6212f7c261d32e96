"""Makes a page of what copies on nodes and class data save when a cluster starts and runs its first program.

A round is {"preset", "environment", "variants": {name: [one for each of PARTS]}}. A part has the elapsed seconds,
the processors' seconds and the requests by kind since the start began.
"""

from . import intervals, report

PARTS = ("the cluster is there", "a program has ended")
KINDS = ("lookup", "open", "create")
TIMES = ("seconds", "processors")
BASELINE = "as installed"
ENVIRONMENT = "an environment as installed"
# The baselines of variants that aren't compared with BASELINE.
BASELINES = {"--stage-python": ENVIRONMENT, "--stage --stage-python": ENVIRONMENT}
HEADS = ["", "n", "s", "ratio", "s of the processors", "ratio", *(f"{kind}s" for kind in KINDS)]


def page(rounds, command):
    where = rounds[-1]["environment"]
    yield "# A cluster's start, from copies and with class data"
    yield ""
    yield f"    {command}"
    yield ""
    yield (f"{where['date']}, commit {where['commit']}, {where['jvm']}, {where['os']}, {where['processor']}, load "
           f"{where['load']} at the last round's start. The distribution, the job's directory and the program "
           f"are on the emulated Lustre, {rounds[-1]['preset']}; one node, scratch and copies in its memory.")
    yield ""
    yield (f"Medians of n rounds. In each, the variants take turns, each with empty kernel caches. Ratios are of runs "
           f"of one round, to '{BASELINE}' or to '{ENVIRONMENT}', from which each Python worker imports pandas; in "
           "brackets the 95% interval, with ! if its upper end isn't below 1.05. Processors: all work of the machine, "
           "including the emulator's. The file system counts the requests; if rounds differ, least and most.")
    for place, part in enumerate(PARTS):
        yield ""
        yield f"## Until {part}"
        yield ""
        yield from report.table(HEADS, [row(rounds, variant, place) for variant in rounds[0]["variants"]])


def row(rounds, variant, place):
    def by_round(name, its=variant):
        return {number: one["variants"][its][place][name] for number, one in enumerate(rounds)}

    baseline = BASELINES.get(variant, BASELINE)
    cells = [variant, len(rounds)]
    for name in TIMES:
        ratio = "" if variant in (BASELINE, ENVIRONMENT) else report.ratio(
            intervals.paired_ratio(by_round(name), by_round(name, baseline)))
        cells += [report.median(intervals.of(by_round(name).values())), ratio]
    return cells + [counted(by_round(kind).values()) for kind in KINDS]


def counted(values):
    least, most = min(values), max(values)
    return report.whole(least if least == most else (least, most))
