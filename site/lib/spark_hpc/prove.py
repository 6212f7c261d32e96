"""spark-hpc prove: measures in this job, on the site's own file system, what Spark-HPC gains there.

One program shuffles many small blocks. It runs several times with the defaults and several times with Spark-HPC's features
off, or with a stock Spark, in turn. Nothing else is compared. The load on a metadata server is bounded in two ways: all
runs together make at most so many requests by estimate, and so many tasks run at a time.
"""

import argparse
import collections
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from spark_hpc import client_counts, file_systems, java, proof, run_directory, scratch, site_conf, ways
from spark_hpc.command_line import Parser
from spark_hpc.job_cluster import Cluster
from spark_hpc.refused import Refused
from spark_hpc.schedulers.choice import current

VERB = "prove"
_VALUE = 2048  # bytes of a record, of which a block has one on the average
# Of Spark's own shuffle, for each block: its file is made, copied, opened, read and deleted. On MooseFS, 18 were counted.
_REQUESTS_OF_BLOCK = 20
# Of a program's start, if the distribution is on that file system, too.
_REQUESTS_OF_PROGRAM = 10000
_LEAST_PARTITIONS = 8
_MOST_PARTITIONS = 1000
_LEAST_SECONDS = 20  # that are left for a further round

Run = collections.namedtuple("Run", "variant seconds requests")


def run(home, env, arguments):
    """The exit code."""
    options = _options(arguments)
    conf = site_conf.load(home, env, options.set)
    directory = options.directory or scratch.shared_root(conf, env)
    if not directory:
        raise Refused("which directory? shuffle.directory has none: name one of the file system in question: "
                      "spark-hpc prove --directory DIR")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Refused(f"--directory {directory}: files can't be made there: name a directory of yours")
    stock = options.stock and os.path.realpath(options.stock)
    if stock:
        ways.check_stock(home, stock)
    conf = site_conf.load(home, env, [*options.set, f"scratch.tiers={directory}"])
    scheduler = current(env, conf)
    nodes = scheduler.nodes()
    if scheduler.node_name() is None:
        line = scheduler.inside([os.path.join(home, "bin", "spark-hpc"), VERB, *arguments], nodes[0].name,
                                os.isatty(0))
        os.execvpe(line[0], line, env)
    # The scheduler ends a job by this signal.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("spark-hpc: prove was ended"))
    number = partitions(options.requests, options.rounds)
    deadline = time.monotonic() + 60 * options.minutes
    cluster = Cluster(home, env, conf)
    cluster.start(options.nodes)
    try:
        used = nodes[:options.nodes]
        compared = {way.name: way for way in ways.ways(home, env, stock, cluster)}
        measured = _Measurement(compared, run_directory.parent(conf, env), directory, options, number, len(used), deadline)
        runs = measured.all()
    finally:
        cluster.stop()
    without = "stock" if stock else "off"
    about = _about(home, env, conf, directory, used, measured)
    sys.stdout.write(proof.text(about, runs, without))
    with open(options.html, "w", encoding="utf-8") as f:
        f.write(proof.page(about, runs, without))
    print(f"page     {options.html}")
    return 0 if proof.ratios(runs) else 1


def _options(arguments):
    parser = Parser(prog=f"spark-hpc {VERB}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--directory", metavar="DIR", help="where scratch and map outputs lie meanwhile "
                        "(default: shuffle.directory)")
    parser.add_argument("--stock", metavar="DIR", help="compares with the stock Spark there, which all nodes see, in place "
                        "of switching features off")
    parser.add_argument("--minutes", type=_whole(1, 600), default=10, metavar="N", help="the longest time (default: 10)")
    parser.add_argument("--requests", type=_whole(10000, 10 ** 9), default=10 ** 6, metavar="N",
                        help="the most requests to a metadata server by all runs (default: 1000000)")
    parser.add_argument("--tasks", type=_whole(1, 10 ** 6), default=64, metavar="N",
                        help="the most tasks that run, and wait for that server, at a time (default: 64)")
    parser.add_argument("--rounds", type=_whole(1, 100), default=5, metavar="N",
                        help="how often each way is measured, after a first time that doesn't count (default: 5)")
    parser.add_argument("--nodes", type=_whole(1, 100000), metavar="N", help="the first N nodes of the job")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting, as in site.conf")
    parser.add_argument("--html", default="spark-hpc-proof.html", metavar="FILE", help="the page")
    return parser.parse_args(arguments)


def _whole(least, most):
    def number(text):
        if not re.fullmatch("[0-9]{1,10}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text}: give a whole number from {least} to {most}")
        return int(text)
    return number


def partitions(requests, rounds):
    """The number of maps and of reducers with which all runs stay below so many requests by estimate."""
    of_round = requests / (rounds + 1) - ways.NUMBER * _REQUESTS_OF_PROGRAM
    found = min(_MOST_PARTITIONS, int((max(0, of_round) / _REQUESTS_OF_BLOCK) ** 0.5))
    if found < _LEAST_PARTITIONS:
        raise Refused(f"--requests {requests}: that is too few for --rounds {rounds}: allow more, or ask for fewer rounds")
    return found


