"""Spark-HPC with the eviction policy cost: the block that is cheapest to get back goes first."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with spark.hpc.retention.policy=cost",
    home="dist",
    settings={"spark.shuffle.manager": "sort", "spark.hpc.retention.policy": "cost"},
)
