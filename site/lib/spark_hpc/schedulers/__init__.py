"""Schedulers behind one small interface, and which of them this process is under.

A scheduler is made from an environment and the settings, and has

    job             Job(scheduler, cluster, id): no other job of the site ever has the same
    nodes()         the allocation's Nodes, in order; the first has master and driver
    node_name()     the node that this process runs on, or None when it is outside the allocation
    launch(command, names, logs)
                    starts the command once on each of these nodes, with all that the job has there,
                    and returns the Popen of what it does that with
    inside(command, name, terminal)
                    the command line that runs a command on that node, from wherever this process is
    running()       whether something launched still runs
    end(force)      sends all of it SIGTERM, or with force SIGKILL
    login_host()    a host that the user's own machine reaches, or None

and a static method live_jobs(env, cluster): the ids of this user's jobs that haven't ended, or None
when that can't be known. Only what is known to be dead is swept. The cluster is given, and the ids
are, as they stand in file names.

One of batch jobs has also a static found(env), whether this process is in a job of it; its title; and
the programs that it needs.
"""

import collections

Job = collections.namedtuple("Job", "scheduler cluster id")

# `cores` and `memory` (bytes) are what the scheduler gave the job there; None: it doesn't say.
Node = collections.namedtuple("Node", "name cores memory")


def in_file_names(text):
    """Without the hyphens that separate the parts of our names."""
    return text.replace("-", "_")
