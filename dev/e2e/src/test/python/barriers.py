"""Barrier stages of two tasks, of which one fails in the first attempt.

Prints "result tasks COUNTS", how many tasks ran for how many of these stages: {4: 12} if both ran again after each
failure, and no more often; and "result executors N", those that ended included.

Arguments: a directory for files of its own, and how many stages. In every third stage the other task waits for the one
that fails; else it ends just before that one does, at more and more distance.
"""

import os
import sys
import time

from pyspark import BarrierTaskContext
from pyspark.sql import SparkSession


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


def main(directory, stages):
    sc = SparkSession.builder.getOrCreate().sparkContext
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
    print("result tasks", tasks, flush=True)
    executors = sc._jsc.sc().statusStore().executorList(False)
    print("result executors", executors.size() - len(["driver"]), flush=True)


main(sys.argv[1], int(sys.argv[2]))
