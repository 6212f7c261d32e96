"""Medians with their confidence intervals.

The interval of a median lies between two order statistics whose ranks come from the binomial
distribution (W. J. Conover, Practical Nonparametric Statistics, 3rd ed., section 3.2; J.-Y. Le
Boudec, Performance Evaluation of Computer and Communication Systems, theorem 2.1 and table A.1). It
assumes nothing about the values' distribution and needs no random numbers. Its coverage is at least the
requested one.
"""

import dataclasses
import statistics

from . import libraries

CONFIDENCE = 0.95
NO_SLOWER = 1.05


@dataclasses.dataclass(frozen=True)
class Interval:
    """A median with its interval; `low` and `high` are None when there are too few values."""

    median: float
    low: float
    high: float
    n: int


def ranks(n, confidence=CONFIDENCE):
    """Returns the 1-based ranks (j, n + 1 - j) of the interval's ends, or None if n is too small: five values
    can't give 95%."""
    j = int(libraries.load("scipy.stats").binom.ppf((1 - confidence) / 2, n, 0.5))
    return (j, n + 1 - j) if j else None


def of(values, confidence=CONFIDENCE):
    ordered = sorted(values)
    place = ranks(len(ordered), confidence)
    low, high = (ordered[place[0] - 1], ordered[place[1] - 1]) if place else (None, None)
    return Interval(statistics.median(ordered), low, high, len(ordered))


def paired_ratio(values, baseline):
    """Returns the interval of value / baseline, from two {round: value}, over the rounds that both have."""
    ratios = [values[r] / baseline[r] for r in values if baseline.get(r)]
    return of(ratios) if ratios else None


def no_slower(ratio):
    """Returns whether the design's criterion holds, or None if there are too few rounds to decide."""
    return None if ratio is None or ratio.high is None else ratio.high < NO_SLOWER
