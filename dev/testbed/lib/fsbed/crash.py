"""A node that crashes: its client of the file system and all of its processes are killed, so that nothing of what only the
node had in memory reaches the servers."""

import os
import re
import signal
import time

from fsbed import mounts, network, processes
from fsbed.refused import Refused


def crash(node, mount_point, common, namespace):
    """Kills them, and returns when the client is gone. The caller may be one of the node's processes: it lives on."""
    devices = dict(mounts.below(os.path.dirname(mount_point)))
    clients = _clients(mount_point, namespace)
    if not clients:
        raise Refused(f"node {node} has no client: it has crashed already")
    its = processes.with_mount(common, devices[mount_point])
    # Without its client, a process that ends can't have its last writes sent.
    for pid in [*clients, *(pid for pid in its if pid != os.getpid())]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    for _ in range(100 * network.PATIENCE):
        if not _clients(mount_point, namespace):
            return
        time.sleep(0.01)
    raise Refused(f"the client of node {node} is still there {network.PATIENCE} s after it was killed")


def _clients(mount_point, namespace):
    # MooseFS's shows its mount within other text.
    its_mount = re.compile(re.escape(mount_point) + r"(?![\w/])")
    return [pid for pid in network.processes(namespace) if its_mount.search(" ".join(processes.command_of(pid)))]
