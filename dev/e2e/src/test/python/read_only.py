"""Runs a job, makes the scratch directory read-only, replaces the executor, and runs a job again: read_only.py DIRECTORY"""

import subprocess
import sys

from pyspark.sql import SparkSession

context = SparkSession.builder.getOrCreate().sparkContext._jsc.sc()


def count():
    """In Java alone: Python's parallelize writes to the driver's own directory."""
    return context.range(0, 4, 1, 1).count()


assert count() == 4
subprocess.check_call(["mount", "-o", "remount,ro", sys.argv[1]])
# A replaced executor doesn't count as a failed one, so the master starts one more.
context.killAndReplaceExecutor("0")
count()
