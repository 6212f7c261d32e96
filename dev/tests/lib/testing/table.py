"""Writes a table of the time that each job of a run took; docs have a copy."""

import re

from testing.counts import Counts
from testing.root import LOGS


def write(outcomes, file=LOGS / "table.md"):
    lines = ["| job | s | CPU s | tests |", "|---|---|---|---|"]
    for job, outcome in sorted(outcomes, key=lambda pair: -pair[1].took):
        total = Counts.total(outcome.counts.values())
        # Otherwise the name would look like that of a file.
        name = re.sub(r"-(\d+)$", r", \1", job.name)
        lines.append(f"| {name} | {outcome.took:.0f} | {outcome.cpu:.0f} | {total.passed + total.failed} |")
    took, cpu = (sum(getattr(outcome, name) for _, outcome in outcomes) for name in ("took", "cpu"))
    lines.append(f"| all | {took:.0f} | {cpu:.0f} | |")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
