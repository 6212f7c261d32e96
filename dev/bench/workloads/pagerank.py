"""GraphX's own PageRank of an R-MAT graph (HPDC'16, Fig. 11, 13, 16-18), unless a variant sets the engine."""

from hpcbench import answer
from hpcbench.workload import Step, Workload


def graph(options):
    return Step("org.apache.spark.examples.hpc.Rmat",
                ("--scale", options["scale"], "--edge-factor", options["edge-factor"]))


WORKLOAD = Workload(
    about="GraphX's PageRank of an R-MAT graph",
    main="org.apache.spark.examples.hpc.PageRank",
    options={"scale": "16", "edge-factor": "16", "iterations": "10", "partitions": "16",
             "storage-level": "MEMORY_ONLY", "top": "100", "engine": "stock"},
    only_prepare=("scale", "edge-factor"),
    settings_from={"engine": "spark.hpc.graphx.engine"},
    partitions=("partitions",),
    prepare=graph,
    answer=answer.table,
)
