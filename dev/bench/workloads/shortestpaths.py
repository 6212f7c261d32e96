"""Single-source shortest paths by GraphX's Pregel: different vertices take part in each message round."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="shortest paths in an R-MAT graph with lengths, by GraphX's Pregel",
    main="org.apache.spark.examples.hpc.ShortestPaths",
    options={"scale": "13", "edge-factor": "16", "partitions": "16", "storage-level":
             "MEMORY_ONLY"},
    partitions=("partitions",),
)
