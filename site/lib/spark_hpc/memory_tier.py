"""How much of a node's memory executors fill with scratch files, by the rule that they apply themselves
(ScratchPlan, NodeMemory and ThisNode in core; a test compares the constants):

  - each executor may have half of what its heap and Spark's usual overhead leave of its part of the memory;
  - a tier in memory isn't used when that is less than LEAST.
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

# `share` is what each of `executors` may have in files, in bytes.
Files = collections.namedtuple("Files", "share executors")
# `is_first`: master and driver run on that node.
Place = collections.namedtuple("Place", "node is_first")


def share(memory, executors, heap):
    """What one of so many executors, which together have that memory, may have in files."""
    return max(0, (memory // executors - heap - max(heap // 10, _OVERHEAD)) // 2)


def of_offer(offer, processors):
    """The Files of a node with that sizing.Offer."""
    size = sizing.executor([offer])
    executors = max(1, processors // size.cores)
    return Files(share(offer.memory, executors, size.heap), executors)


def of_place(place, conf):
    """As if a cluster started there now; Refused if none would."""
    cores = this_node.cores(place.node)
    offer = sizing.offer(place.node.name, cores, this_node.memory(place.node, cores), place.is_first, conf)
    return of_offer(offer, this_node.processors())


def remedy(place, conf):
    """The least memory.overhead, in steps of 0.05, with which a tier in memory is used there; in words."""
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
    """This node as its scheduler gives it; outside a job, all of this host."""
    scheduler = current(env, conf)
    try:
        nodes, name = scheduler.nodes(), scheduler.node_name()
    except Refused:
        nodes, name = [], None
    node = next((node for node in nodes if node.name == name), None)
    return Place(node, node is nodes[0]) if node else Place(Node(socket.gethostname(), None, None), True)
