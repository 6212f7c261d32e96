"""CX decomposition: passes over a cached matrix (Gittens et al., IEEE Big Data 2016)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="low-rank decomposition by columns, its four phases timed",
    main="org.apache.spark.examples.hpc.CX",
    options={"rows": "40000", "columns": "200", "rank": "8", "iterations": "5", "partitions": "16",
             "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
