"""A group's results, kept in a file of its own: a long run can be interrupted and resumed."""

import hashlib
import json

from comparison import Row
from side import Outcome


def file(folder, group, key):
    """A name of its own for each key, so that a run of one suite leaves the whole group's results."""
    return folder / f"{group}-{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:8]}.json"


def save(path, key, result):
    rows = [[*row[:3], list(row.patched), list(row.stock), row.reason] for row in result["rows"]]
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(dict(result, rows=rows, key=key)), encoding="utf-8")
    part.replace(path)


def load(path, key):
    """None when there is none, or when it was made by other suites, settings or distributions."""
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept.pop("key") != key:
        return None
    rows = [Row(*row[:3], Outcome(*row[3]), Outcome(*row[4]), row[5]) for row in kept["rows"]]
    return dict(kept, rows=rows)
