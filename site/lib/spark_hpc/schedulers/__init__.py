"""Schedulers behind one small interface, and the choice of the one that this process runs under.

A scheduler is made from an environment and the settings, and has

    job             Job(scheduler, cluster, id), which no other job of the site ever has
    nodes()         the allocation's Nodes, in order; master and driver run on the first one
    node_name()     the node that this process runs on, or None outside the allocation
    launch(command, names, logs)
                    starts the command once on each of these nodes, with all resources of the job there,
                    and returns the Popen of the launching program
    inside(command, name, terminal)
                    the command line that runs a command on that node, from wherever this process is
    running()       whether a launched command still runs
    end(force)      sends SIGTERM to all launched commands, or SIGKILL with force
    login_host()    a host that the user's own machine can reach, or None

and a static method live_jobs(env, cluster): the ids of this user's jobs that haven't ended, or None if they
can't be known. Only jobs that are known to be dead are swept. `cluster` and the ids are written as in file
names.

A scheduler of batch jobs also has a static found(env), which tells whether this process is in one of its
jobs; its title; and the programs that it needs.
"""

import collections

Job = collections.namedtuple("Job", "scheduler cluster id")

# `cores` and `memory` (bytes) are what the scheduler gave the job there; None if it doesn't say.
Node = collections.namedtuple("Node", "name cores memory")


def in_file_names(text):
    """`text` without hyphens, which separate the parts of our file names."""
    return text.replace("-", "_")
