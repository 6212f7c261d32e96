"""spark-hpc logs: lists the logs of executors, or prints the logs of one. While the cluster runs, they are in
the scratch of its nodes; when it ends, each node copies them into the job's directory."""

import collections
import glob
import os
import re
import shutil
import socket
import sys
import tempfile

from spark_hpc import run_directory
from spark_hpc.refused import Refused
from spark_hpc.run_directory import RunDirectory
from spark_hpc.schedulers.choice import current
from spark_hpc.site_conf import SiteConf

Log = collections.namedtuple("Log", "application executor node path")

# Application ids of Spark's own cluster manager sort by start time.
_KEPT = re.compile(r"(?P<application>app-\d+-\d+)-(?P<node>.+)-(?P<executor>\d+)\.std(out|err)\Z")
_PLACE = os.path.join("work", "app-*", "*", "std*")


def show(home, env, conf, executor):
    """The exit code."""
    scheduler = current(env, conf)
    run = run_directory.of_job(conf, env, scheduler.job)
    logs = of_nodes(home, scheduler, run) if run.plan() and scheduler.running() else _kept(run)
    if not logs:
        raise Refused(f"no executor of this job has a log yet, and none is in {run.logs}: run a program on its "
                      "cluster")
    logs.sort(key=lambda log: (log.application, int(log.executor), log.path))
    if executor is None:
        for log in logs:
            print(f"{log.application}  executor {log.executor} on {log.node}: {log.path}")
        return 0
    for log in _of_executor(executor, logs):
        print(f"==> {log.path} on {log.node} <==", flush=True)
        _print(log, scheduler, run)
    return 0


def last_application(run):
    """The id of the last program of a cluster that has ended, or None."""
    return max((log.application for log in _kept(run)), default=None)


def list_here(env, path):
    """Prints a line for each executor log on this node."""
    run = RunDirectory(path)
    name = current(env, SiteConf.of(run.plan()["settings"])).node_name() or socket.gethostname()
    for log in _of_node(name, run.reports().get(name, {})):
        print("\t".join(log))
    return 0


def _of_executor(wanted, logs):
    application, _, number = wanted.rpartition("/")
    found = [log for log in logs if log.executor == number and (not application or
                                                               log.application == application)]
    if not found:
        names = dict.fromkeys(f"{log.application}/{log.executor}" for log in logs)
        raise Refused(f"executor {wanted} has no log; these have: {', '.join(names)}: name one of them")
    return [log for log in found if log.application == found[-1].application]


def _of_node(name, report):
    for path in glob.glob(os.path.join(glob.escape(report.get("scratch", "")), _PLACE)):
        *_, application, executor, _ = path.split(os.sep)
        if os.path.getsize(path):
            yield Log(application, executor, name, path)


def _kept(run):
    try:
        names = os.listdir(run.logs)
    except FileNotFoundError:
        return []
    matches = [match for match in map(_KEPT.match, names) if match]
    return [Log(match.group("application"), match.group("executor"), match.group("node"), path)
            for match, path in ((match, os.path.join(run.logs, match.string)) for match in matches)
            if os.path.getsize(path)]


def of_nodes(home, scheduler, run):
    reports = run.reports()
    if list(reports) == [scheduler.node_name()]:
        return [log for name, report in reports.items() for log in _of_node(name, report)]
    said = ask(scheduler, run, list(reports), os.path.join(home, "bin", "spark-hpc"), "list-logs", run.path)
    return [Log(*line.split("\t")) for line in said.splitlines() if line.count("\t") == 3]


def _print(log, scheduler, run):
    if os.path.exists(log.path):
        with open(log.path, encoding="utf-8", errors="replace") as f:
            shutil.copyfileobj(f, sys.stdout)
    else:
        sys.stdout.write(ask(scheduler, run, [log.node], "cat", log.path))


def ask(scheduler, run, nodes, *command):
    """Runs the command on these nodes, and returns its output."""
    directory = tempfile.mkdtemp(prefix="asked-", dir=run.logs)
    try:
        code = scheduler.launch(list(command), nodes, directory).wait()
        texts = []
        for path in sorted(glob.glob(os.path.join(glob.escape(directory), "node-*.log"))):
            with open(path, encoding="utf-8", errors="replace") as f:
                texts.append(f.read())
        text = "".join(texts)
        if code:
            last = (text.strip().splitlines() or ["it said nothing"])[-1]
            raise Refused(f"{' '.join(command)} failed on {', '.join(nodes)}: {last}: "
                          "spark-hpc status shows the nodes")
        return text
    finally:
        shutil.rmtree(directory)
