"""The report of a run: Markdown to read, JSON to compare with."""

import collections
import json
import os
import platform
import re
import subprocess

from comparison import KINDS
from outcome import said

# The column headings by kind.
HEADS = {
    "passed": "passed",
    "skipped": "skipped",
    "explained": "failed on both, explained",
    "explained difference": "failed on one, explained",
    "unexplained": "failed, unexplained",
    "unexpected pass": "passed unexpectedly",
    "unsteady": "unsteady",
    "red on stock": "red on stock only",
    "red": "red on patched only",
}


def count(rows):
    counted = collections.Counter(row.kind for row in rows)
    return {kind: counted[kind] for kind in KINDS}


def jvm():
    text = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    return text.splitlines()[1] if text else "an unknown JVM"


def what_failed(row):
    """Returns the message of the side that didn't pass, or an empty text if it has none."""
    return next((said(side) for side in (row.patched, row.stock) if side.message), "")


def summary(counts, block_managers):
    parts = [f"{counts[kind]} {HEADS[kind]}" for kind in KINDS if counts[kind]]
    where = ", ".join(f"{side} {number}" for side, number in block_managers.items())
    return f"conformance: {'; '.join(parts) or 'no tests'} (block managers of ours that started: {where})"


def _table(heads, lines):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for line in lines:
        yield "| " + " | ".join(str(cell) for cell in line) + " |"


def _short(name):
    return re.sub(r"^org\.apache\.spark\.", "", name)


def _cell(text):
    return text.replace("|", "\\|").replace("<", "\\<").replace("\n", " ")


def markdown(run):
    kinds = [kind for kind in KINDS if run["counts"][kind] or kind in ("passed", "red")]
    yield "# Conformance: Spark's own tests on " + " and ".join(run["sides"])
    yield ""
    yield f"`{run['command']}`, {run['date']}, {run['jvm']}, {platform.system()}, {os.cpu_count()} cores."
    for side, settings in run["settings"].items():
        if settings:
            yield f"Settings on {side}: " + ", ".join(f"`{k}={v}`" for k, v in settings.items()) + "."
    yield ""
    started = ", ".join(f"{number} on {side}" for side, number in run["block_managers"].items())
    yield f"Block managers of ours that started in the tests' own JVMs: {started}."
    yield ""
    yield "## By group"
    yield ""
    heads = ["group", "suites", "tests"] + [HEADS[kind] for kind in kinds] + ["places re-pointed"]
    lines = []
    for group, its in run["groups"].items():
        cells = [its["counts"][kind] for kind in kinds]
        lines.append([group, len(its["suites"]), sum(its["counts"].values()), *cells, its["places"]])
    suites = sum(len(its["suites"]) for its in run["groups"].values())
    places = sum(its["places"] for its in run["groups"].values())
    total = [run["counts"][kind] for kind in kinds]
    lines.append(["**all**", suites, sum(run["counts"].values()), *total, places])
    yield from _table(heads, lines)
    yield ""
    yield from _differences(run)
    yield "## By suite"
    yield ""
    heads = ["suite", "passed", "other", "places re-pointed"] + [f"s {side}" for side in run["sides"]]
    lines = []
    for its in run["groups"].values():
        for name, suite in its["suites"].items():
            passed = suite["counts"]["passed"]
            other = sum(suite["counts"].values()) - passed
            seconds = [suite["seconds"].get(side, "") for side in run["sides"]]
            lines.append([_short(name), passed, other or "", suite["places"] or "", *seconds])
    yield from _table(heads, lines)


def _differences(run):
    rows = [row for row in run["rows"] if row.kind not in ("passed", "skipped")]
    if not rows:
        return
    yield "## Whatever didn't pass on all sides, one by one"
    yield ""
    lines = []
    for row in sorted(rows, key=lambda row: (-KINDS.index(row.kind), row.suite, row.test)):
        why = row.reason or what_failed(row)
        lines.append([_short(row.suite), _cell(row.test), HEADS[row.kind], _cell(why)])
    yield from _table(["suite", "test", "", "why"], lines)
    yield ""


def write(run, folder):
    folder.mkdir(parents=True, exist_ok=True)
    page, data = folder / "conformance.md", folder / "conformance.json"
    page.write_text("\n".join(markdown(run)) + "\n", encoding="utf-8")
    rows = [dict(row._asdict(), patched=row.patched._asdict(), stock=row.stock._asdict()) for row in run["rows"]]
    data.write_text(json.dumps(dict(run, rows=rows), indent=1) + "\n", encoding="utf-8")
    return page
