"""Slurm: launched commands are job steps, by srun --overlap beside the user's own steps."""

import os
import re
import socket
import subprocess
import sys

from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job, Node, in_file_names
from spark_hpc.schedulers.asked import ask

STEP = "spark-hpc"

# The variables that a step keeps. The others hold the job's own request and would change the step's
# resources: after sbatch --cpus-per-task or --ntasks-per-node, srun gives it only a part of each node.
_KEPT = re.compile(r"SLURM_(JOB_(ID|NODELIST|NAME|ACCOUNT|PARTITION|QOS|USER|UID|GID)|CLUSTER_NAME"
                   r"|CONF|JOBID|TMPDIR|SUBMIT_\w+|RESTART_COUNT|TOPOLOGY_\w+|WORKING_CLUSTER)\Z")
_OTHERS = re.compile(r"(SLURM|SLURMD|SRUN)_")


class Slurm:
    title = "Slurm"
    programs = ("srun", "squeue", "scancel", "scontrol")

    def __init__(self, env, _conf=None):
        self._env = env
        self.job = Job("slurm", env.get("SLURM_CLUSTER_NAME", "cluster"), env["SLURM_JOB_ID"])

    @staticmethod
    def found(env):
        return "SLURM_JOB_ID" in env

    def nodes(self):
        names = self._names(self._env["SLURM_JOB_NODELIST"])
        cores = cores_of_nodes(self._env["SLURM_JOB_CPUS_PER_NODE"])
        # The environment has only the requested memory, and none without --mem.
        shown = ask(self._env, "scontrol", "--details", "--oneliner", "show", "job", self.job.id)
        memory = {name: size for some, size in memory_of_nodes(shown) for name in self._names(some)}
        return [Node(name, n, memory.get(name)) for name, n in zip(names, cores)]

    def _names(self, nodes):
        return ask(self._env, "scontrol", "show", "hostnames", nodes).split()

    def node_name(self):
        # slurmd's name for its node isn't always the host's.
        name = self._env.get("SLURMD_NODENAME")
        if name:
            return name
        host = socket.gethostname().split(".")[0]
        return host if host in self._names(self._env["SLURM_JOB_NODELIST"]) else None

    def launch(self, command, names, logs):
        # Without --cpus-per-task and --exact a step has all cores of the job, but its task is bound
        # to one of them unless --cpu-bind says otherwise.
        line = ["srun", "--overlap", f"--job-name={STEP}", f"--nodes={len(names)}",
                f"--ntasks={len(names)}", "--ntasks-per-node=1", "--nodelist=" + ",".join(names),
                "--cpu-bind=none", "--mem=0", "--export=ALL", "--no-kill", "--kill-on-bad-exit=0",
                "--wait=0", "--input=none", "--output=" + os.path.join(logs, "node-%t.log"),
                "--open-mode=append", *command]
        with open(os.path.join(logs, "scheduler.log"), "ab") as log:
            return subprocess.Popen(line, env=self._step_environment(), stdin=subprocess.DEVNULL,
                                    stdout=log, stderr=log, start_new_session=True)

    def inside(self, command, name, terminal):
        if self.node_name() == name:
            return command
        return ["env", *(f"--unset={key}" for key in self._env if key not in self._step_environment()),
                "srun", "--overlap", "--nodes=1", "--ntasks=1", f"--nodelist={name}",
                "--cpu-bind=none", "--mem=0", "--export=ALL", *(["--pty"] if terminal else []),
                *command]

    def _step_environment(self):
        return {key: value for key, value in self._env.items()
                if _KEPT.match(key) or not _OTHERS.match(key)}

    def _steps(self):
        listed = ask(self._env, "squeue", "--noheader", "--steps", "--jobs=" + self.job.id,
                      "--format=%i %j")
        return [line.split()[0] for line in listed.splitlines() if line.split()[1:] == [STEP]]

    def running(self):
        return bool(self._steps())

    def end(self, force=False):
        for step in self._steps():
            subprocess.run(["scancel", "--quiet", "--signal=" + ("KILL" if force else "TERM"), step],
                           env=self._env, check=False)

    def login_host(self):
        return self._env.get("SLURM_SUBMIT_HOST")

    @staticmethod
    def live_jobs(env, cluster):
        """A job that is completing hasn't ended: its epilogs and our own cleaning may still run."""
        try:
            if cluster != in_file_names(env.get("SLURM_CLUSTER_NAME") or _cluster_name(env)):
                return None
            return set(ask(env, "squeue", "--noheader", f"--user={os.getuid()}",
                            "--format=%A").split())
        except Refused as why:
            print(f"spark-hpc: leftovers of Slurm jobs aren't removed: {why}", file=sys.stderr)
            return None


def cores_of_nodes(text):
    """Expands 2(x3),1 to [2, 2, 2, 1]."""
    cores = []
    for part in text.split(","):
        match = re.match(r"(\d+)(?:\(x(\d+)\))?\Z", part)
        cores += [int(match.group(1))] * int(match.group(2) or 1)
    return cores


def memory_of_nodes(shown):
    """(nodes, bytes) for each group of nodes in scontrol's output for a job; empty if Slurm doesn't manage
    memory."""
    return [(nodes, int(size) << 20) for nodes, size
            in re.findall(r" Nodes=(\S+) CPU_IDs=\S+ Mem=(\d+)", shown) if int(size)]


def _cluster_name(env):
    match = re.search(r"^ClusterName\s*=\s*(\S+)", ask(env, "scontrol", "show", "config"), re.M)
    return match.group(1) if match else "cluster"
