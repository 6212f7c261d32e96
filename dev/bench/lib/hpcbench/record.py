"""Saves a run as JSON, and loads all runs of a directory."""

import json
import pathlib

from .plan import WARM_UP
from .refusal import Refusal


def of(number, series, conditions, outcome, counts, servers_cpu):
    its = outcome.answer
    return {
        "round": number,
        "variant": series.variant,
        "scratch": series.scratch,
        "point": dict(series.point),
        "options": conditions.options,
        "executors": conditions.executors_in_all(),
        "failure": outcome.failure,
        "fingerprint": its and its.fingerprint,
        "wall_seconds": its and its.seconds,
        "phases": its and its.phases,
        "figures": its and its.figures,
        "iterations": its and its.iterations,
        "submit_seconds": outcome.submit_seconds,
        "cpu_seconds": {
            "executors": outcome.executors_cpu,
            "driver": outcome.driver_cpu,
            "workers": outcome.workers_cpu,
            "servers": outcome.servers_cpu,
            "file_system": servers_cpu,
        },
        "peak_scratch_bytes": outcome.peak_scratch_bytes,
        "peak_resident_bytes": outcome.peak_resident_bytes,
        "moved_bytes": outcome.moved_bytes,
        "spark": outcome.spark,
        "counts": counts,
    }


def bare(number, series, wall, phases):
    """Returns a run without Spark: only times."""
    return {"round": number, "variant": series.variant, "scratch": series.scratch,
            "point": dict(series.point), "failure": None, "wall_seconds": wall, "phases": phases}


def save(directory, run):
    name = "-".join([f"{run['round']:02d}", run["variant"], run["scratch"],
                     *(f"{axis}_{value}" for axis, value in run["point"].items())])
    safe = "".join(c if c.isalnum() or c in "-+_." else "_" for c in name)
    file = directory / "runs" / f"{safe}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")


def load(directory):
    """Returns (the measurement's parameters and environment, all runs) of a directory that dev/bench/run wrote."""
    directory = pathlib.Path(directory)
    about = directory / "about.json"
    if not about.is_file():
        raise Refusal(f"{directory}: no about.json in it; name a directory that dev/bench/run wrote")
    runs = [json.loads(file.read_text(encoding="utf-8"))
            for file in sorted((directory / "runs").glob("*.json"))]
    return json.loads(about.read_text(encoding="utf-8")), runs


def require_same(directory, earlier, about):
    """Refuses to add rounds to a measurement of something else, or of another commit."""
    def asked(its):
        rest = {key: value for key, value in its.items() if key not in ("command", "environment")}
        return json.loads(json.dumps({**rest, "commit": its["environment"]["commit"]}))

    then, now = asked(earlier), asked(about)
    others = [key for key in now if now[key] != then.get(key)]
    if others:
        raise Refusal(f"--more: {directory} has a measurement with another {', '.join(others)}; "
                      "name a new directory, without --more")


def measured(runs):
    """Returns the runs that count: those after the warm-up with a right answer."""
    return [run for run in runs if run["round"] != WARM_UP and not run["failure"]]


def check_fingerprint(fingerprints, question, run):
    """Fails a run whose answer differs from the first one to the same question.

    `fingerprints` keeps the first answers: {question: fingerprint}.
    """
    if run["failure"] or run["fingerprint"] is None:
        return
    first = fingerprints.setdefault(question, run["fingerprint"])
    if run["fingerprint"] != first:
        run["failure"] = f"its answer {run['fingerprint']} isn't the first run's, {first}"
