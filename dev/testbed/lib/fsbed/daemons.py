"""The processes of a real file system that run in the network namespace of an instance, each with a log."""

import os
import subprocess
import time

from fsbed import mounts, network
from fsbed.refused import Refused
from fsbed.servers import Servers

PATIENCE = 120  # seconds until a daemon is ready


class Daemons:
    def __init__(self, base, namespace):
        self._base = base
        self.namespace = namespace
        self.servers = Servers(base, namespace)
        os.makedirs(self.at("log"))

    def at(self, *names):
        return os.path.join(self._base, *names)

    def make_store(self, name, megabytes):
        """Makes the directory of a server's data, with a tmpfs of that size unless `megabytes` is None."""
        os.mkdir(self.at(name))
        if megabytes is not None:
            mounts.mount_memory(self.at(name), megabytes)

    def spawn(self, name, *command):
        """Starts a program in the namespace that stays in the foreground, with a log."""
        with open(self.at("log", name), "wb") as log:
            return subprocess.Popen(network.inside(self.namespace, *command),
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    start_new_session=True, cwd="/")

    def serve(self, name, *command):
        """As spawn, for a server that can be stopped or killed by its name."""
        self.servers.add(name, command)
        return self.spawn(name, *command)

    def run(self, name, *command):
        """Runs a program in the namespace that returns when it is done, or when it is ready in the background."""
        with open(self.at("log", name), "ab") as log:
            done = subprocess.run(network.inside(self.namespace, *command), check=False,
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")
        if done.returncode != 0:
            self.fail(name)

    def fail(self, name):
        """Refuses, with the last line that the program has said."""
        with open(self.at("log", name), encoding="utf-8", errors="replace") as log:
            last = (log.read().strip().splitlines() or ["no output"])[-1]
        raise Refused(f"{name} didn't start: {last}")

    def await_log(self, process, name, text, times=1):
        def is_there():
            with open(self.at("log", name), encoding="utf-8", errors="replace") as log:
                return log.read().count(text) >= times
        self.wait_for(is_there, process, name)

    def wait_for(self, condition, process, name):
        """Waits until the condition holds; fails if the process ends before that."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if process.poll() is not None or time.monotonic() > deadline:
                self.fail(name)
            time.sleep(0.01)
