"""A cached RDD of small tuples that take less to make than to write and read, counted several times."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="many small tuples, cached and counted: what a cache costs that wasn't needed",
    main="org.apache.spark.examples.hpc.SmallTuples",
    options={"tuples": "2000000", "counts": "4", "partitions": "16",
             "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
