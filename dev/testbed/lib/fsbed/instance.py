"""A file system or Slurm that runs or has run. Everything of it is below its base directory."""

import contextlib
import fcntl
import json
import os
import shutil

from fsbed import mounts
from fsbed.refused import Refused


def default_base(kind, parent):
    return os.environ.get(f"TESTBED_{kind.upper()}_BASE",
                          os.path.join(parent, f"spark-hpc-{kind}-{os.getuid()}"))


class Instance:
    """
        BASE/nodes/N   node N's mount, seen from outside
        BASE/KIND      the path at which each node sees it (exec)
    """

    def __init__(self, kind, base):
        self.kind = kind
        self.base = os.path.abspath(base)
        self.common = self.at(kind)

    def at(self, *names):
        return os.path.join(self.base, *names)

    def mount_point(self, node):
        return self.at("nodes", str(node))

    def make_directories(self, nodes):
        for directory in (self.common, *map(self.mount_point, range(nodes))):
            os.makedirs(directory)


class StatefulInstance(Instance):
    """An instance without a process of ours that keeps its state. BASE/state keeps it, from before the first
    thing that a stop must undo until the last one is undone."""

    def state(self):
        """Returns the state, or None if no start has been here."""
        try:
            with open(self.at("state"), encoding="utf-8") as f:
                return json.load(f)
        except (OSError, ValueError):
            return None

    def node_count(self):
        return self.state()["nodes"]

    def save(self, **state):
        new = self.at("state.new")
        with open(new, "w", encoding="utf-8") as f:
            json.dump({"kind": self.kind, **state}, f)
        os.rename(new, self.at("state"))

    def alive(self):
        """Returns whether everything that start() made is there."""
        raise NotImplementedError

    def clear(self):
        """Undoes what start() did below the base, whatever state it is in."""
        raise NotImplementedError

    def connect(self):
        """Returns itself if it runs, otherwise refuses."""
        if not self.state():
            raise Refused(f"nothing runs at {self.base}")
        if not self.alive():
            raise Refused(f"a part of it has ended: testbed {self.kind} stop --base {self.base}")
        return self

    @contextlib.contextmanager
    def locked(self):
        """Keeps other commands from starting or stopping it."""
        os.makedirs(self.base, exist_ok=True)
        descriptor = os.open(self.base, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _lock(descriptor, self.base)
            yield
        finally:
            os.close(descriptor)

    def prepare(self, nodes):
        """Makes the directories that start() then fills."""
        mounts.share(self.base)
        self.make_directories(nodes)

    @contextlib.contextmanager
    def starting(self, nodes, **state):
        """Makes a whole instance from an empty base. If the body fails, nothing is left."""
        with self.locked():
            self._clear_way()
            try:
                self.save(nodes=nodes, ready=False, **state)
                self.prepare(nodes)
                yield
                self.save(nodes=nodes, ready=True, **state)
            except BaseException:
                self._remove_all()
                raise

    def _clear_way(self):
        """Removes a former instance that has ended."""
        if self.state():
            if self.alive():
                raise Refused(f"{self.base} is in use: testbed {self.kind} stop --base {self.base}")
            self._remove_contents()
        if os.listdir(self.base):
            raise Refused(f"{self.base} isn't empty, and no {self.kind} has been there")

    def remove(self):
        """Removes everything that start() made, and nothing else: a base with other contents is somebody
        else's directory."""
        if not os.path.exists(self.base):
            return
        with self.locked():
            if not self.state() and os.listdir(self.base):
                raise Refused(f"{self.base} isn't a testbed's {self.kind}")
            self._remove_all()

    def _remove_all(self):
        self._remove_contents()
        os.rmdir(self.base)

    def _remove_contents(self):
        self.clear()
        mounts.detach_all(self.base)
        mounts.unshare(self.base)
        # Remove the state last: after an interrupted stop, what is left is still known.
        for name in sorted(os.listdir(self.base), key=lambda name: name == "state"):
            path = self.at(name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)


def file_system_below(kind, nodes):
    """Returns the instance of that kind at its default base, which must be mounted for so many nodes. Another
    instance is put on it."""
    found = Instance(kind, default_base(kind, "/dev/shm"))
    for point in map(found.mount_point, range(nodes)):
        if not mounts.is_mounted(point):
            raise Refused(f"--on {kind}: nothing is mounted at {point}: "
                          f"testbed {kind} start --nodes {nodes}")
    return found


def _lock(descriptor, base):
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Refused(f"another command starts or stops {base}") from None
