"""Spark-HPC with the eviction policy lrc: the block with the fewest references left goes first."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with spark.hpc.retention.policy=lrc, GraphX without the engine",
    home="dist",
    settings={
        "spark.shuffle.manager": "sort",
        "spark.hpc.retention.policy": "lrc",
        "spark.hpc.graphx.engine": "stock",
    },
)
