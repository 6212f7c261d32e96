"""Runs a job, makes the scratch directory read-only, kills the executor, and runs a job again: read_only.py DIRECTORY"""

import os
import pathlib
import signal
import subprocess
import sys

from pyspark.sql import SparkSession


def kill_executors(application):
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text()
        except OSError:  # it has ended
            continue
        if "CoarseGrainedExecutorBackend" in command and application in command:
            os.kill(int(process.name), signal.SIGKILL)


context = SparkSession.builder.getOrCreate().sparkContext


def count():
    """In Java alone: Python writes to the driver's own directory."""
    return context._jsc.sc().range(0, 4, 1, 1).count()


assert count() == 4
subprocess.check_call(["mount", "-o", "remount,ro", sys.argv[1]])
kill_executors(context.applicationId)
count()
