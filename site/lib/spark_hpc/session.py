"""A SparkSession in this very process, on a cluster of the job."""

import contextlib
import glob
import os
import sys

from spark_hpc import site_conf
from spark_hpc.home import HOME
from spark_hpc.job_cluster import Cluster
from spark_hpc.processes import MARK
from spark_hpc.refused import Refused


@contextlib.contextmanager
def session(nodes, conf, settings):
    SparkContext, SparkSession = _pyspark()
    if SparkContext._gateway is not None or "PYSPARK_GATEWAY_PORT" in os.environ:
        raise Refused("this Python process has a Spark already, with settings of its own: begin with "
                      "spark_hpc.cluster(), and run the program by python")
    before = dict(os.environ)
    # The workers' Python has to be the driver's version.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    cluster = Cluster(HOME, dict(os.environ), site_conf.load(
        HOME, os.environ, [f"{key}={value}" for key, value in settings.items()]))
    ours = not cluster.running()
    if ours:
        cluster.start(nodes)
    try:
        env, driver = cluster.driver()
        os.environ.update(env)
        builder = SparkSession.builder
        for key, value in {**driver, **conf}.items():
            builder = builder.config(key, value)
        try:
            spark = builder.getOrCreate()
            # Without the mark, the cluster doesn't end processes that the program starts from here on.
            os.environ.pop(MARK, None)
            try:
                yield spark
            finally:
                spark.stop()
        finally:
            _end_gateway(SparkContext)
    finally:
        os.environ.clear()
        os.environ.update(before)
        if ours:
            cluster.stop()


def _pyspark():
    """(SparkContext, SparkSession) of this Python's own PySpark, or else of the distribution's."""
    try:
        import pyspark.sql
    except ImportError:
        home = os.path.join(HOME, "python")
        sys.path[:0] = [home, *glob.glob(os.path.join(glob.escape(home), "lib", "py4j-*-src.zip"))]
        try:
            import pyspark.sql
        except ImportError as why:
            raise Refused(f"there is no PySpark in {home} ({why}): install it again from the archive") from None
    return pyspark.SparkContext, pyspark.sql.SparkSession


def _end_gateway(context):
    """Ends the JVM: it has read this cluster's settings once and for all, so a later session needs another."""
    gateway, context._gateway, context._jvm = context._gateway, None, None
    if gateway is not None:
        gateway.shutdown()
        gateway.proc.stdin.close()
        gateway.proc.wait()
