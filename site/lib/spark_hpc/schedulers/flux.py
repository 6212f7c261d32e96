"""Flux, inside flux batch or flux alloc: the instance's brokers run launched commands, by flux exec.
Experimental: written from the manuals and from published outputs."""

import json
import re
import socket
import sys

from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job, Node
from spark_hpc.schedulers.asked import ask
from spark_hpc.schedulers.launched import Launched, short


class Flux(Launched):
    title = "Flux"
    programs = ("flux",)
    own = ("FLUX_",)

    @property
    def job(self):
        number = ask(self._env, "flux", "getattr", "jobid").strip()
        return Job("flux", _parent(self._env),
                   ask(self._env, "flux", "job", "id", "--to=dec", number).strip())

    @staticmethod
    def found(env):
        return "FLUX_URI" in env

    def nodes(self):
        execution = json.loads(ask(self._env, "flux", "kvs", "get", "resource.R"))["execution"]
        names = [name for text in execution["nodelist"] for name in hosts(text)]
        cores = {rank: len(numbers(group["children"]["core"]))
                 for group in execution["R_lite"] for rank in numbers(group["rank"])}
        return [Node(name, cores.get(rank), None) for rank, name in enumerate(names)]

    def node_name(self):
        # After flux proxy, as on a login node, this host isn't one of the nodes.
        here = short(socket.gethostname())
        return next((node.name for node in self.nodes() if short(node.name) == here), None)

    def _lines(self, command, names):
        ranks = [str(rank) for rank, node in enumerate(self.nodes()) if node.name in names]
        return [["flux", "exec", "--noinput", "--rank=" + ",".join(ranks), *command]]

    def login_host(self):
        return None

    @staticmethod
    def live_jobs(env, cluster):
        try:
            # Outside an instance, and in an instance of another parent, these jobs are unknown.
            if "FLUX_URI" not in env or cluster != _parent(env):
                return None
            return set(ask(env, "flux", "--parent", "jobs", "--no-header",
                           "--format={id.dec}").split())
        except Refused as why:
            print(f"spark-hpc: leftovers of Flux jobs aren't removed: {why}", file=sys.stderr)
            return None


def _parent(env):
    """The name of the parent, which gave this instance its resources: the end of its address, which is the
    same on each of its hosts."""
    path = ask(env, "flux", "getattr", "parent-uri").strip().split("://")[-1].partition("/")[2]
    return re.sub(r"\W+", "_", path) or "flux"


def hosts(text):
    """Expands n[01-03,7],m to [n01, n02, n03, n7, m]."""
    return [prefix + number + suffix
            for prefix, inside, suffix in re.findall(r"([^,\[\]]+)(?:\[([^\]]*)\])?([^,\[\]]*)", text)
            for number in (_each(inside) if inside else [""])]


def numbers(text):
    """Expands 0-2,5 to [0, 1, 2, 5]."""
    return [int(number) for number in _each(text)]


def _each(ranges):
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        for number in range(int(first), int(last or first) + 1):
            yield f"{number:0{len(first)}}"
