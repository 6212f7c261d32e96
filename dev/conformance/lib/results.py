"""Keeps the results of a side for a group in a file, so that a long run can be interrupted and resumed."""

import hashlib
import json

from outcome import Outcome
from side import Ran

# The version of the file format: results of another version can't be read.
FORMAT = 2


def file(folder, group, key):
    """Returns a file of its own for each key, so that a run of one suite keeps the results of the whole group."""
    return folder / f"{group}-{hashlib.sha256(json.dumps(key).encode()).hexdigest()[:8]}.json"


def save(path, key, ran):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(dict(ran._asdict(), key=key)), encoding="utf-8")
    part.replace(path)


def load(path, key):
    """Returns kept results, or None if there are none, or if they come from other suites, settings or jars."""
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    if kept.pop("key") != key:
        return None
    outcomes = {
        suite: {test: Outcome(*outcome) for test, outcome in tests.items()}
        for suite, tests in kept.pop("outcomes").items()
    }
    return Ran(outcomes, **kept)
