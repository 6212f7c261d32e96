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
    if len(lines) > 2 * ENDS:
        left_out = len(lines) - 2 * ENDS
        lines[ENDS:-ENDS] = [f"... {left_out} lines more are in the report ..."]
    return textwrap.indent("\n".join(line[:500] for line in lines), "    ")


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
