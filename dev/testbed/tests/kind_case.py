"""A test case of one kind of file system; skipped, with the reason, where it can't be had."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import tempfile
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
    """Nothing that is missing counts as passed: in CI everything must be there."""
    if os.environ.get("CI") == "true":
        raise AssertionError("in CI this must be there: " + why)
    raise unittest.SkipTest(why)


class KindCase(unittest.TestCase):
    """Has an instance at BASE in a directory of its own, which must be empty in the end."""

    kind = None  # the loaded executable
    name = None
    where = "/dev/shm"
    nodes = 2

    @classmethod
    def setUpClass(cls):
        why = cls.kind.missing()
        if why:
            skip_or_fail(why)

    def setUp(self):
        self.parent = tempfile.mkdtemp(prefix=f"{self.name}-test-", dir=self.where)
        self.addCleanup(os.rmdir, self.parent)
        self.instance = self.instance_at("base")

    def instance_at(self, name):
        return self.kind.Instance(os.path.join(self.parent, name))

    def run_testbed(self, verb, *arguments, check=True, at=None, **named):
        line = [COMMAND, self.name, verb, "--base", (at or self.instance).base, *arguments]
        return subprocess.run(line, check=check, capture_output=True, text=True, **named)

    def start(self, *arguments, at=None):
        self.run_testbed("start", "--nodes", str(self.nodes), *arguments, at=at)

    def stop(self, at=None):
        self.run_testbed("stop", at=at)

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

    def semantics(self, *arguments):
        points = map(self.instance.mount_point, range(2))
        return subprocess.run([os.path.join(TESTBED, "semantics"), *arguments, *points],
                              capture_output=True, text=True, check=False)

    def assert_refused(self, text, verb, *arguments, **named):
        """In one line that has this text."""
        result = self.run_testbed(verb, *arguments, check=False, **named)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr, rf"\A{self.name}: [^\n]*{text}[^\n]*\n\Z")

    def path_without(self, program):
        """Environment in which everything is found but this program."""
        tools = os.path.join(self.parent, "tools")
        os.mkdir(tools)
        self.addCleanup(shutil.rmtree, tools)
        for directory in ("/usr/sbin", "/usr/bin"):
            for name in os.listdir(directory):
                if name != program and not os.path.lexists(os.path.join(tools, name)):
                    os.symlink(os.path.join(directory, name), os.path.join(tools, name))
        return {**os.environ, "PATH": tools}
