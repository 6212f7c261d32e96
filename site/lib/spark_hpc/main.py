"""The command spark-hpc."""

import os
import sys

from spark_hpc import (command_line, connect, doctor, executor_logs, findings, history, node, notebook, page,
                       prove, report, site_conf)
from spark_hpc.job_cluster import PROGRAMS, Cluster, clean, clean_all_nodes
from spark_hpc.refused import Refused
from spark_hpc.schedulers import launched
from spark_hpc.schedulers.choice import current


def main(home, arguments, env):
    """The exit code."""
    try:
        return _run(home, arguments, env)
    except Refused as why:
        print(f"spark-hpc: {why}", file=sys.stderr)
        return 1


def _run(home, arguments, env):
    # The arguments of these verbs are Spark's, and passed on unparsed.
    if arguments[:1] and arguments[0] in PROGRAMS:
        Cluster(home, env, site_conf.load(home, env)).run(arguments[0], arguments[1:])
    if arguments[:1] == ("notebook",):
        notebook.run(home, env, site_conf.load(home, env), arguments[1:])
    if arguments[:1] == ("connect",):
        connect.run(home, env, site_conf.load(home, env), arguments[1:])
    if arguments[:1] == ("history",):
        history.run(home, env, site_conf.load(home, env), arguments[1:])
    if arguments[:1] == ("report",):
        report.run(home, env, site_conf.load(home, env), arguments[1:])
        return 0
    if arguments[:1] == (prove.VERB,):
        return prove.run(home, env, arguments[1:])
    options = command_line.parse(arguments)
    if options.version:
        print(_version(home))
        return 0
    if options.verb is None:
        sys.stderr.write(f"usage: {command_line.USAGE}")
        return 2
    return _ours(home, env, options)


def _version(home):
    try:
        with open(os.path.join(home, "RELEASE"), encoding="utf-8") as f:
            return f.readline().rstrip()
    except OSError as why:
        raise Refused(f"{why.filename}: {why.strerror}: install it again from the archive") from None


def _ours(home, env, options):
    """Runs a verb that isn't one of Spark's programs; returns the exit code."""
    if options.verb == "node":
        return node.serve(home, env, options.run)
    if options.verb == "list-logs":
        return executor_logs.list_here(env, options.run)
    if options.verb == "signal":
        launched.signal_here(options.mark, options.kill)
        return 0
    if options.verb == "settings":
        sys.stdout.write(page.page())
        return 0
    conf = site_conf.load(home, env, options.set)
    if options.verb == "clean":
        return _clean(home, env, conf, options)
    if options.verb == "doctor":
        return findings.report(doctor.examine(home, env, conf), options.json)
    if options.verb == "logs":
        return executor_logs.show(home, env, conf, options.executor)
    cluster = Cluster(home, env, conf)
    if options.verb == "start":
        cluster.start(options.nodes, options.stage, options.stage_python)
    elif options.verb == "stop":
        cluster.stop()
    else:
        return cluster.status()
    return 0


def _clean(home, env, conf, options):
    if options.here or current(env, conf).job.scheduler == "here":
        clean(conf, env)
        return 0
    return clean_all_nodes(home, env, conf, options.set)
