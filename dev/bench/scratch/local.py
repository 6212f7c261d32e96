"""local[:DIRECTORY], a directory for each node on a local disk, by default below /var/tmp."""

import tempfile

from hpcbench.scratch import Directories


class Kind(Directories):
    def __init__(self, argument, nodes, base):
        del base
        place = tempfile.mkdtemp(prefix="hpcbench-", dir=argument or "/var/tmp")
        super().__init__(argument, nodes, place)
