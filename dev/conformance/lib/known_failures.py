"""Reads the explained failures from known-failures*.txt.

    known-failures.txt = { class "|" test "|" place "|" message "|" reason }
    place              = file ":" line        the line of Spark's test that fails

A failure is explained only if it is at this place, and the message of its root cause contains the message of
the entry. Lines that begin with # are comments.
"""

import collections
import re

from suites import Refusal, lines

Known = collections.namedtuple("Known", "place message reason")
PLACE = re.compile(r"\w+\.(scala|java):[1-9]\d*")
# ScalaTest's words for any two values that differ.
COMPARISON = re.compile(r"(did not|was not|was) (equal|contain|less|greater|empty|true|false|(an )?instance)"
                        r"( (to|than|of|or))*|Expected exception|(Array|List|Set|Map|Some|None)\b|Failed with")


def too_general(test, message):
    """Returns why other failures of the test would have this in their message, too, or None if they wouldn't."""
    if message in test:
        return "is a part of the test's name"
    if not re.search(r"\w", COMPARISON.sub("", message)):
        return "fits any failed comparison: say which values"
    if message.startswith("Expected exception") and "but" not in message:
        return "is the same whatever was thrown instead: say what was"
    return None


def read(file):
    """Returns {(class, test): Known}."""
    found = {}
    for where, line in lines(file):
        parts = [part.strip() for part in line.split(" | ", 4)]
        if len(parts) != 5:
            raise Refusal(f"{where}: needs class | test | place | message | reason")
        name, test, place, message, reason = parts
        why = too_general(test, message)
        if not PLACE.fullmatch(place):
            raise Refusal(f"{where}: '{place}' is no line of a test, such as ShuffleSuite.scala:267; the report has it")
        if why:
            raise Refusal(f"{where}: the message '{message}' {why}")
        if (name, test) in found:
            raise Refusal(f"{where}: {name} | {test} stands there already")
        found[name, test] = Known(place, message, reason)
    return found


def reason_of(known, suite, test, *outcomes):
    """Returns the listed reason if each failure among the outcomes is the listed one, otherwise an empty text."""
    its = known.get((suite, test))
    same = its and all(o.place == its.place and its.message in o.message for o in outcomes if o.state == "failed")
    return its.reason if same else ""
