"""Spark-HPC whose map outputs are in containers in the node's memory, as long as that has room."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with map outputs in containers in the fastest scratch tier",
    home="dist",
    settings={"spark.hpc.scratch.tiers": "auto"},
)
