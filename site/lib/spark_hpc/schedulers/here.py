"""No scheduler: this host alone, as far as the site allows that (login.policy). The terminal session takes
the place of the job: when it ends, its cluster ends."""

import os
import shutil
import signal
import socket
import subprocess

from spark_hpc import processes
from spark_hpc.schedulers import Job, Node, in_file_names

SESSION = "SPARK_HPC_SESSION"  # the user's session id, for launched processes, which have another one

# If one of these is on PATH, the host belongs to a cluster.
_LAUNCHERS = ("srun", "qsub", "bsub", "flux")


class Here:
    def __init__(self, env, conf):
        self._env = env
        self._conf = conf
        self._host = _host()
        self.job = Job("here", self._host, env.get(SESSION) or str(os.getsid(0)))

    def nodes(self):
        does, why = policy(self._env, self._conf)
        if does == "refuse":
            raise self._conf.refusal("login.policy", f"this isn't in an allocation, and {why} on {self._host}: "
                                     "use sbatch or salloc first")
        cores, memory = len(os.sched_getaffinity(0)), None
        if does == "limit":
            cores, memory = min(cores, self._conf["login.cores"]), self._conf["login.memory"]
        return [Node(self._host, cores, memory)]

    def node_name(self):
        return self._host

    def launch(self, command, names, logs):
        with open(os.path.join(logs, "node-0.log"), "ab") as log:
            return subprocess.Popen(command, env={**self._env, SESSION: self.job.id},
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    start_new_session=True)

    def inside(self, command, name, terminal):
        return command

    def _launched(self):
        return [pid for pid in processes.marked(self.job.id, SESSION) if processes.says(pid, "node")]

    def running(self):
        return bool(self._launched())

    def end(self, force=False):
        processes.send(self._launched(), signal.SIGKILL if force else signal.SIGTERM)

    def login_host(self):
        return None

    @staticmethod
    def live_jobs(env, cluster):
        if cluster != in_file_names(_host()):
            return None
        return {str(session) for session in _sessions()}


def policy(env, conf):
    """(refuse, limit or allow; the reason for a refusal, as a clause)."""
    said = conf["login.policy"]
    if said != "auto":
        return said, "the site wants no Spark"
    found = next((name for name in _LAUNCHERS if shutil.which(name, path=env.get("PATH"))), None)
    return ("refuse", f"there is a scheduler ({found})") if found else ("allow", None)


def _host():
    return socket.gethostname().split(".")[0]


def _sessions():
    """The ids of all terminal sessions whose leader runs."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(pid)) == int(pid):
                yield pid
        except OSError:
            continue


def session_runs(job):
    return os.path.exists(f"/proc/{job.id}")
