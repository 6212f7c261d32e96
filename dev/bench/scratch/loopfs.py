"""loopfs[:DIR|pfs[:PRESET]|moosefs[:PRESET]], an XFS image for each node (the paper's lustremount),
by default below /var/tmp."""

import os

from hpcbench import scratch
from hpcbench.testbed_kind import TestbedKind

SIZE = "4G"


class Kind(TestbedKind):
    kind = "loopfs"
    each_its_own = True

    def __init__(self, argument, nodes, base):
        super().__init__(argument, nodes, base)
        self.below = None
        self.on = argument or "/var/tmp"
        name = argument.partition(":")[0]
        if name in ("pfs", "moosefs"):
            self.below = scratch.load(argument, nodes, base + "-below")
            self.on = name

    def environment(self):
        if not self.below:
            return super().environment()
        # The testbed looks for the file system below at this path.
        return {**os.environ, f"TESTBED_{self.on.upper()}_BASE": self.below.base}

    def start_options(self):
        return ["--size", SIZE, "--on", self.on]

    def start(self, group):
        if self.below:
            self.below.start(group)
        super().start(group)

    def set(self, settings):
        (self.below or super()).set(settings)

    def drop_caches(self):
        super().drop_caches()
        if self.below:
            self.below.drop_caches()

    def reset(self):
        super().reset()
        if self.below:
            self.below.reset()

    def counts(self):
        """Returns XFS's own counts by kind; the totals of requests are those of the file system below."""
        found = super().counts()
        if self.below:
            shared = self.below.counts()
            found.update(below=shared, metadata_requests=shared["metadata_requests"],
                         data_requests=shared.get("data_requests"))
        return found

    def stop(self):
        super().stop()
        if self.below:
            self.below.stop()
