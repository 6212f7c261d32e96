"""A test case that has a running pfs instance; skipped, with the reason, where it can't have one."""

import importlib.machinery
import importlib.util
import os
import subprocess
import tempfile
import time
import unittest

TESTBED = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
COMMAND = os.path.join(TESTBED, "testbed")


def _load_kind():
    path = os.path.join(TESTBED, "kinds", "pfs")
    loader = importlib.machinery.SourceFileLoader("pfs_kind", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("pfs_kind", loader))
    loader.exec_module(module)
    return module


kind = _load_kind()


def skip_or_fail(why):
    """Nothing that is missing counts as passed: in CI everything must be there."""
    if os.environ.get("CI") == "true":
        raise AssertionError("in CI this must be there: " + why)
    raise unittest.SkipTest(why)


class PfsCase(unittest.TestCase):
    nodes = 2
    arguments = ()

    @classmethod
    def setUpClass(cls):
        why = kind.missing()
        if why:
            skip_or_fail(why)

    def setUp(self):
        self.parent = tempfile.mkdtemp(prefix="pfs-test-", dir="/dev/shm")
        self.addCleanup(os.rmdir, self.parent)
        self.start(*self.arguments)
        self.addCleanup(self.stop)

    def start(self, *arguments):
        self.instance = kind.Instance(os.path.join(self.parent, "base"))
        self.run_testbed("start", "--nodes", str(self.nodes), *arguments)

    def stop(self):
        self.run_testbed("stop")

    def run_testbed(self, verb, *arguments, check=True):
        line = [COMMAND, "pfs", verb, "--base", self.instance.base, *arguments]
        return subprocess.run(line, check=check, capture_output=True, text=True)

    def at(self, node, name):
        return os.path.join(self.instance.mount_point(node), name)

    def put(self, node, name, data=b"data"):
        with open(self.at(node, name), "wb", buffering=0) as f:
            f.write(data)

    def get(self, node, name):
        with open(self.at(node, name), "rb", buffering=0) as f:
            return f.read()

    def ask(self, verb, **members):
        return self.instance.ask(verb, **members)

    def reset(self):
        self.settled()
        self.ask("reset")

    def settled(self):
        """The statistics once they stand still: the kernel releases directories a little later."""
        before = self.ask("stats")
        while True:
            time.sleep(0.02)
            now = self.ask("stats")
            if now == before:
                return now
            before = now

    def totals(self):
        return self.settled()["totals"]

    def requests(self):
        """The totals of what was asked of a server: without answers from caches."""
        return {kind: n for kind, n in self.totals().items() if not kind.startswith("cached_")}

    def counts(self, node):
        """{kind: count} of one client, all classes together."""
        kinds = self.settled()["clients"][node]["counts"]
        return {name: sum(classes.values()) for name, classes in kinds.items()
                if not name.startswith("cached_")}

    def assert_errno(self, number, call, *arguments):
        with self.assertRaises(OSError) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.errno, number, os.strerror(caught.exception.errno))
