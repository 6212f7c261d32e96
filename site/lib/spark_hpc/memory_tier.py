"""How much of a node's memory executors fill with scratch files. The executors apply the same rule
(ScratchPlan, NodeMemory and ThisNode in core; a test compares the constants):

  - each executor may use half of what its heap and Spark's usual overhead leave of its share of the memory;
  - a tier in memory isn't used if that is less than LEAST.
"""

import collections
import socket

from spark_hpc import site_conf, sizing, this_node
from spark_hpc.refused import Refused
from spark_hpc.schedulers import Node
from spark_hpc.schedulers.choice import current
from spark_hpc.sizing import MB

LEAST = 256 * MB
_CAPACITY = "have programs name it in spark.hpc.scratch.tiers with a ?capacity="
_OVERHEAD = 384 * MB  # and a tenth of the heap, if that is more

# `share`: how many bytes each of the `executors` may have in files.
Files = collections.namedtuple("Files", "share executors")
# `is_first`: master and driver run on that node.
Place = collections.namedtuple("Place", "node is_first")


def share(memory, executors, heap):
    """How many bytes each executor may have in files, if all of them together have `memory` bytes."""
    return max(0, (memory // executors - heap - max(heap // 10, _OVERHEAD)) // 2)


def of_offer(offer, processors):
    """The Files of a node with this sizing.Offer."""
    size = sizing.executor([offer])
    executors = max(1, processors // size.cores)
    return Files(share(offer.memory, executors, size.heap), executors)


def of_place(place, conf):
    """The Files of a cluster that would start there now; Refused if none would start."""
    cores = this_node.cores(place.node)
    offer = sizing.offer(place.node.name, cores, this_node.memory(place.node, cores), place.is_first, conf)
    return of_offer(offer, this_node.processors())


def remedy(place, conf):
    """In words, the least memory.overhead, in steps of 0.05, with which a tier in memory is used there."""
    for percent in range(5, 95, 5):
        wanted = site_conf.SiteConf.of(conf.members())
        wanted.set("memory.overhead", str(percent / 100), "", users=False)
        try:
            is_enough = of_place(place, wanted).share >= LEAST
        except Refused:
            break
        if is_enough:
            return f"set memory.overhead = {percent / 100:g}, or {_CAPACITY}"
    return f"ask the scheduler for more memory, set driver.memory lower, or {_CAPACITY}"


def this_place(env, conf):
    """This node with the resources that its scheduler gives; outside a job, the whole host."""
    scheduler = current(env, conf)
    try:
        nodes, name = scheduler.nodes(), scheduler.node_name()
    except Refused:
        nodes, name = [], None
    node = next((node for node in nodes if node.name == name), None)
    return Place(node, node is nodes[0]) if node else Place(Node(socket.gethostname(), None, None), True)
