"""moosefs[:PRESET], a real parallel file system, whose metadata server the preset delays."""

from hpcbench.testbed_kind import TestbedKind


class Kind(TestbedKind):
    kind = "moosefs"
