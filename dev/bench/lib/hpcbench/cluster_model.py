"""The model of large clusters (dev/sim): calibrates it with real runs of GroupBy, and asks it."""

import csv
import os
import pathlib
import re
import subprocess

from . import ROOT, command_line, record, summary
from .refusal import Refusal

RESULTS = ROOT / "docs" / "results" / "cluster-model"
FITTED = RESULTS / "here.conf"
RUNS = RESULTS / "runs.tsv"
PREDICTED = RESULTS / "predicted.tsv"
FILES = (ROOT / "dev" / "testbed" / "pfs" / "presets.conf", ROOT / "dev" / "sim" / "machines.conf")
JAR = ROOT / "dev" / "sim" / "target" / "sim.jar"
PROGRAM = "org.sparkhpc.sim.cluster.Cluster"

# The model's variants, and the benchmark's.
VARIANTS = {"stock": "stock", "ours": "hpc"}
SCRATCH = "pfs:edison"
CORES = 2
TASKS = 96
PAIRS = 2000
PAIR_BYTES = 100
HEAP_MB = 256
# Spark reserves 300 MB of each heap otherwise, and refuses one of 256 MB.
RESERVED = 64 << 20
CALIBRATED = (2, 4, 8)
CHECKED = (16, 24)
# Numbers of maps and reducers for the cost of a block, on this many executors.
WIDE = (64, 256, 512)
WIDE_EXECUTORS = 4
COLUMNS = ("purpose", "variant", "executors", "tasks", "seconds", "map", "reduce", "cpu", "file_system_cpu",
           "metadata", "opens", "data", "wait")
# The greatest difference of a prediction that counts as met.
GOAL = 0.2


def groupby(purpose, variant, executors, tasks, reps, out):
    """Runs GroupBy with dev/bench/run, and returns its rows."""
    words = ["--workload", "groupby", "--variant", VARIANTS[variant], "--scratch", SCRATCH, "--keep-first",
             "--reps", str(reps), "--heap", f"{HEAP_MB}m", "--pairs-per-map", str(PAIRS),
             "--conf", f"spark.testing.reservedMemory={RESERVED}", "--out", str(out),
             "--sweep", "executors=" + ",".join(map(str, executors)),
             "--sweep", "partitions=" + ",".join(map(str, tasks))]
    if command_line.run(words):
        raise Refusal(f"{out}: a run failed; its report says why")
    return rows(purpose, variant, record.load(out)[1])


def rows(purpose, variant, runs):
    """Returns a row of runs.tsv for each run."""
    return [{"purpose": purpose, "variant": variant, "executors": run["executors"],
             "tasks": int(run["options"]["maps"]), "seconds": run["wall_seconds"],
             "map": run["phases"]["map"], "reduce": run["phases"]["reduce"],
             "cpu": run["cpu_seconds"]["executors"], "file_system_cpu": run["cpu_seconds"]["file_system"] or 0,
             "metadata": summary.metadata(run), "opens": summary.kinds(run).get("open", 0),
             "data": summary.data(run), "wait": waited(run)} for run in record.measured(runs)]


def waited(run):
    """Returns for how many seconds requests waited for the metadata server or were served by it, all added up."""
    return sum(its["count"] * (its["mean_us"] + its["mean_wait_us"]) / 1e6
               for kind, its in run["counts"]["service"].items() if kind not in ("enqueue", "read", "write", "fsync"))


def save(table, file, columns=COLUMNS):
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "w", encoding="utf-8", newline="") as to:
        writer = csv.DictWriter(to, columns, delimiter="\t", lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({key: f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
                          for key, value in row.items()} for row in table)


def load(file):
    if not file.is_file():
        raise Refusal(f"{file}: isn't there; dev/bench/cluster-model calibrate, predict and check make it")
    with open(file, encoding="utf-8", newline="") as lines:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(lines, delimiter="\t")]


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def least(table, key, **where):
    """Returns the least value of the rows: the run that other programs disturbed least."""
    found = [row[key] for row in table if all(row[name] == value for name, value in where.items())]
    if not found:
        raise Refusal(f"no run has {where}: calibrate again")
    return min(found)


def line(points):
    """Returns (value at 0, slope) of the least squares through (x, y)."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x, slope


def full_blocks(tasks):
    """Returns how many blocks of a shuffle aren't empty."""
    return tasks * tasks * (1 - 2.718281828459045 ** (-PAIRS / tasks))


