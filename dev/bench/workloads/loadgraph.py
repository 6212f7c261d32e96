"""GraphX's loading of an R-MAT graph from an edge list. Each of its iterations is one loading."""

from hpcbench import workload
from hpcbench.workload import Workload

PAGERANK = workload.load("pagerank")

WORKLOAD = Workload(
    about="GraphX's GraphLoader.edgeListFile of an R-MAT graph",
    main="org.apache.spark.examples.hpc.LoadGraph",
    options={"scale": "16", "edge-factor": "16", "partitions": "16", "loads": "5", "engine": "stock"},
    only_prepare=("scale", "edge-factor"),
    settings_from={"engine": "spark.hpc.graphx.engine"},
    partitions=("partitions",),
    prepare=PAGERANK.prepare,
)
