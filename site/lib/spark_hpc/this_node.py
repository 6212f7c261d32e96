"""The cores and the memory that a cluster may use on the node where this process runs."""

import math
import os

from spark_hpc import cgroup
from spark_hpc.refused import Refused


def cores(node):
    """All cores of the job on this node, within the control group's limit. Refused if this process may use
    fewer, because Spark would run a task for each core of the job."""
    here_are = len(os.sched_getaffinity(0))
    wanted = node.cores or here_are
    if here_are < wanted:
        raise Refused(f"the job has {wanted} cores on {node.name}, but a step of it may use "
                      f"only {here_are}: ask your support about the scheduler's core binding")
    limit = cgroup.processor_limit()
    return max(1, min(wanted, int(limit) if limit else wanted))


def processors():
    """As many processors as Java finds."""
    limit = cgroup.processor_limit()
    here_are = len(os.sched_getaffinity(0))
    return min(here_are, math.ceil(limit)) if limit else here_are


def memory(node, node_cores):
    """The bytes that the scheduler gave, or else the cores' share of the node's memory; never more than the
    control group allows."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    given = node.memory or whole * node_cores // os.cpu_count()
    return min(given, whole, cgroup.memory_limit() or whole)
