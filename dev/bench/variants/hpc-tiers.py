"""Spark-HPC whose spills and cached blocks go to the node's memory first."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with scratch in the node's memory, then on the shared file system",
    home="dist",
    settings={"spark.shuffle.manager": "sort",
              "spark.hpc.scratch.tiers": "memory:/dev/shm?capacity=4g,global:{shared}"},
)
