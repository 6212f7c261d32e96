"""spark-hpc report: where the time of a program went, from its event log."""

import os
import subprocess

from spark_hpc import event_log, java
from spark_hpc.refused import Refused

_PROGRAM = "org.apache.spark.hpc.report.Report"
_USAGE = """\
usage: spark-hpc report [--html FILE] [--json FILE] [LOG]
       spark-hpc report --compare LOG LOG
LOG is the path of an event log, of this Spark or of stock Spark, or the id of an application whose event log is
in event.log. Without one, it is the log in event.log that was written to last.
"""
_WITH_VALUE = ("--html", "--json")
# Of spark-hpc stop. A log of some 200,000 tasks is read in this time.
_SECONDS = 15


def run(home, env, conf, arguments):
    """Replaces this process, unless help is asked for."""
    if "--help" in arguments or "-h" in arguments:
        print(_USAGE, end="")
        return
    java.check(conf["java.home"], env)
    directory = event_log.directory(conf, env)
    words = [*arguments]
    if not _logs(words):
        words.append(_last(directory))
    command, changed = _command(home, env, conf, [*_place(directory), *words])
    os.execve(command[0], command, changed)


def conclusion(home, env, conf, application):
    """The lines that end the report of an application. [] if its event log isn't in event.log or can't be read:
    nothing depends on these lines."""
    directory = event_log.directory(conf, env)
    if not directory or not application:
        return []
    command, changed = _command(home, env, conf, [*_place(directory), "--brief", application])
    try:
        done = subprocess.run(command, env=changed, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def _command(home, env, conf, words):
    changed = {**env, "SPARK_HOME": home, "SPARK_DRIVER_MEMORY": "1500m"}
    if conf["java.home"]:
        changed["JAVA_HOME"] = conf["java.home"]
    return [os.path.join(home, "bin", "spark-class"), _PROGRAM, *words], changed


def _place(directory):
    return ["--directory", directory] if directory else []


def _logs(words):
    """The arguments that name event logs."""
    options = [at for at, word in enumerate(words) if word.startswith("-")]
    values = {at + 1 for at in options if words[at] in _WITH_VALUE}
    return [word for at, word in enumerate(words) if at not in values and at not in options]


def _last(directory):
    if not directory:
        raise Refused("event.log isn't set, so programs leave no event logs: name one: spark-hpc report LOG")
    try:
        logs = [os.path.join(directory, name) for name in os.listdir(directory) if not name.startswith(".")]
    except FileNotFoundError:
        logs = []
    if not logs:
        raise Refused(f"there is no event log in {directory}: programs that run on the cluster leave theirs there")
    return max(logs, key=os.path.getmtime)
