"""Spark-HPC whose map outputs go to containers on the shared file system, with GraphX's PageRank in our engine."""

import dataclasses

from hpcbench import variant

GLOBAL = variant.load("hpc-global")

VARIANT = dataclasses.replace(
    GLOBAL,
    about=f"{GLOBAL.about}, and spark.hpc.graphx.engine=auto",
    settings={**GLOBAL.settings, "spark.hpc.graphx.engine": "auto"},
)
