"""Spark-HPC that finds scratch tiers itself."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with scratch in the node's memory, then in the other variants' directories",
    home="dist",
    settings={"spark.shuffle.manager": "sort",
              "spark.hpc.scratch.tiers": "auto"},
)
