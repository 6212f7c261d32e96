"""Spark-HPC with the eviction policy lru: the block used least recently goes first."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with spark.hpc.retention.policy=lru, GraphX without the engine",
    home="dist",
    settings={
        "spark.shuffle.manager": "sort",
        "spark.hpc.retention.policy": "lru",
        "spark.hpc.graphx.engine": "stock",
    },
)
