"""PBS Pro and OpenPBS: launched commands are tasks of the job, by pbsdsh. Experimental: written from the
manuals and from published outputs."""

import os
import pwd
import re
import socket
import sys

from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job, Node, in_file_names
from spark_hpc.schedulers.asked import ask
from spark_hpc.schedulers.launched import Launched, short

_UNITS = {"b": 0, "kb": 10, "mb": 20, "gb": 30, "tb": 40}


class Pbs(Launched):
    title = "PBS"
    programs = ("pbsdsh", "qstat", "qselect")
    own = ("PBS_JOBCOOKIE", "PBS_MOMPORT", "PBS_NODENUM", "PBS_TASKNUM")

    @property
    def job(self):
        number, _, server = self._env["PBS_JOBID"].partition(".")
        return Job("pbs", short(server) or "pbs", number)

    @staticmethod
    def found(env):
        return "PBS_JOBID" in env

    def _lines_of_node_file(self):
        """A host for each process that MPI would start; pbsdsh counts these as nodes."""
        path = self._env.get("PBS_NODEFILE", "")
        try:
            with open(path, encoding="utf-8") as f:
                return [short(line) for line in f.read().split()]
        except OSError as why:
            raise Refused(f"PBS_NODEFILE = {path}: {why.strerror}: run this on the job's first node"
                          ) from None

    def nodes(self):
        shown = ask(self._env, "qstat", "-f", self._env["PBS_JOBID"])
        given = given_by_host(shown)
        return [Node(name, *given.get(name, (None, None)))
                for name in dict.fromkeys(self._lines_of_node_file())]

    def node_name(self):
        # Not from the node file, which is on the first node only. No shell outside the job has PBS_JOBID.
        return short(socket.gethostname())

    def _lines(self, command, names):
        places = self._lines_of_node_file()
        return [["pbsdsh", "-n", str(places.index(name)), "--", *command] for name in names]

    def login_host(self):
        return self._env.get("PBS_O_HOST")

    @staticmethod
    def live_jobs(env, cluster):
        try:
            server = re.search(r"(?m)^Server: (\S+)", ask(env, "qstat", "-B", "-f"))
            if not server or in_file_names(short(server.group(1))) != cluster:
                return None
            listed = ask(env, "qselect", "-u", pwd.getpwuid(os.getuid()).pw_name).split()
        except Refused as why:
            print(f"spark-hpc: leftovers of PBS jobs aren't removed: {why}", file=sys.stderr)
            return None
        # For a job array, qselect doesn't say which parts have ended.
        return None if any("[" in job for job in listed) else {job.split(".")[0] for job in listed}


def given_by_host(shown):
    """{host: (cores, bytes or None)} from the output of qstat -f for a job: exec_vnode has a group of virtual
    nodes for each host of exec_host."""
    members = dict(re.findall(r"(?m)^ +(exec_host|exec_vnode) = (.*)$",
                              re.sub(r"\n\t", "", shown)))
    hosts = [re.split("[/:]", host)[0] for host in members.get("exec_host", "").split("+")]
    groups = re.findall(r"\(([^)]*)\)", members.get("exec_vnode", ""))
    given = {}
    for host, group in zip(hosts, groups):
        cores, memory = given.get(short(host), (0, 0))
        cores += sum(map(int, re.findall(r":ncpus=(\d+)", group)))
        memory += sum(int(size) << _UNITS[unit]
                      for size, unit in re.findall(r":mem=(\d+)([kmgt]?b)", group))
        given[short(host)] = (cores, memory)
    return {host: (cores or None, memory or None) for host, (cores, memory) in given.items()}
