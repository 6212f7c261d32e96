"""Spark-HPC whose map outputs are in containers in the executors' local directories."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC with map outputs in containers in spark.local.dir",
    home="dist",
    settings={"spark.shuffle.manager": "org.apache.spark.shuffle.hpc.HpcShuffleManager"},
)
