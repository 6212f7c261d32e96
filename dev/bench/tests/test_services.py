"""Servers that a variant's start command leaves running are measured and ended; those of other projects are named by
variables."""

import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
from unittest import mock

from hpcbench import cgroups, maven, processes, services
from hpcbench.cluster import Cluster
from hpcbench.refusal import Refusal
from hpcbench.scratch import Scratch
from hpcbench.variant import Variant

# Leaves a process behind, whose id it prints as a setting.
LEAVES = "sleep 600 >/dev/null & echo spark.left=$!; echo other output"
# As services wants it: `start` leaves a process behind and prints an address, `stop` ends that process.
PROGRAM = """#!/bin/sh
case $1 in
  start) sleep 600 >"$2/log" & echo $! >"$2/pid"; echo ready; echo localhost:77 ;;
  stop) kill "$(cat "$2/pid")" ;;
esac
"""


def runs(pid):
    fields = processes.stat(pid)
    return fields is not None and fields[0] != "Z"


class Here(Scratch):
    """Node 0 is this machine."""

    def local(self, node):
        return self.base


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class StartTest(InFolder):
    def cluster(self, start):
        submit = self.folder / "home" / "bin" / "spark-submit"
        submit.parent.mkdir(parents=True)
        submit.touch()
        its = Variant("", str(self.folder / "home"), start=("sh", "-c", start), stop=("touch", "{run}/stopped"))
        return Cluster("mine", its, Here("", 1, str(self.folder)), str(self.folder), 1, cgroups.Reaped())

    def test_what_start_leaves_running_is_measured_and_ended(self):
        cluster = self.cluster(LEAVES)
        self.addCleanup(cluster.stop)
        self.assertIsNone(cluster.servers_cpu())
        cluster.run_start()
        [pid] = cluster.servers
        self.assertEqual(cluster.settings, {"spark.left": str(pid)})
        self.assertGreater(cluster.resident_bytes()["servers"], 0)
        self.assertGreaterEqual(cluster.servers_cpu(), 0)
        cluster.stop()
        self.assertFalse(runs(pid))
        self.assertTrue((self.folder / "stopped").exists())

    def test_a_start_that_fails_is_refused_with_its_last_line_and_leaves_nothing(self):
        cluster = self.cluster(f"{LEAVES}; echo no disk; exit 3")
        self.addCleanup(cluster.stop)
        with self.assertRaisesRegex(Refusal, "sh: no disk"):
            cluster.run_start()
        [pid] = cluster.servers
        cluster.stop()
        self.assertFalse(runs(pid))
        self.assertTrue((self.folder / "stopped").exists())


class ServicesTest(InFolder):
    def setUp(self):
        super().setUp()
        for change in (mock.patch.object(maven, "PLACE", self.folder), mock.patch.dict(os.environ)):
            change.start()
            self.addCleanup(change.stop)
        for name in services.SERVICES:
            for variable in services.variables(name):
                os.environ.pop(variable, None)

    def client(self, name):
        """Puts a client there, as if Maven had got it."""
        number = maven.version("dev/e2e/pom.xml", rf"<{name}\.version>([^<]+)</")
        jar = self.folder / f"{services.SERVICES[name].client.split(':')[1]}-{number}.jar"
        jar.touch()
        return str(jar)

    def test_running_servers_are_named_by_a_variable(self):
        for name, its in services.SERVICES.items():
            jar = self.client(name)
            os.environ[services.variables(name)[0]] = "host-1:99"
            self.assertEqual(services.start(name, "none"), {
                its.address: "host-1:99", "spark.driver.extraClassPath": jar, "spark.executor.extraClassPath": jar})

    def test_a_program_starts_and_stops_them(self):
        program = self.folder / "mine"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        self.client("uniffle")
        os.environ["HPC_BENCH_UNIFFLE_SERVERS"] = str(program)
        place = self.folder / "place"
        self.assertEqual(services.start("uniffle", str(place))["spark.rss.coordinator.quorum"], "localhost:77")
        pid = int((place / "pid").read_text(encoding="utf-8"))
        self.addCleanup(lambda: runs(pid) and os.kill(pid, signal.SIGKILL))
        self.assertTrue(runs(pid))
        services.stop("uniffle", str(place))
        while runs(pid):
            pass

    def test_without_servers_both_variables_are_named(self):
        for name in services.SERVICES:
            ran = subprocess.run([services.PROGRAM, name, "start", self.folder], stdout=subprocess.PIPE, text=True,
                                 check=False)
            self.assertEqual(ran.returncode, 2)
            for variable in services.variables(name):
                self.assertIn(variable, ran.stdout)

    def test_what_is_no_address_is_refused(self):
        os.environ["HPC_BENCH_CELEBORN"] = "host-1"
        with self.assertRaisesRegex(Refusal, "HPC_BENCH_CELEBORN: HOST:PORT is wanted, not host-1"):
            services.start("celeborn", "none")

    def test_a_client_that_maven_cannot_get_is_named(self):
        os.environ["PATH"] = str(self.folder)
        with self.assertRaisesRegex(Refusal, "org.example:mine:1: mvn isn't on the PATH"):
            maven.jar("org.example:mine:1")


if __name__ == "__main__":
    unittest.main()
