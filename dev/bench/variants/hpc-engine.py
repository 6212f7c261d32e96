"""Spark-HPC with GraphX's PageRank in our engine."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with spark.hpc.graphx.engine=auto",
    home="dist",
    settings={"spark.hpc.graphx.engine": "auto"},
)
