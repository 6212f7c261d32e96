"""Lists the neighbours of a graph's vertices; a few vertices have very many (PUMA)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="lists the neighbours of each vertex of an R-MAT graph",
    main="org.apache.spark.examples.hpc.AdjacencyList",
    options={"scale": "15", "edge-factor": "16", "maps": "16", "reduces": "16"},
    partitions=("maps", "reduces"),
)
