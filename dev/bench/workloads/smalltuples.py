"""Counts a cached RDD several times; its small tuples take less to make than to write and read."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="many small tuples, cached and counted: the cost of a cache that isn't needed",
    main="org.apache.spark.examples.hpc.SmallTuples",
    options={"tuples": "2000000", "counts": "4", "partitions": "16",
             "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
