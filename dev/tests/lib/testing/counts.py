"""Counts the passed, failed and skipped tests from the frameworks' own reports and last lines."""

import re
import textwrap
import typing
import xml.etree.ElementTree as ElementTree

# Lines kept at each end of a long message: what was expected is at its start, a process's last words at its end.
ENDS = 20

FRAME = re.compile(r"\s+at ")
RAN = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
SAID = re.compile(r"^(?:OK|FAILED)(?: \((.*)\))?$", re.MULTILINE)
# A failure as unittest tells it after the tests: its test, or the set-up or tear-down of a class or a module.
FAILURE = re.compile(r"^={70}\n((?:FAIL|ERROR): (\w+) \(([\w.]+)\).*\n(?s:.*?))(?=^={70}$|^-{70}\nRan )", re.MULTILINE)
OF_ALL = {"setUpClass", "tearDownClass", "setUpModule", "tearDownModule"}


class Counts(typing.NamedTuple):
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Counts(*(mine + its for mine, its in zip(self, other)))

    @staticmethod
    def total(all_counts):
        return sum(all_counts, Counts())

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def _failure(case):
    found = case.find("failure")
    return case.find("error") if found is None else found


def _message(found):
    # The attribute `message` would have it in one line.
    lines = [line for line in (found.text or "").strip().splitlines() if not FRAME.match(line)]
    return textwrap.indent(_ends(lines, "report"), "    ")


def _ends(lines, where):
    if len(lines) > 2 * ENDS:
        left_out = len(lines) - 2 * ENDS
        lines = [*lines[:ENDS], f"... {left_out} lines more are in the {where} ...", *lines[-ENDS:]]
    return "\n".join(line[:500] for line in lines)


def of_report(report):
    """Returns the counts of a ScalaTest report, a line for each test that didn't pass, with its message, and its
    seconds."""
    counts, lines = Counts(), []
    suite = ElementTree.parse(report).getroot()
    for case in suite.iter("testcase"):
        found, name = _failure(case), "{classname}: {name}".format(**case.attrib)
        if found is not None:
            counts += Counts(failed=1)
            lines.append(f"failed: {name}\n{_message(found)}")
        elif case.find("skipped") is not None:
            counts += Counts(skipped=1)
            lines.append(f"skipped: {name}")
        else:
            counts += Counts(passed=1)
    return counts, lines, float(suite.get("time"))


def of_unittest(text):
    """Returns the counts of all runs of Python's unittest in a log."""
    counts = Counts()
    for ran, said in zip(RAN.findall(text), SAID.findall(text)):
        words = dict(re.findall(r"(\w+)=(\d+)", said))
        failed = int(words.get("failures", 0)) + int(words.get("errors", 0))
        skipped = int(words.get("skipped", 0))
        counts += Counts(int(ran) - failed - skipped, failed, skipped)
    return counts


def failures_of_unittest(text):
    """Returns the failed tests in the log of one run of Python's unittest, with their messages: {module.Class.test:
    message}, and {module.Class.*: message} where the set-up of a class has failed. Returns none where some can't be
    named, or where there was more than one run: tests of tests print others' results."""
    found = FAILURE.findall(text)
    if len(RAN.findall(text)) != 1 or len(found) != of_unittest(text).failed:
        return {}
    messages = {}
    for section, name, place in found:
        # Before Python 3.11, the place is the class.
        whole = place if place.endswith(f".{name}") else f"{place}.{'*' if name in OF_ALL else name}"
        # A test that fails in several subtests has a message from each.
        messages[whole] = "\n".join([*filter(None, [messages.get(whole)]), _ends(section.strip().splitlines(), "log")])
    # A module that can't be imported.
    return {} if any(name.startswith("unittest.") for name in messages) else messages
