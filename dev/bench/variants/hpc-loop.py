"""Spark-HPC with the eviction policy loop: the block that is expected to be read last goes first."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with spark.hpc.retention.policy=loop, GraphX without the engine",
    home="dist",
    settings={
        "spark.shuffle.manager": "sort",
        "spark.hpc.retention.policy": "loop",
        "spark.hpc.graphx.engine": "stock",
    },
)
