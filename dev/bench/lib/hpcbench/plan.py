"""Plans the order of runs: every round has each series once, so that slow drifts affect all series alike.

The runs of a round are close in time, so their ratio is a paired one. Orders go A B, B A, B A, A B, ...:
no series is always first, and each follows each other. Round 0 is a warm-up and is thrown away.

If a machine's speed changes from minute to minute, the series of a round can run side by side, each on its
own cores: they then run in the same minute, and take turns on the same cores.
"""

import dataclasses

from .refusal import Refusal

WARM_UP = 0


@dataclasses.dataclass(frozen=True)
class Series:
    """One line of a table; it is compared with the other series of its point."""

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
    """Returns (variant, scratch) pairs: each variant on its own scratch, or all on the only one."""
    if len(scratches) == 1:
        scratches = scratches * len(variants)
    if len(scratches) != len(variants):
        raise Refusal(f"--side-by-side: {len(variants)} variants need one scratch or one each, "
                      f"not {len(scratches)}")
    return list(zip(variants, scratches))


def cores(cpus, count, number):
    """Returns disjoint cores for each of `count` series. The assignment changes from round to round."""
    share = len(cpus) // count
    if share == 0:
        raise Refusal(f"--side-by-side: {len(cpus)} cores are too few for {count} variants at a time")
    parts = [cpus[i * share:(i + 1) * share] for i in range(count)]
    return [parts[(i + number) % count] for i in range(count)]


def runs(series, reps, first=WARM_UP, after=0):
    """Returns (round, series) of the whole plan: the warm-up, unless `first` is 1, and `reps` rounds.

    `after` is the last round of an earlier measurement to which these rounds are added.
    """
    numbers = [*range(first, 1), *range(after + 1, after + reps + 1)]
    return [(number, each) for number in numbers for each in order(list(series), number)]
