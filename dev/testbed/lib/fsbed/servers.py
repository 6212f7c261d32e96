"""The servers of a real file system: each can be stopped for a while, or killed and started again.

    BASE/servers   a line for each: its name and its command line, as JSON
"""

import json
import os
import signal
import subprocess
import sys
import time

from fsbed import network, processes
from fsbed.refused import Refused

MOST_SECONDS = 3600


class Servers:
    def __init__(self, base, namespace, started=lambda: None):
        """`started` is called when a server that was killed runs again."""
        self._started = started
        self._file = os.path.join(base, "servers")
        self._log = os.path.join(base, "log")
        self._namespace = namespace

    def add(self, name, command):
        """Notes a server that is about to be started."""
        with open(self._file, "a", encoding="utf-8") as f:
            f.write(json.dumps([name, *command]) + "\n")

    def names(self):
        return list(self._commands())

    def stall(self, name, seconds):
        """Stops a server, and lets it go on after the time. Returns when it is stopped."""
        _check(seconds)
        found = self._processes(name)
        for pid in found:
            os.kill(pid, signal.SIGSTOP)

        def go_on():
            for pid in found:
                os.kill(pid, signal.SIGCONT)
        _later(seconds, go_on)

    def kill(self, name, seconds):
        """Kills a server, and starts it again after the time, unless that is None. Returns when it is killed."""
        if seconds is not None:
            _check(seconds)
        command = self._commands().get(name)
        for pid in self._processes(name):
            os.kill(pid, signal.SIGKILL)
        if seconds is not None:
            _later(seconds, lambda: self._start(name, command))

    def _start(self, name, command):
        with open(os.path.join(self._log, f"{name}.again"), "ab") as log:
            subprocess.Popen(network.inside(self._namespace, *command), stdin=subprocess.DEVNULL, stdout=log,
                             stderr=log, start_new_session=True, cwd="/")
        for _ in range(100 * network.PATIENCE):
            if self._running(command):
                break
            time.sleep(0.01)
        self._started()

    def _processes(self, name):
        commands = self._commands()
        if name not in commands:
            raise Refused(f"no server '{name}'; there are {', '.join(commands)}")
        found = self._running(commands[name])
        if not found:
            raise Refused(f"{name} doesn't run")
        return found

    def _running(self, command):
        return [pid for pid in network.processes(self._namespace) if processes.command_of(pid) == command]

    def _commands(self):
        with open(self._file, encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
        return {name: command for name, *command in lines}


def _check(seconds):
    if not 0 <= seconds <= MOST_SECONDS:
        raise Refused(f"{seconds:g} seconds: 0 to {MOST_SECONDS}")


def _later(seconds, action):
    """Acts in a process of its own, which outlives this one. What it should act on may be gone by then."""
    sys.stdout.flush()
    if os.fork():
        return
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    time.sleep(seconds)
    try:
        action()
    except OSError:
        pass
    os._exit(0)
