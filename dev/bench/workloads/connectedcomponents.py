"""GraphX's own connected components of an R-MAT graph, unless a variant sets the engine: message rounds over a cached
graph."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="GraphX's connected components of an R-MAT graph",
    main="org.apache.spark.examples.hpc.ConnectedComponents",
    options={"scale": "13", "edge-factor": "16", "partitions": "16", "storage-level": "MEMORY_ONLY",
             "engine": "stock"},
    settings_from={"engine": "spark.hpc.graphx.engine"},
    partitions=("partitions",),
)
