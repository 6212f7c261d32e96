"""Spark-HPC whose map outputs go to containers on the shared file system."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with map outputs in containers on the shared file system",
    home="dist",
    settings={"spark.hpc.shuffle.placement": "global",
              "spark.hpc.shuffle.directory": "{shared}"},
)