class _Measurement:
    def __init__(self, compared, parent, directory, options, number, nodes, deadline):
        self._ways = compared
        self._directory = directory
        self._nodes = nodes
        self._deadline = deadline
        self._bound = options.requests
        self._rounds = options.rounds
        self.tasks = options.tasks
        self.partitions = number
        self._events = tempfile.mkdtemp(prefix="prove-", dir=parent)
        self.why_over = None

    def all(self):
        """[Run]: a first of each variant, which isn't used, and then rounds while there is time."""
        try:
            runs, longest = [], 0
            for number in range(self._rounds + 1):
                begun = time.monotonic()
                # What runs second may find more in caches, so the order changes.
                found = []
                for variant in sorted(self._ways, reverse=number % 2 == 1):
                    found += self._one(variant)
                    if self.why_over:
                        return runs
                print(f"{f'round {number}' if number else 'warm-up':8} " + ", ".join(map(_said, found)), flush=True)
                runs += found if number else []
                longest = max(longest, time.monotonic() - begun)
                if number < self._rounds and self._is_over(found, longest):
                    break
            return runs
        finally:
            shutil.rmtree(self._events, ignore_errors=True)

    def _is_over(self, found, longest):
        """Whether there is no time or too few requests are left for a round like `found`."""
        made = sum(one.requests[0] for one in found if one.requests) * self._nodes
        self._bound -= made
        if self._bound < made:
            self.why_over = "another round would have made more requests than --requests allows"
        elif self._deadline - time.monotonic() < max(1.2 * longest, _LEAST_SECONDS):
            self.why_over = "the time was over"
        return self.why_over is not None

    def _one(self, variant):
        """Runs the program: [Run], or [] if the time was over before its end."""
        events = tempfile.mkdtemp(dir=self._events)
        way = self._ways[variant]
        # No program has pages: stock Spark lacks the class that admits users to them.
        settings = {**way.settings, "spark.cores.max": self.tasks, "spark.eventLog.enabled": "true",
                    "spark.eventLog.dir": f"file:{events}", "spark.ui.showConsoleProgress": "false",
                    "spark.ui.enabled": "false"}
        command = list(way.starter)
        for key, value in settings.items():
            command += ["--conf", f"{key}={value}"]
        command += [*way.program, "--maps", str(self.partitions), "--reduces", str(self.partitions), "--pairs-per-map",
                    str(self.partitions), "--value-bytes", str(_VALUE)]
        before = client_counts.read(self._directory)
        program = subprocess.Popen(command, env=way.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, universal_newlines=True)
        try:
            _, said = program.communicate(timeout=max(1, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.why_over = "the time was over"
            return []
        finally:
            if program.poll() is None:
                program.terminate()
                program.communicate()
        if program.returncode != 0:
            raise Refused(f"the program failed with {proof.NAMES[variant]}: {_last(said)}")
        requests = client_counts.since(before, client_counts.read(self._directory))
        return [Run(variant, _job_seconds(events), requests)]


def _said(run):
    made = f" and {run.requests[0]:,} metadata requests here" if run.requests else ""
    return f"{run.variant} {run.seconds:.1f} s{made}"


def _last(text):
    return (text.strip().splitlines() or ["it said nothing"])[-1]


def _job_seconds(events):
    """The time in which jobs ran, from the event log: without the start of the driver and of executors."""
    sums = 0
    for name in os.listdir(events):
        with open(os.path.join(events, name), encoding="utf-8") as f:
            for line in f:
                if line.startswith('{"Event":"SparkListenerJobStart"'):
                    sums -= json.loads(line)["Submission Time"]
                elif line.startswith('{"Event":"SparkListenerJobEnd"'):
                    sums += json.loads(line)["Completion Time"]
    return sums / 1000


def _about(home, env, conf, directory, nodes, measured):
    """What the page says of the place: nothing that tells whose it is."""
    with open(os.path.join(home, "RELEASE"), encoding="utf-8") as f:
        release = f.readline().split(",")[0]
    cores = sorted({node.cores for node in nodes})
    kind, type_ = file_systems.kind(directory)
    return {
        "release": release,
        "Java": java.check(conf["java.home"], env)[2],
        "kernel": os.uname().release,
        "nodes": str(len(nodes)),
        "cores of a node": " to ".join(map(str, dict.fromkeys((cores[0], cores[-1])))),
        "memory of this node": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 30} GB",
        "file system": f"{type_} ({kind})",
        "program": f"{ways.PROGRAM}, {measured.partitions} maps, {measured.partitions} reducers, blocks of some "
                   f"{_VALUE} bytes",
        "tasks at a time": f"at most {measured.tasks}",
        "why it ended": measured.why_over or "all rounds were run",
    }
