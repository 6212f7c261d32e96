"""GraphX's dynamic PageRank of an R-MAT graph: Pregel, until no rank changes by more than a tolerance."""

import dataclasses

from hpcbench import workload

PAGERANK = workload.load("pagerank")
OPTIONS = {name: value for name, value in PAGERANK.options.items() if name != "iterations"}

WORKLOAD = dataclasses.replace(
    PAGERANK,
    about="GraphX's dynamic PageRank of an R-MAT graph",
    options={**OPTIONS, "scale": "14", "dynamic": "0.05"},
)
