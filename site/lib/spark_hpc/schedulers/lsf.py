"""LSF: launched commands are tasks of the job, by blaunch. Experimental: written from the manuals and from
published outputs."""

import re
import socket
import sys

from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job, Node, in_file_names
from spark_hpc.schedulers.asked import ask
from spark_hpc.schedulers.launched import Launched, short


class Lsf(Launched):
    title = "LSF"
    programs = ("blaunch", "bjobs", "lsid")
    own = ("LS_", "LSF_PM_")

    @property
    def job(self):
        return Job("lsf", _cluster(self._env), _id(self._env["LSB_JOBID"],
                                                   self._env.get("LSB_JOBINDEX", "0")))

    @staticmethod
    def found(env):
        return "LSB_JOBID" in env

    def nodes(self):
        words = self._env["LSB_MCPU_HOSTS"].split()
        slots = {}
        for name, number in zip(words[::2], words[1::2]):
            slots[name] = slots.get(name, 0) + int(number)
        return [Node(name, number, None) for name, number in slots.items()]

    def node_name(self):
        here = short(socket.gethostname())
        return next((node.name for node in self.nodes() if short(node.name) == here), None)

    def _lines(self, command, names):
        return [["blaunch", "-n", "-no-shell", "-z", " ".join(names), *command]]

    def login_host(self):
        return self._env.get("LSB_SUB_HOST")

    @staticmethod
    def live_jobs(env, cluster):
        try:
            if cluster != in_file_names(_cluster(env)):
                return None
            listed = ask(env, "bjobs", "-noheader", "-o", "jobid jobindex")
        except Refused as why:
            if "No unfinished job found" in str(why):
                return set()
            print(f"spark-hpc: leftovers of LSF jobs aren't removed: {why}", file=sys.stderr)
            return None
        return {_id(*line.split()) for line in listed.splitlines()}


def _id(job, index):
    return job if index in ("0", "-") else f"{job}.{index}"


def _cluster(env):
    match = re.search(r"(?m)^My cluster name is (\S+)", ask(env, "lsid"))
    return match.group(1) if match else "cluster"
