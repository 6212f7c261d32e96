"""Makes a page of the requests that reading and writing a table of small files takes, for each file and each phase."""

import argparse
import json
import os
import shlex
import subprocess
import tempfile

from . import ROOT, cgroups, environment, report, scratch
from .refusal import Refusal

PROGRAM = ROOT / "dev" / "bench" / "programs" / "files.py"
# Variant -> distribution, settings, and the table that is left out.
VARIANTS = {
    "stock": ("dist-stock", [], ""),
    # SparkContext.hadoopFile takes the file system for a LocalFileSystem, which this one isn't.
    "stock without checksums": ("dist-stock", [
        "--conf", "spark.hadoop.fs.file.impl=org.apache.hadoop.fs.RawLocalFileSystem"], "text, by sc.textFile"),
    "hpc": ("dist", [], ""),
}
FILES = (100, 200)
PHASES = ("write", "planning", "tasks", "second planning", "second tasks")
# Kinds of metadata requests with a column of their own, for the first scan.
KINDS = ("getattr", "open")


def of_a_file(lines):
    """Returns {(table, phase): {kind: requests of a file}} from the program's lines: the slope over the files."""
    found = {}
    for line in lines:
        its = json.loads(line)
        found.setdefault((its["table"], its["phase"]), {})[its["files"]] = its["requests"]
    slopes = {}
    for key, by_files in found.items():
        (few, less), (many, more) = sorted(by_files.items())
        slopes[key] = {kind: (more.get(kind, 0) - less.get(kind, 0)) / (many - few) for kind in {*less, *more}}
    return slopes


def metadata(requests):
    """Returns the metadata requests without closes: ours closes a file in some later phase."""
    return requests.get("metadata", 0) - requests.get("close", 0)


def rows(variant, slopes):
    for table in dict.fromkeys(table for table, _ in slopes):
        phase = {name: slopes[table, name] for name in PHASES if (table, name) in slopes}
        written = [table, variant, f"{metadata(phase['write']):.2f}"]
        if "planning" not in phase:
            yield [*written, *(len(HEADS) - len(written)) * ["-"]]
            continue
        first = {kind: phase["planning"].get(kind, 0) + phase["tasks"].get(kind, 0) for kind in (*KINDS, "data")}
        yield [*written, *(f"{metadata(phase[name]):.2f}" for name in PHASES[1:]),
               *(f"{first[kind]:.2f}" for kind in KINDS), f"{first['data']:.2f}",
               f"{phase['second planning'].get('data', 0) + phase['second tasks'].get('data', 0):.2f}"]


HEADS = ["table", "variant", *PHASES, *(f"{kind}s" for kind in KINDS), "data", "data, second scan"]


def page(command, found):
    """`found` is {variant: slopes}."""
    where = environment.describe()
    yield "# Requests for applications' files"
    yield ""
    yield f"    {command}"
    yield ""
    yield (f"{where['date']}, commit {where['commit']}, {where['os']}. Requests to the emulated Lustre for each file "
           f"of a table, as the slope from {FILES[0]} to {FILES[1]} files of 1,000 rows; one executor with two cores, and "
           "the driver. First the metadata requests of each phase, without closes: each open is followed by one close, at once with "
           "stock and within minutes with ours. A write has a task for each file; in the partitioned "
           "table, a task writes ten files. Then the client's caches are emptied, and the table is scanned twice in one "
           "application; planning finds the files and the schema. The columns of kinds are those of the first scan. "
           "The rows of micro-batches, of a streaming query, are for each batch.")
    yield ""
    yield from report.table(HEADS, [row for variant, slopes in found.items() for row in rows(variant, slopes)])


def lines_of(variant, its, tables, say):
    """Runs the program on node 0 of the file system, and returns its lines."""
    place, settings, left_out = VARIANTS[variant]
    home = ROOT / place
    if not (home / "bin" / "spark-submit").is_file():
        raise Refusal(f"no distribution in {home}: dev/make-distribution.sh makes it")
    directory = os.path.join(its.path, variant.replace(" ", "-"))
    words = [str(home / "bin" / "spark-submit"), "--master", "local-cluster[1,2,1024]",
             "--conf", "spark.ui.enabled=false", "--conf", "spark.local.dir=/var/tmp", *settings,
             str(PROGRAM), "--directory", directory, "--files", *map(str, FILES), "--tables", tables,
             "--left-out", left_out, "--base", its.base]
    # Hive's Derby logs to the working directory.
    with tempfile.TemporaryDirectory() as work:
        ran = subprocess.run(its.on_node(0, words), cwd=work, capture_output=True, text=True, check=False)
    lines = [line for line in ran.stdout.splitlines() if line.startswith("{")]
    if ran.returncode != 0:
        # spark-submit hands on what the program writes to either stream.
        said = [line for line in ran.stdout.splitlines() if line not in lines] or ran.stderr.splitlines()
        raise Refusal(f"{variant}: " + "\n".join(said[-20:]))
    if not lines:
        raise Refusal(f"--tables {tables}: no table has that in its name")
    say(f"{variant}: {len(lines)} phases counted")
    return lines


def main(words, say):
    made = argparse.ArgumentParser(prog="file-requests")
    made.add_argument("variants", nargs="*", metavar="VARIANT", help=", ".join(VARIANTS))
    made.add_argument("--tables", default="", metavar="PART", help="only the tables with this in their names")
    asked = made.parse_args(words)
    unknown = [name for name in asked.variants if name not in VARIANTS]
    if unknown:
        raise Refusal(f"{unknown[0]}: no variant; there are {', '.join(VARIANTS)}")
    its = scratch.load("pfs:none", 1, f"/dev/shm/hpcbench-{os.getpid()}")
    group = cgroups.make("files")
    try:
        its.start(group)
        found = {variant: of_a_file(lines_of(variant, its, asked.tables, say))
                 for variant in asked.variants or VARIANTS}
    finally:
        its.stop()
        group.remove()
    return page(shlex.join(["dev/bench/file-requests", *words]), found)
