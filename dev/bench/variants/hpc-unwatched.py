"""Spark-HPC whose executors don't watch their tasks, so that reports have only Spark's own measurements."""

from hpcbench.variant import Variant

VARIANT = Variant(
    about="Spark-HPC without samples, counts of requests and figures of executors",
    home="dist",
    settings={"spark.hpc.profile.interval": "0"},
)
