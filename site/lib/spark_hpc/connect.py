"""spark-hpc connect: runs a Connect server on a node of the job, for clients of its user alone."""

from spark_hpc import interfaces
from spark_hpc.job_cluster import Cluster


def run(home, env, conf, arguments):
    """Replaces this process."""
    cluster = Cluster(home, env, conf)
    cluster.go_inside("connect", arguments)
    address = cluster.address()
    cluster.run_connect(address, interfaces.free_port(address, conf), arguments)
