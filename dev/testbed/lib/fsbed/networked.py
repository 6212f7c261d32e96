"""An instance of a real file system whose daemons and mounts have a network namespace of their own."""

from fsbed import network
from fsbed.instance import StatefulInstance
from fsbed.servers import Servers


class NetworkedInstance(StatefulInstance):
    """
        BASE/net    keeps the namespace; processes of a node aren't in it
        BASE/pids   the leaders of its processes, as they were when all had started
        BASE/servers   which servers it has
    """

    def __init__(self, kind, base):
        super().__init__(kind, base)
        self.network = self.at("net")

    def servers(self):
        return Servers(self.base, self.network, self.note_leaders)

    def note_leaders(self):
        with open(self.at("pids"), "w", encoding="utf-8") as f:
            f.write(" ".join(map(str, network.leaders(self.network))))

    def leaders(self):
        with open(self.at("pids"), encoding="utf-8") as f:
            return [int(pid) for pid in f.read().split()]

    def alive(self):
        return self.state()["ready"] and set(self.leaders()) <= set(network.processes(self.network))

    def clear(self):
        network.kill_all(self.network)
