"""Compares the outcomes of two sides, test by test.

A test that passes on stock and doesn't on patched is red, also when it is merely gone: unless it
passes in a second run of its suite alone, which makes it unsteady. Only red ones fail a run.
"""

import collections

from known_failures import reason_of
from outcome import Outcome
from side import WHOLE

ABSENT = Outcome("absent")
Row = collections.namedtuple("Row", "suite test kind patched stock reason")
KINDS = [
    "passed",
    "skipped",
    "explained",
    "explained difference",
    "unexplained",
    "unexpected pass",
    "unsteady",
    "red on stock",
    "red",
]


def kind_of(patched, stock, reason):
    """Which of KINDS; the first two only if nothing is to be said about the test."""
    if patched == stock:
        if patched == "failed":
            return "explained" if reason else "unexplained"
        return "unexpected pass" if reason and patched == "passed" else patched
    if stock == "passed" or patched == "failed":
        return "red"
    return "red on stock"


def judge(suite, test, patched, stock, known):
    """The row of one test."""
    reason = reason_of(known, suite, test, patched, stock)
    kind = kind_of(patched.state, stock.state, reason)
    if kind.startswith("red") and reason and "failed" in (patched.state, stock.state):
        kind = "explained difference"
    return Row(suite, test, kind, patched, stock, reason)


def compare(suite, patched, stock, known):
    """Rows of one suite. Where a suite failed as a whole, its tests on the other side say the rest."""
    rows = []
    for test in sorted(set(patched) | set(stock)):
        here, there = patched.get(test, ABSENT), stock.get(test, ABSENT)
        if test == WHOLE and ABSENT in (here, there):
            here, there = (Outcome("passed") if side is ABSENT else side for side in (here, there))
        rows.append(judge(suite, test, here, there, known))
    return rows


def single(suite, results, known):
    """Rows of a side that ran alone: nothing to compare with, so failures are failures."""
    return [judge(suite, test, outcome, outcome, known) for test, outcome in sorted(results.items())]


def steadied(rows, patched, stock):
    """The rows again after a second run, whose outcomes by test are None where a side didn't run."""
    again = []
    for row in rows:
        second = {"red": patched, "red on stock": stock}.get(row.kind)
        passed = second is not None and second.get(row.test, ABSENT).state == "passed"
        if row.test == WHOLE and second is not None:
            passed = WHOLE not in second
        again.append(row._replace(kind="unsteady") if passed else row)
    return again
