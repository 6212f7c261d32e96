"""Runs failed units once more, alone, and records those that pass then: lines of date, commit and name.

A unit that has been recorded three times is a defect: a run in which it passes only at the second try fails.
"""

import datetime
import subprocess

from testing.lanes import Lanes
from testing.root import ROOT

FILE = ROOT / "dev" / "tests" / "second-tries.tsv"
DEFECT = 3


def names(file=FILE):
    """Returns the names of earlier runs, each as often as it was recorded."""
    if not file.exists():
        return []
    return [line.split("\t")[2] for line in file.read_text(encoding="utf-8").splitlines() if line]


def run(outcomes, known, say):
    """Runs what failed in these outcomes once more, and returns pairs of a job and its outcome."""
    failed = [(job, list(outcome.failed)) for job, outcome in outcomes if outcome.failed]
    again = [second for job, units in failed for second in job.again(units)]
    if not again:
        return []
    say(f"== once more, alone: {' '.join(unit for _, units in failed for unit in units)}")
    return Lanes(1, known, say).run(again)


def add(units, file=FILE):
    """Records units, and returns those that have been recorded too often now."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    with open(file, "a", encoding="utf-8") as f:
        for unit in units:
            f.write(f"{datetime.date.today()}\t{commit}\t{unit}\n")
    all_names = names(file)
    return [unit for unit in units if all_names.count(unit) >= DEFECT]
