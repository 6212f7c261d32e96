"""How the cores and the memory of nodes are divided into executors.

A node offers what remains after our daemons and, on the first node, the driver. Spark gives all executors of
an application the same size, so the smallest share of any node decides that size; a larger node then has room
for more of them, and Spark's master uses it.
"""

import collections
import math

from spark_hpc.refused import Refused

MB = 1 << 20
DAEMON = 512 * MB  # the heap of the master, and of each worker
LEAST_HEAP = 512 * MB  # Spark starts no executor with less than 450 MB

# `executors`: how many the node is divided into; `heap`: bytes of all their heaps together; `memory`: bytes
# of these heaps and of what executors need besides.
Offer = collections.namedtuple("Offer", "cores heap executors memory")
Executor = collections.namedtuple("Executor", "cores heap")


def offer(node, cores, memory, first, conf):
    """What a node of `cores` and `memory` bytes offers executors; `first`: master and driver run there."""
    executors = conf["executors.per.node"] or math.ceil(cores / conf["executors.cores"])
    if executors > cores:
        raise conf.refusal("executors.per.node", f"{node} has {cores} cores: ask for fewer executors")
    overhead = conf["memory.overhead"]
    taken = DAEMON
    if first:
        taken += DAEMON + int(conf["driver.memory"] * (1 + overhead))
    heap = int((memory - taken) * (1 - overhead)) // MB * MB
    if heap < executors * LEAST_HEAP:
        raise Refused(
            f"of its {memory // MB} MB, {taken // MB} MB are for daemons"
            f"{' and driver' if first else ''}, and {max(heap, 0) // MB} MB are left as heap for "
            f"{executors} executor(s) of {LEAST_HEAP // MB} MB or more: ask the scheduler for more "
            "memory, or set driver.memory, executors.per.node or memory.overhead lower")
    return Offer(cores, heap, executors, memory - taken)


def executor(offers):
    """The executor size that fits all offers."""
    return Executor(min(o.cores // o.executors for o in offers),
                    min(o.heap // o.executors for o in offers) // MB * MB)


def number(size, offers):
    """How many executors of that size Spark will start."""
    return sum(min(o.cores // size.cores, o.heap // size.heap) for o in offers)
