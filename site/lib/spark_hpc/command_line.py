"""The command line of spark-hpc: its verbs and their options."""

import argparse
import difflib

from spark_hpc.refused import Refused

USAGE = """\
spark-hpc start [--nodes N] [--set KEY=VALUE ...] [--stage] [--stage-python ENV]
                                                    a cluster on the nodes of this job
spark-hpc submit|run-example|shell|pyspark|sql ...  Spark's own programs on it, with their options;
                                                    --verbose shows more than warnings
spark-hpc notebook ...                              Jupyter with a session on it; pyspark's options
spark-hpc connect ...                               a Connect server on it; spark-submit's options
spark-hpc history                                   the pages of programs that have ended (event.log)
spark-hpc report [LOG]                              where a program's time went, and what would help
spark-hpc prove                                     measures what Spark-HPC gains here, in ten minutes
spark-hpc status                                    its nodes
spark-hpc logs [EXECUTOR]                           lists executors' logs, or prints one executor's
spark-hpc stop                                      ends it; so does the end of the job
spark-hpc clean                                     removes what your dead jobs have left
spark-hpc doctor [--json]                           finds what would keep Spark from running well here
spark-hpc settings                                  what a site and its users can set
spark-hpc --version                                 which Spark-HPC this is
"""

# In the order in which users need them.
VERBS = ("start", "submit", "run-example", "shell", "pyspark", "sql", "notebook", "connect", "history", "report", "prove",
         "status", "logs", "stop", "clean", "doctor", "settings")
# Internal verbs, which start, stop and logs launch on each node.
_OUR_OWN = ("node", "signal", "list-logs")
# Options of spark-submit that take no value.
_SWITCHES = {"--verbose", "-v", "--supervise", "--help", "-h", "--version"}


def parse(arguments):
    """Parses the options of a verb that isn't one of Spark's programs."""
    word = arguments[0] if arguments else ""
    if word and not word.startswith("-") and word not in VERBS + _OUR_OWN:
        near = difflib.get_close_matches(word, VERBS, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise Refused(f"{word}: there is no such command: {hint}there are {', '.join(VERBS)}")
    return _parser().parse_args(arguments)


def is_verbose(arguments):
    """Whether spark-submit gets --verbose; arguments after the program are the program's own."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        if arguments[at] in ("--verbose", "-v"):
            return True
        at += 1 if arguments[at] in _SWITCHES or "=" in arguments[at] else 2
    return False


class Parser(argparse.ArgumentParser):
    """A wrong option is refused like everything else, in one line."""

    def error(self, message):
        raise Refused(f"{message}: {self.prog} --help says what it takes")


def _parser():
    parser = Parser(prog="spark-hpc", usage=USAGE)
    parser.add_argument("--version", action="store_true")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", prog="spark-hpc")
    for name in ("start", "status", "logs", "stop", "clean", "doctor"):
        verb = verbs.add_parser(name)
        verb.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                          help="a setting, as in site.conf")
        if name == "start":
            verb.add_argument("--nodes", type=int, metavar="N", help="the first N nodes of the job")
            verb.add_argument("--stage", action="store_true",
                              help="run from copies on the nodes' own disks or memory")
            verb.add_argument("--stage-python", metavar="ENV",
                              help="the same for a venv or conda environment, for PySpark")
        if name == "logs":
            verb.add_argument("executor", nargs="?", metavar="EXECUTOR",
                              help="its number in the last program, or APPLICATION/NUMBER")
        if name == "doctor":
            verb.add_argument("--json", action="store_true")
        if name == "clean":
            verb.add_argument("--here", action="store_true", help="on this node alone")
    verbs.add_parser("settings")
    for name in ("node", "list-logs"):
        verbs.add_parser(name).add_argument("run")
    verb = verbs.add_parser("signal")
    verb.add_argument("--kill", action="store_true")
    verb.add_argument("mark")
    return parser
