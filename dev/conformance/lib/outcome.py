"""Reads the outcomes of tests from a JUnit-style report.

A failure has the message and the place of its root cause, since an exception around it says the same for any
failure. The place is the line of Spark's test that was running, `File.scala:line`, or empty if none was.
"""

import collections
import re
import xml.etree.ElementTree as ElementTree

# `message` is the root cause's; `wrapped` is the message around it, if there is one.
Outcome = collections.namedtuple("Outcome", "state message place wrapped", defaults=("", "", ""))
WORST = ["failed", "skipped", "passed"]

CAUSE = re.compile(r"^\s*Cause: ", re.MULTILINE)
OF_SPARK = r"(?:[\w.@]*/)?(?:test\.)?org\.apache\.spark\."
FRAME = re.compile(rf"^\s*at {OF_SPARK}[^\s(]+\((\w+\.(?:scala|java)):(\d+)\)$", re.MULTILINE)
INNERMOST = re.compile(r"\(([^()]*)\)")
DIFFERENT = " did not equal "
REORDERED = "each with the same elements in another order: "
# Every Spark test runs through this file, so it says nothing about the failure.
BASES = {"SparkFunSuite.scala"}
LENGTH = 300


def said(outcome):
    """Returns the place and the message of a failure: what an entry of the known failures needs."""
    around = f" ({outcome.wrapped})" if outcome.wrapped else ""
    return f"{outcome.place or 'no line of a test'}: {outcome.message}{around}"


def brief(message):
    """Returns the first line, cut to a readable length. If two collections differ only in their order, which the
    cut may hide, the text says so first."""
    first = message.strip().split("\n")[0]
    one, different, other = first.partition(DIFFERENT)
    if different and one != other and in_order(one) == in_order(other):
        first = REORDERED + first
    return first[:LENGTH]


def in_order(collection):
    """Sorts the elements of each innermost collection of a text such as `Array(Array(2, 1), Array(3))`."""
    return INNERMOST.sub(lambda inner: f"({', '.join(sorted(inner.group(1).split(', ')))})", collection)


def own_message(throwable):
    """Returns the message of a throwable without its class and its frames."""
    head = re.split(r"^\s*at ", throwable, maxsplit=1, flags=re.MULTILINE)[0].strip()
    return re.sub(r"^[\w.$]+(?:: ?|$)", "", head, count=1)


def place(throwable):
    found = (f"{file}:{line}" for file, line in FRAME.findall(throwable) if "Suite" in file and file not in BASES)
    return next(found, "")


def failure(problem):
    """Returns the outcome of an element `failure` or `error`."""
    chain = CAUSE.split(problem.text or "")
    message = brief(problem.get("message") or own_message(chain[0]))
    # A cause may come from a thread that runs no line of a test.
    where = next(filter(None, map(place, reversed(chain))), "")
    if len(chain) == 1:
        return Outcome("failed", message, where)
    return Outcome("failed", brief(own_message(chain[-1])), where, message)


def outcomes(report):
    """Returns the outcomes of one suite by test."""
    found = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        problem = next((e for e in case if e.tag in ("failure", "error")), None)
        if problem is not None:
            its = failure(problem)
        else:
            its = Outcome("passed" if case.find("skipped") is None else "skipped")
        earlier = found.get(case.get("name"))
        if earlier is None or WORST.index(its.state) < WORST.index(earlier.state):
            found[case.get("name")] = its
    return found
