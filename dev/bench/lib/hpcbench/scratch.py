"""A file system for scratch files, seen by several nodes; kinds are files in dev/bench/scratch."""

import glob
import os
import shutil
import time

from . import plugins
from .refusal import Refusal

PATIENCE = 30  # seconds for an application's clean-up


class Scratch:
    """The contract of a kind of scratch. Nodes are numbered from 0; node 0 also has the driver.

    Between `start` and `stop`, commands made by `on_node` see `local(node)`, where only that node
    writes, and `shared`, where all nodes write (None if there is no such directory).
    """

    # Whether its files take the nodes' memory, and so are added to the heaps.
    in_memory = False
    shared = None

    def __init__(self, argument, nodes, base):
        """`argument` is the text after the colon, or ""; `base` is the name of a new directory."""
        self.argument, self.nodes, self.base = argument, nodes, base

    def start(self, group):
        """`group` is a control group for daemons."""

    def on_node(self, node, command):
        del node
        return list(command)

    def local(self, node):
        raise NotImplementedError

    def common(self):
        """Returns a directory that all nodes read and write."""
        if not self.shared:
            raise Refusal("--files-on-scratch: each node of this scratch has a file system of its own; take "
                          "pfs, moosefs, local or tmpfs")
        return self.shared

    def set(self, settings):
        """Changes the file system's own settings; {} restores those of the start."""
        if settings:
            raise Refusal(f"{', '.join(settings)}: only file systems of the testbed have settings")

    def drop_caches(self):
        """Makes the next run start cold."""
        raise NotImplementedError

    def reset(self):
        """Resets the counts to zero."""

    def counts(self):
        """Returns the requests since `reset`, counted outside the JVM, or None if nothing counts them."""
        return None

    def used_bytes(self):
        """Returns the bytes in use, or None if finding out would be a request."""
        return None

    def settle(self):
        """Waits until the ended application's clean-up here is over."""

    def stop(self):
        """Leaves nothing behind."""


class Directories(Scratch):
    """A directory per node on a file system of this machine. Nothing counts requests."""

    def start(self, group):
        for node in range(self.nodes):
            os.makedirs(self.local(node))

    def local(self, node):
        return os.path.join(self.base, str(node))

    def common(self):
        """All nodes are this machine."""
        return self.base

    def drop_caches(self):
        drop_machine_caches()

    def settle(self):
        end = time.monotonic() + PATIENCE
        # The Worker removes an application's directories last.
        while (any(glob.iglob(os.path.join(self.base, "*/*/spark-*/executor-*")))
               and time.monotonic() < end):
            time.sleep(0.05)

    def stop(self):
        shutil.rmtree(self.base, ignore_errors=True)


def drop_machine_caches():
    os.sync()
    try:
        with open("/proc/sys/vm/drop_caches", "w", encoding="utf-8") as file:
            file.write("3")
    except PermissionError:
        raise Refusal("--cold: emptying this machine's caches needs root") from None


def load(text, nodes, base):
    """Returns a scratch from NAME or NAME:ARGUMENT."""
    name, _, argument = text.partition(":")
    return plugins.load("scratch", name).Kind(argument, nodes, base)
