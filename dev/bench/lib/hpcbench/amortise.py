"""Figure 10's measurement, the only one without Spark: what an open for each read costs.

Leaves the same files as dev/bench/run, so that the figure is drawn like the others.
"""

import json
import os
import pathlib
import subprocess
import sys

from . import environment, plan, record, scratch
from .refusal import Refusal

SCRATCHES = ("local", "pfs:workstation", "pfs:edison", "pfs:cori", "pfs:bb-striped")
READS = 500
SIZES = (1 << 10, 1 << 14, 1 << 18, 1 << 20)
PROGRAM = pathlib.Path(__file__).with_name("opens.py")


def measure(reps, out, say):
    """{bytes: times} of each kind of scratch, one kind after the other, in `reps` rounds."""
    about = {"command": f"dev/bench/figures 10 --reps {reps}", "workload": "reads",
             "variants": ["reads"], "scratches": list(SCRATCHES),
             "environment": environment.describe()}
    out.mkdir(parents=True)
    (out / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    for text in SCRATCHES:
        say(f"{text}: {READS} reads of {len(SIZES)} sizes, {reps} rounds and one that doesn't count")
        made = scratch.load(text, 1, f"/dev/shm/hpcbench-{os.getpid()}-reads")
        try:
            made.start(Nowhere)
            for number in range(reps + 1):
                for run in _round(number, text, made):
                    record.save(out, run)
        finally:
            made.stop()


class Nowhere:
    """No control group: nobody asks for the daemons' time here."""

    @staticmethod
    def command(words):
        return words


def _round(number, text, made):
    words = [sys.executable, str(PROGRAM), made.local(0), str(READS), *map(str, SIZES)]
    done = subprocess.run(made.on_node(0, words), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Refusal(f"reads on {text}: {done.stderr.strip().rpartition(chr(10))[2]}")
    for size, times in json.loads(done.stdout).items():
        series = plan.Series("reads", text, (("bytes", size),))
        yield record.bare(number, series, times["each"], times)
