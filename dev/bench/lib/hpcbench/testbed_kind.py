"""A scratch on a file system of dev/testbed, used through the testbed's verbs only."""

import json
import os
import re
import subprocess
import time

from . import ROOT
from .refusal import Refusal
from .scratch import PATIENCE, Scratch, drop_machine_caches

TESTBED = ROOT / "dev" / "testbed"
PAUSE = 0.4  # seconds without a request after which all clean-up is over


class TestbedKind(Scratch):
    """One instance of a kind below dev/testbed/kinds, in a base directory of its own."""

    kind = None
    # Whether each node has a file system of its own, at one path.
    each_its_own = False

    def __init__(self, argument, nodes, base):
        super().__init__(argument, nodes, base)
        if not os.access(TESTBED / "kinds" / self.kind, os.X_OK):
            raise Refusal(f"scratch {self.kind}: dev/testbed has no such kind here")
        self.path = None
        self.defaults = {}

    def start_options(self):
        """Returns the words after --nodes N, from the argument."""
        return ["--preset", self.argument or "none"]

    def environment(self):
        return os.environ

    def verb(self, verb, *words):
        command = [str(TESTBED / "testbed"), self.kind, verb, "--base", self.base, *words]
        done = subprocess.run(command, env=self.environment(), capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
            raise Refusal(f"testbed {self.kind} {verb}: {said}")
        return done.stdout

    def start(self, group):
        command = group.command([str(TESTBED / "testbed"), self.kind, "start",
                                 "--base", self.base, "--nodes", str(self.nodes),
                                 *self.start_options()])
        # A log and not a pipe: the daemons would keep a pipe open.
        with open(self.base + ".log", "w+", encoding="utf-8") as log:
            done = subprocess.run(command, env=self.environment(), stdout=log, stderr=log,
                                  check=False)
            log.seek(0)
            said = log.read().strip()
        os.unlink(self.base + ".log")
        if done.returncode != 0:
            raise Refusal(f"scratch {self.kind}: {said.rpartition(chr(10))[2]}")
        self.path = self.common_path()
        self.shared = None if self.each_its_own else self.path
        for node in range(self.nodes):
            subprocess.run(self.on_node(node, ["mkdir", "-p", self.local(node)]), check=True)

    def common_path(self):
        """Returns the path at which every node sees the file system."""
        found = re.search(r"each node sees (?:its own at )?(\S+)", self.verb("status"))
        if not found:
            raise Refusal(f"testbed {self.kind} status: doesn't say what each node sees")
        return found[1]

    def on_node(self, node, command):
        return [str(TESTBED / "testbed"), self.kind, "exec", "--base", self.base, str(node), "--",
                *command]

    def local(self, node):
        return os.path.join(self.path, f"node-{node}")

    def set(self, settings):
        unknown = [key for key in settings if key not in self.defaults]
        if unknown:
            now = dict(re.findall(r"^(\S+) = (\S+)$", self.verb("status", "--settings"), re.M))
            for key in unknown:
                if key not in now:
                    raise Refusal(f"{key}: scratch {self.kind} has no such setting")
                self.defaults[key] = now[key]
        words = [f"{key}={settings.get(key, value)}" for key, value in self.defaults.items()]
        if words:
            self.verb("set", *words)

    def drop_caches(self):
        drop_machine_caches()

    def reset(self):
        self.verb("reset")

    def counts(self):
        return json.loads(self.verb("stats", "--json"))

    def settle(self):
        # The rare long wait of a preset's metadata server is shorter than a pause.
        end = time.monotonic() + PATIENCE
        before, now = None, self.counts()["totals"]
        while now != before and time.monotonic() < end:
            time.sleep(PAUSE)
            before, now = now, self.counts()["totals"]

    def stop(self):
        self.verb("stop")
