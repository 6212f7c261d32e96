"""Starts a GlusterFS of its own, from Debian's packages but without their services: bricks and mounts get volume files,
so no management daemon is needed. Everything is below one base directory and in one private network namespace.

    10.78.0.1      the bricks
    10.78.1.N      node N's mount
"""

import os

from fsbed import daemons, mounts, network
from fsbed.glusterfs import volumes

SERVER = "10.78.0.1"
FIRST_PORT = 24900


def node_address(node):
    return f"10.78.1.{node}"


def addresses(nodes):
    return [f"{a}/32" for a in (SERVER, *map(node_address, range(nodes)))]


class Daemons(daemons.Daemons):
    def start_bricks(self, number, megabytes=None):
        """Returns [(name, port)]. With `megabytes`, a brick has a tmpfs of that size."""
        bricks = [(f"brick-{n}", FIRST_PORT + n) for n in range(number)]
        for name, port in bricks:
            self.make_store(name, megabytes)
            server = self.serve(name, "glusterfsd", "--no-daemon", *self._options(
                name, volumes.of_brick(name, self.at(name), SERVER, port)))
            self.wait_for(lambda port=port: self._listens(port), server, name)
        return bricks

    def mount(self, node, mount_point, bricks):
        name = f"mount-{node}"
        text = volumes.of_client(bricks, SERVER, node_address(node))
        client = self.spawn(name, "glusterfs", "--no-daemon", *self._options(name, text), mount_point)
        self.wait_for(lambda: mounts.is_mounted(mount_point) and self._answers(mount_point), client, name)

    def _options(self, name, text):
        path = self.at(f"{name}.vol")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return ["--volfile", path, "--log-file", self.at("log", f"{name}.log"), "--log-level", "WARNING"]

    def _listens(self, port):
        found = network.processes(self.namespace)
        if not found:
            return False
        with open(f"/proc/{found[0]}/net/tcp", encoding="ascii") as table:
            # NUMBER: ADDRESS:PORT REMOTE:PORT STATE ..., where 0A is a socket that listens.
            return any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A" for line in table)

    @staticmethod
    def _answers(mount_point):
        try:
            return os.statvfs(mount_point).f_blocks > 0
        except OSError:
            return False
