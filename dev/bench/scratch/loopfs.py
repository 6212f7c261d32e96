"""loopfs[:DIR|pfs|moosefs], an XFS image for each node (the paper's lustremount)."""

from hpcbench.testbed_kind import TestbedKind

SIZE = "4G"


class Kind(TestbedKind):
    kind = "loopfs"

    def start_options(self):
        return ["--size", SIZE, *(["--on", self.argument] if self.argument else [])]
