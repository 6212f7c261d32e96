"""Reads the suites from suites.txt.

    suites.txt = { "[" group "]" { class { flag } } }
    flag       = "ci"       part of the short subset
               | "junit"    a JUnit class; the others are ScalaTest's

Lines that begin with # are comments.
"""

import collections

Suite = collections.namedtuple("Suite", "name group junit ci")
FLAGS = {"ci", "junit"}


class Refusal(Exception):
    """A bad list or option; the message says which line and what it may hold."""


def lines(file):
    """Yields (file:number, line) of all lines that aren't comments."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if line and not line.startswith("#"):
            yield f"{file.name}:{number}", line


def read(file):
    suites, group = {}, None
    for place, line in lines(file):
        if line.startswith("["):
            group = line.strip("[]")
            continue
        name, *flags = line.split()
        unknown = set(flags) - FLAGS
        if group is None:
            raise Refusal(f"{place}: {name} stands before the first [group]")
        if unknown:
            raise Refusal(f"{place}: unknown flag {unknown.pop()} (known: {', '.join(sorted(FLAGS))})")
        if name in suites:
            raise Refusal(f"{place}: {name} stands in group {suites[name].group} already")
        suites[name] = Suite(name, group, "junit" in flags, "ci" in flags)
    return list(suites.values())


def select(suites, names=(), groups=(), subset=None):
    if names:
        by_name = {suite.name: suite for suite in suites}
        return [by_name.get(name) or Suite(name, "named", False, False) for name in names]
    known = {suite.group for suite in suites}
    for group in groups:
        if group not in known:
            raise Refusal(f"no group {group} (groups: {', '.join(sorted(known))})")
    chosen = [s for s in suites if s.group in groups or not groups]
    # One JVM runs the whole subset, which makes it short.
    return [s._replace(group=subset) for s in chosen if s.ci] if subset else chosen
