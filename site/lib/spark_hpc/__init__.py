"""Spark-HPC at a site: its installation, its settings, and Spark inside a scheduler's allocation.

Standard library only, and no newer Python than 3.6: that is RHEL 8's own. For users' programs:

    with spark_hpc.cluster() as spark:
        spark.range(10).show()
"""


def cluster(nodes=None, conf=None, settings=None):
    """A context manager: a SparkSession on a cluster of this job's nodes, which ends with it.

    A cluster that the job has already is used, and stays. `nodes` and `settings` ({key: value}, as
    --set) are those of spark-hpc start, `conf` is {key: value} of Spark's own.
    """
    from spark_hpc import session, uncaught
    uncaught.say_in_one_line()
    return session.session(nodes, conf or {}, settings or {})
