"""The command line of a kind: the common part of its verbs, and refusals in one line."""

import argparse
import shlex
import subprocess
import sys

from fsbed import crash, filler, nodes
from fsbed.refused import Refused


class CommandLine:
    def __init__(self, kind, base):
        self._kind = kind
        self._base = base
        self._parser = argparse.ArgumentParser(prog=f"testbed {kind}")
        self._verbs = self._parser.add_subparsers(required=True, metavar="VERB")

    def add(self, name, run, text):
        """Adds a verb; `run` gets the options. Returns its parser, to which arguments can be added."""
        verb = self._verbs.add_parser(name, help=text)
        verb.add_argument("--base", default=self._base)
        verb.set_defaults(run=run)
        return verb

    def add_require(self, missing):
        """Adds the verb require; `missing` returns in one line what this machine lacks, or None."""
        self.add("require", lambda _: require(missing()), "says what this machine lacks")

    def add_exec(self, connect):
        """Adds the verb exec; `connect` returns the running instance of the options."""
        verb = self.add("exec", lambda options: _exec(connect(options), options),
                        "runs a command as a node")
        verb.add_argument("node", type=int)
        verb.add_argument("command", nargs=argparse.REMAINDER)

    def add_servers(self, connect):
        """Adds the verbs servers, stall and kill; `connect` returns the running instance of the options."""
        self.add("servers", lambda options: print(*connect(options).servers().names(), sep="\n"),
                 "prints the names of its servers")
        verb = self.add("stall", lambda options: connect(options).servers().stall(options.server, options.seconds),
                        "stops a server for a while")
        verb.add_argument("server")
        verb.add_argument("seconds", type=float)
        verb = self.add("kill", lambda options: connect(options).servers().kill(options.server, options.back),
                        "kills a server (kill -9)")
        verb.add_argument("server")
        verb.add_argument("--back", type=float, metavar="SECONDS", help="starts it again after so many seconds")

    def add_crash(self, connect):
        """Adds the verb crash; `connect` returns the running instance of the options."""
        verb = self.add("crash", lambda options: _crash(connect(options), options.node),
                        "kills a node's processes and its client; it doesn't come back")
        verb.add_argument("node", type=int)

    def add_fill(self, connect):
        """Adds the verbs fill and clear; `connect` returns the running instance of the options."""
        self.add("fill", lambda options: filler.fill(connect(options).mount_point(0)), "takes all room that is left")
        self.add("clear", lambda options: filler.empty(connect(options).mount_point(0)), "gives back what fill took")

    def run(self):
        options = self._parser.parse_args()
        try:
            options.run(options)
        except (Refused, OSError) as refused:
            sys.exit(f"{self._kind}: {refused}")
        except subprocess.CalledProcessError as failed:
            # The command has printed the reason.
            sys.exit(f"{self._kind}: failed: {shlex.join(failed.cmd)}")


def require(missing):
    """Refuses if something is missing."""
    if missing:
        raise Refused(missing)


def _crash(instance, node):
    _check(instance, node)
    crash.crash(node, instance.mount_point(node), instance.common, instance.network)
    # What is left is the instance.
    instance.note_leaders()


def _check(instance, node):
    if not 0 <= node < instance.node_count():
        raise Refused(f"no node {node}")


def _exec(instance, options):
    _check(instance, options.node)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        raise Refused("exec NODE -- COMMAND")
    nodes.become(options.node, instance.mount_point(options.node), instance.common, command)


def numbers(assignments):
    """{KEY: NUMBER} of KEY=NUMBER words."""
    settings = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        try:
            settings[key] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise Refused(f"{assignment}: KEY=NUMBER is wanted")
    return settings
