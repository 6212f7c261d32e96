"""Schedulers that start a command on nodes of the job by a program of their own (pbsdsh, blaunch, flux exec),
and guarantee neither which environment it inherits nor that signals reach it. So

  - a script that only the user can read passes on the environment, and is removed afterwards;
  - to end launched commands, another command is launched on each node, which signals them;
  - a launched command counts as running while a process on this node has its mark: the program that
    launched it, or a process that this program started here.

A subclass has _lines(command, names): the command lines that together start the command once on each node.
"""

import os
import re
import shlex
import signal
import subprocess

from spark_hpc import private, processes
from spark_hpc.home import HOME
from spark_hpc.schedulers import in_file_names

JOB = "SPARK_HPC_JOB"
_SCRIPT = "launch.sh"
_NAME = re.compile(r"[A-Za-z_]\w*\Z")


class Launched:
    # Prefixes of the variables that the scheduler itself sets on each node.
    own = ()

    def __init__(self, env, _conf=None):
        self._env = env

    def launch(self, command, names, logs):
        script = os.path.join(logs, _SCRIPT)
        private.write(script, self._script(logs))
        lines = self._lines(["/bin/sh", script, *command], names)
        text = at_once(lines) + f"rm -f {shlex.quote(script)}\n"
        with open(os.path.join(logs, "scheduler.log"), "ab") as log:
            return subprocess.Popen(["/bin/sh", "-c", text],
                                    env={**self._env, JOB: self._mark()}, stdin=subprocess.DEVNULL,
                                    stdout=log, stderr=log, start_new_session=True)

    def _script(self, logs):
        kept = {key: value for key, value in self._env.items()
                if _NAME.match(key) and not key.startswith(self.own) and key != "HOSTNAME"}
        kept[JOB] = self._mark()
        exports = "".join(f"export {key}={shlex.quote(value)}\n" for key, value in kept.items())
        log = shlex.quote(os.path.join(logs, "node-"))
        return f"{exports}exec >>{log}$(uname -n).log 2>&1 </dev/null\nexec \"$@\"\n"

    def _mark(self):
        return "-".join(map(in_file_names, self.job))

    def inside(self, command, name, terminal):
        line, = self._lines(command, [name])
        return line

    def running(self):
        return bool(_launched_here(self._mark()))

    def end(self, force=False):
        command = ["env", f"PATH={self._env.get('PATH', '')}", os.path.join(HOME, "bin", "spark-hpc"),
                   "signal", *(["--kill"] if force else []), self._mark()]
        lines = self._lines(command, [node.name for node in self.nodes()])
        subprocess.run(["/bin/sh", "-c", at_once(lines)], env=self._env, check=False,
                       stdin=subprocess.DEVNULL)


def signal_here(mark, kill):
    """Sends SIGTERM to the commands launched on this node; with `kill`, sends SIGKILL to them and to all that
    they started."""
    if kill:
        processes.send(set(processes.marked(mark, JOB)) - {os.getpid()}, signal.SIGKILL)
    else:
        processes.send(_launched_here(mark), signal.SIGTERM)


def _launched_here(mark):
    return [pid for pid in processes.marked(mark, JOB) if processes.says(pid, "node")]


def at_once(lines):
    """Shell text that runs the command lines in parallel, and ends with the last one."""
    return "".join(" ".join(map(shlex.quote, line)) + " &\n" for line in lines) + "wait\n"


def short(host):
    return host.split(".")[0]
