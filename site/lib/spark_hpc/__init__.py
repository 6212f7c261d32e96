"""Spark-HPC at a site: its installation, its settings, and Spark inside a scheduler's allocation.

Uses the standard library only, and runs on Python 3.6 and later, because RHEL 8 has 3.6. User programs write:

    with spark_hpc.cluster() as spark:
        spark.range(10).show()
"""


def cluster(nodes=None, conf=None, settings=None):
    """A context manager: yields a SparkSession on a cluster of this job's nodes, and stops the cluster at the
    end.

    A cluster that the job has already is used, and keeps running. `nodes` and `settings` ({key: value}, as
    --set) are those of spark-hpc start; `conf` is {key: value} of Spark's own settings.
    """
    from spark_hpc import session, uncaught
    uncaught.say_in_one_line()
    return session.session(nodes, conf or {}, settings or {})
