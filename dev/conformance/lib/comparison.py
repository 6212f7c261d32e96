"""Compares the outcomes of two sides, test by test.

A test that passes on stock and doesn't pass on patched is red, even if it is only missing there. If it
passes when its suite runs a second time, alone, it is unsteady instead. Only red tests fail a run.
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
    """Returns one of KINDS: one of the first two only if there is nothing to report about the test."""
    if patched == stock:
        if patched == "failed":
            return "explained" if reason else "unexplained"
        return "unexpected pass" if reason and patched == "passed" else patched
    if stock == "passed" or patched == "failed":
        return "red"
    return "red on stock"


def judge(suite, test, patched, stock, known):
    """Returns the row of one test."""
    reason = reason_of(known, suite, test, patched, stock)
    kind = kind_of(patched.state, stock.state, reason)
    if kind.startswith("red") and reason and "failed" in (patched.state, stock.state):
        kind = "explained difference"
    return Row(suite, test, kind, patched, stock, reason)


def compare(suite, patched, stock, known):
    """Returns the rows of one suite. If it failed as a whole on one side, the other side's tests show the rest."""
    rows = []
    for test in sorted(set(patched) | set(stock)):
        here, there = patched.get(test, ABSENT), stock.get(test, ABSENT)
        if test == WHOLE and ABSENT in (here, there):
            here, there = (Outcome("passed") if side is ABSENT else side for side in (here, there))
        rows.append(judge(suite, test, here, there, known))
    return rows


def single(suite, results, known):
    """Returns the rows of a side that ran alone. There is no comparison, so only failures need an explanation."""
    return [judge(suite, test, outcome, outcome, known) for test, outcome in sorted(results.items())]


def steadied(rows, patched, stock):
    """Returns the rows with red tests that passed in a second run marked as unsteady. `patched` and `stock` are
    that run's outcomes by test, or None for a side that didn't run again."""
    again = []
    for row in rows:
        second = {"red": patched, "red on stock": stock}.get(row.kind)
        passed = second is not None and second.get(row.test, ABSENT).state == "passed"
        if row.test == WHOLE and second is not None:
            passed = WHOLE not in second
        again.append(row._replace(kind="unsteady") if passed else row)
    return again
