"""The order of runs: every round has each series once, so that slow drifts hit all alike.

Series of one round are neighbours in time, which is what makes their ratio a paired one. Orders go
A B, B A, B A, A B, ...: none is always first, and each follows each. Round 0 is thrown away.

Where a machine's speed changes from minute to minute, series of a round can run side by side, each on
cores of its own: both have the same minute then, and in turn the same cores.
"""

import dataclasses

from .refusal import Refusal

WARM_UP = 0


@dataclasses.dataclass(frozen=True)
class Series:
    """One line of a table: what is compared with the others of its point."""

    variant: str
    scratch: str
    point: tuple = ()  # of (axis, value)

    def label(self):
        axes = "".join(f" {axis}={value}" for axis, value in self.point)
        return f"{self.variant} on {self.scratch}{axes}"


def order(series, number):
    shift = number // 2 % len(series)
    turned = series[shift:] + series[:shift]
    return turned[::-1] if number % 2 else turned


def side_by_side(variants, scratches):
    """Each variant on its own scratch, or all on the only one; (variant, scratch) of each."""
    if len(scratches) == 1:
        scratches = scratches * len(variants)
    if len(scratches) != len(variants):
        raise Refusal(f"--side-by-side: {len(variants)} variants want one scratch or as many as "
                      f"they are, and not {len(scratches)}")
    return list(zip(variants, scratches))


def cores(cpus, count, number):
    """Disjoint cores for each of `count` series; who has which changes from round to round."""
    share = len(cpus) // count
    if share == 0:
        raise Refusal(f"--side-by-side: {len(cpus)} cores are too few for {count} variants at a time")
    parts = [cpus[i * share:(i + 1) * share] for i in range(count)]
    return [parts[(i + number) % count] for i in range(count)]


def runs(series, reps, first=WARM_UP, after=0):
    """(round, series) of the whole plan: the warm-up, unless `first` is 1, and `reps` rounds.

    `after` is the last round of an earlier measurement, to which these are added.
    """
    numbers = [*range(first, 1), *range(after + 1, after + reps + 1)]
    return [(number, each) for number in numbers for each in order(list(series), number)]
