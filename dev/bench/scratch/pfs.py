"""pfs:PRESET, the testbed's emulator of Lustre. The default preset is none: an exact counter."""

from hpcbench.testbed_kind import TestbedKind


class Kind(TestbedKind):
    kind = "pfs"

    def drop_caches(self):
        self.verb("drop")
