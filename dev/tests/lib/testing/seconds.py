"""Keeps the times of suites and other jobs, for the order of the next run: lines of seconds and a name.

The checkout has those of a quiet run of everything, dev/tests/seconds.tsv; a run writes its own to target/tests.
"""

from testing.root import LOGS, ROOT

UNKNOWN_JOB = 30
UNKNOWN_SUITE = 5
FILE = ROOT / "dev" / "tests" / "seconds.tsv"


def read(file=FILE):
    if not file.exists():
        return {}
    pairs = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line)
    return {name: float(seconds) for seconds, name in pairs}


def write(found, file=LOGS / "seconds.tsv"):
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{found[name]:.0f}\t{name}\n" for name in sorted(found, key=lambda name: (-found[name], name))]
    file.write_text("".join(lines), encoding="utf-8")


def of(job, known):
    """Returns the seconds that a job is expected to take."""
    return sum(known.get(unit, UNKNOWN_JOB if unit == job.name else UNKNOWN_SUITE) for unit in job.units)
