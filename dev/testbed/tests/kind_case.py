"""A test case of one kind of file system. It is skipped, with the reason, if the machine can't run that kind."""

import errno
import importlib.machinery
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

TESTBED = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
COMMAND = os.path.join(TESTBED, "testbed")


def load_kind(name):
    path = os.path.join(TESTBED, "kinds", name)
    loader = importlib.machinery.SourceFileLoader(f"{name}_kind", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def skip_or_fail(why):
    """Skips a test whose needs are missing; fails it in CI, where everything must be there."""
    if os.environ.get("CI") == "true":
        raise AssertionError("in CI this must be there: " + why)
    raise unittest.SkipTest(why)


class KindCase(unittest.TestCase):
    """Has an instance in a directory of its own, which must be empty at the end."""

    kind = None  # the loaded executable
    name = None
    nodes = 2
    place = "/dev/shm"
    shared = None  # one instance for all tests of the class, started with these arguments

    @classmethod
    def setUpClass(cls):
        why = cls.kind.missing()
        if why:
            skip_or_fail(why)
        if cls.shared is not None:
            cls.make_room(cls.addClassCleanup)
            cls.start(*cls.shared)
            cls.addClassCleanup(cls.stop)

    def setUp(self):
        if self.shared is None:
            self.make_room(self.addCleanup)

    @classmethod
    def make_room(cls, add_cleanup):
        cls.parent = tempfile.mkdtemp(prefix=f"{cls.name}-test-", dir=cls.place)
        add_cleanup(os.rmdir, cls.parent)
        cls.instance = cls.instance_at("base")

    @classmethod
    def instance_at(cls, name):
        return cls.kind.Instance(os.path.join(cls.parent, name))

    @classmethod
    def run_testbed(cls, verb, *arguments, check=True, at=None, **named):
        line = [COMMAND, cls.name, verb, "--base", (at or cls.instance).base, *arguments]
        return subprocess.run(line, check=check, capture_output=True, text=True, **named)

    @classmethod
    def start(cls, *arguments, at=None):
        cls.run_testbed("start", "--nodes", str(cls.nodes), *arguments, at=at)

    @classmethod
    def stop(cls, at=None):
        cls.run_testbed("stop", at=at)

    def on(self, node, *command):
        return self.run_testbed("exec", str(node), "--", *command).stdout

    def at(self, node, name):
        return os.path.join(self.instance.mount_point(node), name)

    def put(self, node, name, data=b"data"):
        with open(self.at(node, name), "wb", buffering=0) as f:
            f.write(data)

    def get(self, node, name):
        with open(self.at(node, name), "rb", buffering=0) as f:
            return f.read()

    def assert_survives(self, server):
        """What a node wrote is there for another when the server was killed and runs again; both can write."""
        data = os.urandom(1 << 20)
        with open(self.at(0, "before"), "wb") as f:
            f.write(data)
            os.fsync(f.fileno())
        self.run_testbed("kill", server, "--back", "1")
        self.assertEqual(self.get(1, "before"), data)
        self.put(1, "after", data)
        self.assertEqual(self.get(0, "after"), data)
        while self.run_testbed("status", check=False).returncode:
            time.sleep(0.1)

    def assert_crashes(self):
        """A node's processes end with its client. The other node has what the first had forced, and goes on."""
        data = os.urandom(1 << 20)
        with open(self.at(1, "forced"), "wb") as f:
            f.write(data)
            os.fsync(f.fileno())
        line = [COMMAND, self.name, "exec", "--base", self.instance.base, "1", "--", "sh", "-c", "echo in; exec sleep 1000"]
        with subprocess.Popen(line, stdout=subprocess.PIPE) as its:
            its.stdout.readline()
            try:
                self.run_testbed("crash", "1")
            finally:
                # If it lives, its end has another code.
                its.terminate()
            self.assertEqual(its.wait(), -signal.SIGKILL)
        self.assertEqual(self.get(0, "forced"), data)
        self.put(0, "after", data)
        self.assertTrue(self.instance.alive())
        with self.assertRaises(OSError):
            os.listdir(self.instance.mount_point(1))
        self.assert_refused("node 1 has no client", "crash", "1")

    def assert_fills(self):
        """While it is full, nobody can write a file; then everybody can."""
        self.run_testbed("fill")
        with self.assertRaises(OSError) as refused, open(self.at(0, "f"), "wb", buffering=0) as f:
            f.write(os.urandom(4096))
            os.fsync(f.fileno())
        self.assertEqual(refused.exception.errno, errno.ENOSPC)
        self.run_testbed("clear")
        data = os.urandom(1 << 20)
        self.put(0, "after", data)
        self.assertEqual(self.get(1, "after"), data)

    def semantics(self, *arguments):
        points = map(self.instance.mount_point, range(2))
        return subprocess.run([os.path.join(TESTBED, "semantics"), *arguments, *points],
                              capture_output=True, text=True, check=False)

    def assert_refused(self, text, verb, *arguments, **named):
        """Asserts that the verb is refused in one line that has this text."""
        result = self.run_testbed(verb, *arguments, check=False, **named)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, rf"\A{self.name}: [^\n]*{text}[^\n]*\n\Z")

    def path_without(self, program):
        """Returns an environment in which everything except this program is found."""
        tools = os.path.join(self.parent, "tools")
        os.mkdir(tools)
        self.addCleanup(shutil.rmtree, tools)
        for directory in ("/usr/sbin", "/usr/bin"):
            for name in os.listdir(directory):
                if name != program and not os.path.lexists(os.path.join(tools, name)):
                    os.symlink(os.path.join(directory, name), os.path.join(tools, name))
        return {**os.environ, "PATH": tools}
