"""Writes slurm.conf of an instance: all paths are below its base, all ports were free, and everything runs
as the caller."""

import os
import pwd
import socket

# Names of nodes: n0, n1, ...
NODE = "n{}"

# RealMemory is the memory in MB that jobs get, not that of the host. task/affinity binds the tasks of steps to
# cores, as sites do; without control groups, a task can still bind itself to other cores. With
# batch_sched_delay, jobs start at once, not up to 3 s later.
_TEMPLATE = """\
ClusterName={cluster}
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={base}/munge/socket
CredType=cred/munge
StateSaveLocation={base}/state-of-jobs
SlurmdSpoolDir={base}/spool/%n
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd-%n.pid
SlurmctldLogFile={base}/log/slurmctld
SlurmdLogFile={base}/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
TaskPluginParam=Cores
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0
# Ended jobs stay known for a day: somebody may ask long afterwards.
MinJobAge=86400
# For a busy machine: the time until a node that doesn't answer counts as dead, a request as lost, and a job as
# not launched; the time from SIGTERM to SIGKILL, in which copies are removed, and from there until the node is
# given up.
SlurmdTimeout=60
MessageTimeout=60
BatchStartTimeout=120
KillWait=300
UnkillableStepTimeout=300
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def text(base, cluster, ports, cores, memory):
    """Returns the text. `ports` are the controller's and one for each node; `cores` and `memory` are of each node."""
    host = socket.gethostname().split(".")[0]
    nodes = "\n".join(
        f"NodeName={NODE.format(n)} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
        f"CPUs={cores[n]} RealMemory={memory[n]}" for n, port in enumerate(ports[1:]))
    return _TEMPLATE.format(base=base, cluster=cluster, host=host, ports=ports, nodes=nodes,
                            user=pwd.getpwuid(os.getuid()).pw_name)


def free_ports(number):
    """Returns so many free ports. All are held until the last one is found, so that none is found twice."""
    held = []
    try:
        for _ in range(number):
            held.append(socket.socket())
            held[-1].bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]
    finally:
        for each in held:
            each.close()


def default_cores():
    return len(os.sched_getaffinity(0))
