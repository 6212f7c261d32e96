"""PageRank as a loop over plain RDDs (SparkPageRank), its ranks cached in each iteration or not."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="PageRank as a loop over plain RDDs",
    main="org.apache.spark.examples.hpc.RankLoop",
    options={"scale": "16", "edge-factor": "16", "iterations": "6", "partitions": "16",
             "cache-ranks": "true", "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
