"""Spark-HPC with its defaults."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with its defaults",
    home="dist",
    switches={"containers": ("spark.hpc.shuffle.containers.enabled", "false", "true"),
              "pool": ("spark.hpc.pool.enabled", "false", "true"),
              "retention": ("spark.hpc.retention.spill", "never", "auto")},
)
