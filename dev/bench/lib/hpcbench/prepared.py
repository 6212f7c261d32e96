"""Makes the input of a workload once and keeps it below target/bench/data for all later runs."""

import hashlib
import os
import shutil
import subprocess

from . import ROOT, application, cluster as clusters
from .refusal import Refusal

DATA = ROOT / "target" / "bench" / "data"


def directory(step):
    key = hashlib.sha256(repr((step.main, step.arguments)).encode()).hexdigest()[:12]
    return DATA / f"{step.main.rpartition('.')[2]}-{key}"


def make(step, home, say):
    """Returns the directory of the step's output; runs the step if it is missing."""
    done = directory(step)
    if done.exists():
        return done
    say(f"making {done.relative_to(ROOT)}: {' '.join(step.arguments)}")
    DATA.mkdir(parents=True, exist_ok=True)
    partial = DATA / f"{done.name}.{os.getpid()}"
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith(clusters.FOREIGN)}
    words = application.command(home, "local[*]", step.main,
                                {"spark.ui.enabled": "false", "spark.driver.memory": "2g"},
                                [*step.arguments, step.output, partial])
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        shutil.rmtree(partial, ignore_errors=True)
        raise Refusal(f"{step.main}: {(ran.stderr or ran.stdout).strip().rpartition(chr(10))[2]}")
    # Another command may have made it at the same time: the first result stays.
    if done.exists():
        shutil.rmtree(partial)
    else:
        partial.rename(done)
    return done
