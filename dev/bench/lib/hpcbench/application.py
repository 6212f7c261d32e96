"""Runs an application on a cluster: submits it, watches it from outside, and reads its results."""

import dataclasses
import glob
import os
import re
import shutil
import subprocess
import time

from . import cluster as clusters
from . import ROOT, answer, eventlog, processes, variant
from .answer import Answer
from .refusal import Refusal

POLL = 0.1  # seconds between checks of the driver and of the scratch's size
EXECUTORS_END = 20  # seconds
LOGGED = re.compile(r"\d\d/\d\d/\d\d \d\d:\d\d:\d\d ")


@dataclasses.dataclass
class Outcome:
    """The result of a run; `failure` says in one line why its figures must not be used."""

    failure: str = None
    answer: Answer = None
    submit_seconds: float = None
    driver_cpu: float = None
    executors_cpu: float = None
    workers_cpu: float = None
    servers_cpu: float = None
    peak_scratch_bytes: int = None
    peak_resident_bytes: dict = None
    moved_bytes: dict = None
    spark: dict = dataclasses.field(default_factory=dict)


def examples_jar():
    found = glob.glob(str(ROOT / "dist" / "examples" / "jars" / "spark-examples_*.jar"))
    if not found:
        raise Refusal("no dist/examples/jars: dev/make-distribution.sh makes it")
    return found[0]


def settings(conditions, workload, cluster, folder):
    """Returns all settings of a run. The variant's override the others, since variants are compared."""
    class_path = {key: ":".join(cluster.jars) for key in
                  ("spark.driver.extraClassPath", "spark.executor.extraClassPath")
                  } if cluster.jars else {}
    return {
        "spark.driver.memory": "1g",
        "spark.driver.host": clusters.address(0),
        "spark.executor.memory": conditions.heap,
        "spark.executor.cores": str(conditions.executor_cores),
        "spark.cores.max": str(conditions.cores()),
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        "spark.ui.enabled": "false",
        # With the cache, each executor would copy the jar through its scratch, where requests are counted.
        "spark.files.useFetchCache": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": "file://" + os.path.join(folder, "events"),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
        "spark.eventLog.logBlockUpdates.enabled": "true",
        "spark.eventLog.logStageExecutorMetrics": "true",
        "spark.executor.metrics.pollingInterval": "500ms",
        **workload.settings(conditions.options),
        **conditions.settings,
        **class_path,
        **cluster.settings,
    }


def command(home, master, main, conf, arguments):
    words = [str(home / "bin" / "spark-submit"), "--master", master]
    for key, value in conf.items():
        words += ["--conf", f"{key}={value}"]
    program = [str(ROOT / main)] if main.endswith(".py") else ["--class", main, examples_jar()]
    return [*words, *program, *map(str, arguments)]


def complaint(file):
    """Returns the last line that the program wrote itself, not a logger's line or a stack trace. If there is
    none, returns the log's last line."""
    with open(file, encoding="utf-8", errors="replace") as text:
        lines = [line.strip() for line in text if line.strip() and not line.startswith("\t")]
    own = [line for line in lines if not LOGGED.match(line)]
    return (own or lines or ["(nothing)"])[-1]


class Application:
    """Runs a workload under `conditions`; its files are in `folder`, and its results in `output`, until `remove`."""

    def __init__(self, cluster, workload, conditions, data, copies, folder, output):
        self.cluster, self.workload, self.conditions = cluster, workload, conditions
        self.folder, self.output = folder, output
        self.out, self.log = os.path.join(folder, "out"), os.path.join(folder, "log")
        arguments = workload.arguments(conditions.options, data, copies, output)
        self.words = command(cluster.home, cluster.url, workload.main,
                             settings(conditions, workload, cluster, folder), arguments)
        self.pending = cluster.variant.trigger
        self.peak = None
        self.resident = {}

    def run(self, patience):
        os.makedirs(os.path.join(self.folder, "events"))
        outcome = Outcome()
        before, servers = self.cluster.cpu(), self.cluster.servers_cpu()
        code = self._drive(outcome, patience)
        self._await_executors(outcome)
        after = self.cluster.cpu()
        outcome.workers_cpu = after[1] - before[1]
        outcome.executors_cpu = after[0] - before[0] - outcome.workers_cpu
        if servers is not None:
            outcome.servers_cpu = self.cluster.servers_cpu() - servers
        outcome.peak_scratch_bytes = self.peak
        outcome.peak_resident_bytes = self.resident
        if code != 0:
            outcome.failure = outcome.failure or f"exit code {code}: {complaint(self.log)}"
        elif not outcome.failure:
            self._read(outcome)
        return outcome

    def _drive(self, outcome, patience):
        """Runs the driver and returns its exit code. Its CPU time comes from the kernel when the child has ended."""
        started = time.monotonic()
        with open(self.out, "wb") as out, open(self.log, "wb") as log:
            process = subprocess.Popen(
                self.cluster.scratch.on_node(0, [*self.cluster.before_driver, *self.words]),
                env=self.cluster.environment(0),
                stdin=subprocess.DEVNULL, stdout=out, stderr=log, start_new_session=True)
        try:
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    process.returncode = os.waitstatus_to_exitcode(status)
                    break
                if time.monotonic() - started > patience:
                    outcome.failure = f"not done after {patience} s (--patience)"
                    break
                self._look()
                time.sleep(POLL)
        finally:
            processes.end_session(process.pid, process)
        outcome.submit_seconds = time.monotonic() - started
        outcome.driver_cpu = usage.ru_utime + usage.ru_stime
        return process.returncode

    def _look(self):
        used = self.cluster.scratch.used_bytes()
        if used is not None:
            self.peak = max(self.peak or 0, used)
        for who, size in self.cluster.resident_bytes().items():
            self.resident[who] = max(self.resident.get(who, 0), size)
        if self.pending:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                due = re.search(self.pending.pattern, file.read())
            if due:
                self._pull()

    def _pull(self):
        """Runs the variant's trigger. The word {executors} is replaced by one process id for each executor, and
        {executor} by the first of them."""
        words = []
        for word in self.pending.command:
            if word in ("{executors}", "{executor}"):
                pids = sorted(self.cluster.executors())
                words += map(str, pids if word == "{executors}" else pids[:1])
            else:
                words.append(variant.fill(word, self.cluster.places()))
        self.pending = None
        subprocess.run(words, check=True)

    def _await_executors(self, outcome):
        end = time.monotonic() + EXECUTORS_END
        while self.cluster.executors():
            if time.monotonic() > end:
                outcome.failure = f"executors still ran {EXECUTORS_END} s after their application"
                break
            time.sleep(POLL)

    def _read(self, outcome):
        with open(self.out, encoding="utf-8") as file:
            lines = file.read().splitlines()
        try:
            outcome.answer = self.workload.answer(lines)
        except answer.Wrong as wrong:
            outcome.failure = str(wrong)
        if self.pending:
            outcome.failure = f"no line of the driver's log matched {self.pending.pattern}"
        [events] = glob.glob(os.path.join(self.folder, "events", "*"))
        with open(events, encoding="utf-8") as file:
            outcome.spark = eventlog.read(file)

    def remove(self):
        """Removes `folder`, the results and the applications' work directories, also after a failed run."""
        if self.workload.output:
            subprocess.run(self.cluster.scratch.on_node(0, ["rm", "-rf", self.output]), check=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        for work in glob.glob(os.path.join(self.cluster.folder, "work-*", "app-*")):
            shutil.rmtree(work, ignore_errors=True)
