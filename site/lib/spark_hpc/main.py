"""The command spark-hpc."""

import argparse
import sys

from spark_hpc import connect, doctor, node, notebook, page, site_conf
from spark_hpc.job_cluster import PROGRAMS, Cluster, clean, clean_all_nodes
from spark_hpc.refused import Refused
from spark_hpc.schedulers import launched
from spark_hpc.schedulers.choice import current

_USAGE = """\
spark-hpc start [--nodes N] [--set KEY=VALUE ...] [--stage] [--stage-python ENV]
                                                    a cluster on the nodes of this job
spark-hpc submit|run-example|shell|pyspark|sql ...  Spark's own programs on it, with their options
spark-hpc notebook ...                              Jupyter with a session on it; pyspark's options
spark-hpc connect ...                               a Connect server on it; spark-submit's options
spark-hpc status                                    its nodes
spark-hpc stop                                      ends it; so does the end of the job
spark-hpc clean                                     removes what dead jobs of yours have left
spark-hpc doctor [--json]                           what here would keep Spark from running well
spark-hpc settings                                  what a site and its users can set
"""


def main(home, arguments, env):
    """The exit code."""
    try:
        return _run(home, arguments, env)
    except Refused as why:
        print(f"spark-hpc: {why}", file=sys.stderr)
        return 1


def _run(home, arguments, env):
    # What follows these is Spark's to read.
    if arguments[:1] and arguments[0] in PROGRAMS:
        Cluster(home, env, site_conf.load(home, env)).run(arguments[0], arguments[1:])
    if arguments[:1] == ("notebook",):
        notebook.run(home, env, site_conf.load(home, env), arguments[1:])
    if arguments[:1] == ("connect",):
        connect.run(home, env, site_conf.load(home, env), arguments[1:])
    options = _parser().parse_args(arguments)
    if options.verb == "node":
        return node.serve(home, env, options.run)
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
        return doctor.report(doctor.examine(home, env, conf), options.json)
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


def _parser():
    parser = argparse.ArgumentParser(prog="spark-hpc", usage=_USAGE)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", prog="spark-hpc")
    verbs.required = True
    for name in ("start", "status", "stop", "clean", "doctor"):
        verb = verbs.add_parser(name)
        verb.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                          help="a setting, as in site.conf")
        if name == "start":
            verb.add_argument("--nodes", type=int, metavar="N", help="the first N nodes of the job")
            verb.add_argument("--stage", action="store_true",
                              help="run from copies on the nodes' own disks or memory")
            verb.add_argument("--stage-python", metavar="ENV",
                              help="the same for a venv or conda environment, for PySpark")
        if name == "doctor":
            verb.add_argument("--json", action="store_true")
        if name == "clean":
            verb.add_argument("--here", action="store_true", help="on this node alone")
    verbs.add_parser("settings")
    # What start and stop have the scheduler run on each node.
    verbs.add_parser("node").add_argument("run")
    verb = verbs.add_parser("signal")
    verb.add_argument("--kill", action="store_true")
    verb.add_argument("mark")
    return parser
