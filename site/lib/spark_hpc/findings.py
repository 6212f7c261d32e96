"""doctor's findings, and how they are printed."""

import collections
import json

# `level` is ok, warning or error; the last two have a remedy. `details` are for --json.
Finding = collections.namedtuple("Finding", "subject level text remedy details")


def ok(subject, text, details=None):
    return Finding(subject, "ok", text, None, details)


def warning(subject, text, remedy, details=None):
    return Finding(subject, "warning", text, remedy, details)


def error(subject, text, remedy):
    return Finding(subject, "error", text, remedy, None)


def report(findings, as_json):
    """Prints the findings; the exit code is 1 if one is an error."""
    findings = list(findings)
    if as_json:
        print(json.dumps([finding._asdict() for finding in findings], indent=1))
    else:
        for finding in findings:
            remedy = f": {finding.remedy}" if finding.remedy else ""
            print(f"{finding.level:8} {finding.subject:10} {finding.text}{remedy}")
    return 1 if any(finding.level == "error" for finding in findings) else 0
