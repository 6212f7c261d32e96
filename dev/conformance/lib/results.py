"""A group's results, kept in a file of its own: a long run can be interrupted and resumed."""

import json

from comparison import Row
from side import Outcome


def save(file, key, result):
    rows = [[*row[:3], list(row.patched), list(row.stock), row.reason] for row in result["rows"]]
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(dict(result, rows=rows, key=key)), encoding="utf-8")
    part.replace(file)


def load(file, key):
    """None when there is none, or when it was made by other suites, settings or distributions."""
    if not file.exists():
        return None
    kept = json.loads(file.read_text(encoding="utf-8"))
    if kept.pop("key") != key:
        return None
    rows = [Row(*row[:3], Outcome(*row[3]), Outcome(*row[4]), row[5]) for row in kept["rows"]]
    return dict(kept, rows=rows)
