"""Spark-HPC whose containers on the shared file system are merged in the background."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with merged containers on the shared file system",
    home="dist",
    settings={"spark.hpc.shuffle.placement": "global",
              "spark.hpc.shuffle.directory": "{shared}",
              "spark.hpc.shuffle.merge": "auto"},
)
