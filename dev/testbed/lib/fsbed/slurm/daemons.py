"""Starts munged, slurmctld and slurmds of an instance, without Debian's services. Each has SLURM_CONF in
its environment, and so has everything that daemons and jobs start: the instance's processes are recognised by it."""

import os
import signal
import subprocess
import time

from fsbed import processes
from fsbed.refused import Refused
from fsbed.slurm.configuration import NODE

PATIENCE = 120  # seconds until a daemon is ready, or until killed processes have ended
MOST_SOCKET_PATH = 107


class Daemons:
    def __init__(self, base):
        self._base = base
        self.configuration = self._at("slurm.conf")

    def _at(self, *names):
        return os.path.join(self._base, *names)

    def make_directories(self):
        for name in ("munge", "state-of-jobs", "spool", "log"):
            os.mkdir(self._at(name))
            # munged requires this mode, and commands of all users need access.
            os.chmod(self._at(name), 0o755)
        if len(self._at("munge", "socket")) > MOST_SOCKET_PATH:
            raise Refused(f"{self._base} is too long for a socket's path: use a shorter --base")

    def environment(self):
        """Returns the environment of a command on a login node."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SRUN_"))}
        return {**kept, "SLURM_CONF": self.configuration}

    def _spawn(self, name, *command, **environment):
        with open(self._at("log", f"{name}.out"), "ab") as log:
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    start_new_session=True, cwd="/",
                                    env={**self.environment(), **environment})

    def start_munge(self):
        with open(os.open(self._at("munge", "key"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600),
                  "wb") as key:
            key.write(os.urandom(128))
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log",
                 "seed-file": "seed"}
        process = self._spawn("munged", "munged", "--foreground", "--force", "--num-threads=2",
                              *(f"--{o}={self._at('munge', name)}" for o, name in files.items()))
        self._await("munged", process, lambda: os.path.exists(self._at("munge", "socket")))

    def start_controller(self):
        process = self._spawn("slurmctld", "slurmctld", "-D", "-f", self.configuration)
        self._await("slurmctld", process, lambda: self.ask("scontrol", "ping").returncode == 0)

    def start_node(self, number, as_node):
        """Starts a node with the command line `as_node`, followed by slurmd's own. Returns a function that waits
        until the node can take jobs."""
        name = NODE.format(number)
        process = self._spawn(f"slurmd-{name}", *as_node, "slurmd", "-D", "-N", name, "-f",
                              self.configuration, TESTBED_NODE=name)
        return lambda: self._await(f"slurmd-{name}", process, lambda: self.state_of(name) == "idle")

    def state_of(self, name):
        return self.ask("sinfo", "--noheader", f"--nodes={name}", "--format=%T").stdout.strip()

    def ask(self, *command):
        return subprocess.run(command, env=self.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def _await(self, name, process, ready):
        for _ in range(20 * PATIENCE):
            if ready():
                return
            if process.poll() is not None:
                break
            time.sleep(0.05)
        raise Refused(f"{name} didn't start: {self._last_line(name)}")

    def _last_line(self, name):
        for path in (self._at("log", name), self._at("log", f"{name}.out")):
            try:
                with open(path, encoding="utf-8", errors="replace") as log:
                    return log.read().strip().splitlines()[-1]
            except (OSError, IndexError):
                continue
        return "it said nothing"

    def all_processes(self):
        return processes.with_environment(SLURM_CONF=self.configuration)

    def processes_of_node(self, name):
        return list({*processes.with_environment(SLURM_CONF=self.configuration, TESTBED_NODE=name),
                     *processes.with_environment(SLURM_CONF=self.configuration,
                                                 SLURMD_NODENAME=name)})

    def leaders(self):
        """Returns the daemons themselves: munged, slurmctld, slurmds."""
        return [pid for pid in self.all_processes()
                if _program(pid) in ("munged", "slurmctld", "slurmd")]


def _program(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
            return f.read().strip()
    except OSError:
        return None


def kill(find):
    """Kills processes until find() finds none except this process itself."""
    for _ in range(20 * PATIENCE):
        found = [pid for pid in find() if pid != os.getpid()]
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    raise Refused(f"processes don't end: {' '.join(map(str, find()))}")