def fit(table):
    """Returns the settings that describe this machine, from calibration runs.

    Ours makes so few requests that its times are those of the cores: what grows with the executors is what each of them
    computes first (classes, compiler), the rest is the tasks'. The cost of a block and of a request are differences
    of CPU times, which depend less on other programs than elapsed times.
    """
    costs = {}
    for phase in ("map", "reduce"):
        start, slope = line([(e, CORES * least(table, phase, purpose="executors", variant="ours", executors=e))
                             for e in CALIBRATED])
        costs[phase] = max(0.0, start / TASKS), max(0.0, slope)
    cpu = [(t, least(table, "cpu", purpose="width", variant="ours", tasks=t)) for t in WIDE]
    block = block_cost(cpu)
    shared = full_blocks(TASKS) * block / TASKS
    requests = [(sum(least(table, key, purpose="executors", variant="stock", executors=e)
                     - least(table, key, purpose="executors", variant="ours", executors=e)
                     for key in ("cpu", "file_system_cpu")),
                 least(table, "metadata", purpose="executors", variant="stock", executors=e)) for e in CALIBRATED]
    request = sum(seconds for seconds, _ in requests) / sum(count for _, count in requests)
    return {"cpu.map_s": costs["map"][0], "cpu.first_map_s": costs["map"][1],
            "cpu.reduce_s": max(0.0, costs["reduce"][0] - shared), "cpu.first_reduce_s": costs["reduce"][1],
            "cpu.block_us": block * 1e6 / 2, "cpu.serve_us": block * 1e6 / 2,
            "client.request_us": max(0.0, request * 1e6)}


def block_cost(points):
    """Returns the CPU seconds of a block: c of a + b tasks + c blocks, through three (tasks, seconds)."""
    (t0, y0), (t1, y1), (t2, y2) = points
    n0, n1, n2 = (full_blocks(t) for t in (t0, t1, t2))
    determinant = (t1 - t0) * (n2 - n0) - (t2 - t0) * (n1 - n0)
    return max(0.0, ((t1 - t0) * (y2 - y0) - (t2 - t0) * (y1 - y0)) / determinant)


def section(settings, about):
    """Returns the text of here.conf."""
    lines = ["# The machine on which the model was calibrated, as dev/bench/cluster-model calibrate found it:",
             f"# {about}", "[here]", "like = edison", "host.count = 1", f"host.cores = {CORES}",
             *(f"{key} = {value:.6g}" for key, value in settings.items()), "cpu.pair_us = 0",
             "# As in RouteChoice: what a request to another executor takes; and loopback.",
             "net.latency_us = 300", "net.mb = 2000", "memory.request_us = 2", "mount.request_us = 4",
             "# docs/results/driver-scale.md", "driver.task_us = 2200", "driver.status_bytes = 8.8"]
    return "\n".join(lines) + "\n"


def simulate(machine, executors, *, slots=1, tasks, pairs=PAIRS, pair_bytes=PAIR_BYTES, variants=tuple(VARIANTS),
             steps=64, shuffles=1, inputs=0, label="groupby", seed=1, changed=None):
    """Returns the model's figures: {variant: {figure: value}}."""
    if not JAR.is_file():
        raise Refusal(f"{JAR}: isn't there: mvn -pl dev/sim -am package -DskipTests")
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
    files = [str(file) for file in (*FILES, FITTED) if file.is_file()]
    words = [java, "-Xmx6g", "-cp", f"{JAR}:{ROOT}/dist/examples/jars/*:{ROOT}/dist/jars/*", PROGRAM,
             "--files", ",".join(files), "--machine", machine, "--executors", executors, "--slots", slots,
             "--tasks", tasks, "--pairs", pairs, "--pair-bytes", pair_bytes, "--variants", ",".join(variants),
             "--steps", steps, "--shuffles", shuffles, "--inputs", inputs, "--label", label, "--seed", seed]
    if changed:
        words += ["--set", ",".join(f"{key}={value}" for key, value in changed.items())]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refusal(f"{PROGRAM}: {done.stderr.strip()[-300:]}")
    found = [dict(re.findall(r"(\w+)=(\S+)", its)) for its in done.stdout.splitlines()]
    return {its["variant"]: {key: number(value) for key, value in its.items()} for its in found}


def predictions(executors, tasks=TASKS):
    """Returns the model's rows for this machine."""
    runs = [row for row in load(RUNS) if row["purpose"] == "executors"]
    table = []
    for count in executors:
        for variant, its in simulate("here", count, tasks=tasks).items():
            # The simulation doesn't have what an executor computes before its first task and after its last one.
            start, each = line([(row["executors"], row["cpu"]) for row in runs if row["variant"] == variant])
            table.append({"variant": variant, "executors": count, "tasks": tasks, "seconds": its["seconds"],
                          "map": its["first"], "reduce": its["others"], "cpu": start + each * count, "metadata": its["metadata"],
                          "opens": its["opens"], "data": its["data"], "wait": its["wait"],
                          "busiest": its["busiest"]})
    return table
