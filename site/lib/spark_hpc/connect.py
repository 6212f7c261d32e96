"""spark-hpc connect: runs a Connect server on a node of the job, for clients of its user alone."""

import glob
import os

from spark_hpc import interfaces
from spark_hpc.job_cluster import Cluster
from spark_hpc.refused import Refused


def run(home, env, conf, arguments):
    """Replaces this process."""
    if not glob.glob(os.path.join(glob.escape(home), "jars", "spark-connect_*.jar")):
        raise Refused(f"{home}/jars has no spark-connect_*.jar, since no registry has that of this Spark. "
                      f"{home}/docs/how-to.md, Spark Connect, says how to add that of an older one")
    cluster = Cluster(home, env, conf)
    cluster.go_inside("connect", arguments)
    address = cluster.address()
    cluster.run_connect(address, interfaces.free_port(address, conf), arguments)
