"""A user's program: says what its executors see, then waits until it may end. probe.py NAME"""

import os
import sys
import time

from pyspark.sql import SparkSession

PATIENCE = 3000  # seconds until it ends anyway
name = sys.argv[1]


def look(_):
    time.sleep(0.2)  # so that no executor gets all of them
    return [(os.environ["SLURMD_NODENAME"], len(os.sched_getaffinity(0)))]


context = SparkSession.builder.appName("probe").getOrCreate().sparkContext
seen = sorted(set(context.parallelize(range(16), 16).mapPartitions(look).collect()))
context.parallelize(range(10), 2).saveAsTextFile(name + ".output")
with open(name + ".new", "w", encoding="utf-8") as f:
    f.write(f"driver {os.environ.get('SLURMD_NODENAME')}\nexecutors {seen}\n"
            f"local {os.environ.get('SPARK_LOCAL_DIRS')}\n")
os.rename(name + ".new", name + ".running")
deadline = time.monotonic() + PATIENCE
while not os.path.exists(name + ".release") and time.monotonic() < deadline:
    time.sleep(0.2)
