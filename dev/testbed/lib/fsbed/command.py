"""The command line of a kind: what its verbs have in common, and refusals in one line."""

import argparse
import sys

from fsbed import nodes
from fsbed.refused import Refused


class CommandLine:
    def __init__(self, kind, base):
        self._kind = kind
        self._base = base
        self._parser = argparse.ArgumentParser(prog=f"testbed {kind}")
        self._verbs = self._parser.add_subparsers(required=True, metavar="VERB")

    def add(self, name, run, text):
        """A verb; `run` gets the options. The answer takes its own arguments."""
        verb = self._verbs.add_parser(name, help=text)
        verb.add_argument("--base", default=self._base)
        verb.set_defaults(run=run)
        return verb

    def add_exec(self, connect):
        """The verb exec; `connect` gives the running instance of the options."""
        verb = self.add("exec", lambda options: _exec(connect(options), options),
                        "runs a command as a node")
        verb.add_argument("node", type=int)
        verb.add_argument("command", nargs=argparse.REMAINDER)

    def run(self):
        options = self._parser.parse_args()
        try:
            options.run(options)
        except Refused as refused:
            sys.exit(f"{self._kind}: {refused}")


def _exec(instance, options):
    if not 0 <= options.node < instance.node_count():
        raise Refused(f"no node {options.node}")
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
