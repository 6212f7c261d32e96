"""Reads a program's answer on standard output, `name: key=value ...`, and checks it."""

import dataclasses
import hashlib
import re

from .refusal import Refusal

PAIR = re.compile(r"(?:^|\s)([A-Za-z][\w.]*)=(\S+)")


class Wrong(Exception):
    """The answer is missing or wrong; the run counts as failed."""


@dataclasses.dataclass(frozen=True)
class Answer:
    seconds: float
    phases: dict
    figures: dict
    # Must be equal in all runs of the same work. None if the program checked its answer itself.
    fingerprint: str
    iterations: list


def pairs(line):
    return dict(PAIR.findall(line))


def number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)


def iterations(lines):
    found = (pairs(line) for line in lines if line.startswith("iteration="))
    return [{key: number(value) for key, value in each.items()} for each in found]


def last_line(lines):
    for line in reversed(lines):
        found = pairs(line)
        if "seconds" in found:
            return found
    raise Wrong("no line with seconds= on standard output")


def of(lines, found, fingerprint):
    phases = {key.partition(".")[2]: float(value) for key, value in found.items()
              if key.startswith("seconds.")}
    figures = {key: value for key, value in found.items() if not key.startswith("seconds")}
    return Answer(float(found["seconds"]), phases, figures, fingerprint, iterations(lines))


def checked(lines):
    """Reads the answer of a program that checks it itself and ends with check=ok."""
    found = last_line(lines)
    if found.get("check") != "ok":
        raise Wrong(f"check={found.get('check', '(missing)')} instead of check=ok")
    return of(lines, found, None)


def table(lines):
    """Reads the ranking that PageRank prints; it must be equal in all runs of the same work.

    The ranks are rounded, since sums of doubles depend on the order in which blocks arrive.
    """
    ranking = [line for line in lines if re.match(r"\s*\d+\s+\d+\.\d+\s+\d+", line)]
    if not ranking:
        raise Wrong("no ranking on standard output")
    text = "\n".join(ranking)
    return of(lines, last_line(lines), hashlib.sha256(text.encode()).hexdigest()[:16])


def digested(lines):
    """Reads the answer of a program that prints a digest of its results; it must be equal in all runs of the same
    work."""
    found = last_line(lines)
    if "digest" not in found:
        raise Wrong("no digest= on standard output")
    return of(lines, found, found["digest"])


def options_of(words):
    """Returns KEY=VALUE words as a dictionary."""
    found = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise Refusal(f"{word}: KEY=VALUE is wanted")
        found[key] = value
    return found
