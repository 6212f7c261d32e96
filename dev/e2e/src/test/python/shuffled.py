"""Shuffles of RDDs and of DataFrames, and barrier stages of two tasks, of which one fails in the first attempt.

Prints "result NAME VALUE" lines: of the barrier stages "tasks COUNTS", how many tasks ran for how many of them, {4: 12}
if both ran again after each failure, and no more often; and "executors N", those that ended included.

Arguments: a directory for files of its own, and how many failing stages. In every third one the other task waits for
the one that fails; else it ends just before that one does, at more and more distance.
"""

import os
import sys
import time

from pyspark import BarrierTaskContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f


def result(name, value):
    print("result", name, value, flush=True)


def rdds(sc):
    pairs = sc.parallelize(range(5000), 8).map(lambda n: (n % 17, n))
    result("rdd.sums", sorted(pairs.reduceByKey(lambda a, b: a + b, 5).collect()))
    result("rdd.groups", sorted(pairs.groupByKey(3).mapValues(len).collect()))
    # All its tasks at once, as many as there are cores.
    barrier = pairs.repartition(2).barrier().mapPartitions(lambda rows: rows)
    result("rdd.barrier", sorted(barrier.reduceByKey(lambda a, b: a + b, 5).collect()))


def frames(spark):
    """A join in which most rows have one key, so that adaptive execution splits that partition."""
    key = f.when(f.col("id") % 10 < 7, 0).otherwise(f.col("id") % 1000)
    large = spark.range(0, 200000, 1, 8).select("id", key.alias("key"))
    small = spark.range(0, 1000, 1, 4).select(f.col("id").alias("key"), (f.col("id") * 3).alias("value"))
    joined = large.join(small, "key").agg(f.count("id"), f.sum("id"), f.sum("value"))
    result("frame.join", [tuple(row) for row in joined.collect()])
    plan = joined._jdf.queryExecution().executedPlan().toString()
    for kind in ("coalesced", "skewed"):
        result(f"frame.{kind}", any(kind in line for line in plan.splitlines() if "AQEShuffleRead" in line))


def failing_once(number, directory):
    def file(name):
        return os.path.join(directory, name)

    def task(rows):
        context = BarrierTaskContext.get()
        open(file(f"began-{context.taskAttemptId()}"), "w").close()
        is_first = not os.path.exists(file("failed"))
        together = context.allGather(str(context.taskAttemptId()))
        for row in rows:
            yield row, tuple(together)
        if is_first and context.partitionId() == 1:
            open(file("failed"), "w").close()
            while number % 3 and not os.path.exists(file("ended")):
                time.sleep(0.001)
            time.sleep(0.005 * number)
            raise RuntimeError("as told")
        if number % 3 == 0:
            context.barrier()
        open(file("ended"), "w").close()

    return task


def barriers(sc, directory, stages):
    tasks = {}
    for number in range(stages):
        files = os.path.join(directory, str(number))
        os.mkdir(files)
        read = sc.parallelize(range(100), 4).repartition(2)
        grouped = read.barrier().mapPartitions(failing_once(number, files)).groupByKey(3)
        seen = grouped.mapValues(list).collect()
        assert sorted(key for key, _ in seen) == list(range(100)), seen
        assert len({together for _, one in seen for together in one}) == 1, seen
        began = sum(name.startswith("began-") for name in os.listdir(files))
        tasks[began] = tasks.get(began, 0) + 1
    result("tasks", tasks)
    executors = sc._jsc.sc().statusStore().executorList(False)
    result("executors", executors.size() - len(["driver"]))


def main(directory, stages):
    spark = SparkSession.builder.appName("shuffled").getOrCreate()
    rdds(spark.sparkContext)
    frames(spark)
    barriers(spark.sparkContext, directory, int(stages))
    spark.stop()


main(*sys.argv[1:])
