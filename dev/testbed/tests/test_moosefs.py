"""moosefs: one path for all nodes, exact counts, one queue for all, nothing left behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from fsbed import mounts, network, processes
from kind_case import KindCase, load_kind

WORKLOAD = """
import os, sys
d = sys.argv[1]
os.mkdir(d + "/dir")
for n in range(20):
    with open(f"{d}/dir/f{n}", "xb", buffering=0) as f:
        f.write(b"x" * 1000)
        os.fsync(f.fileno())
for n in range(12):
    os.close(os.open(f"{d}/dir/f{n}", os.O_RDONLY))
for n in range(10):
    os.rename(f"{d}/dir/f{n}", f"{d}/dir/g{n}")
for n in range(5):
    os.unlink(f"{d}/dir/g{n}")
"""
DONE = {"mkdir": 1, "create": 20, "fsync": 20, "open": 12, "rename": 10, "unlink": 5}


class MoosefsCase(KindCase):
    kind = load_kind("moosefs")
    name = "moosefs"

    def stats(self):
        """Returns the statistics once they no longer change: the kernel releases files a little later."""
        before = None
        for _ in range(100):
            now = json.loads(self.run_testbed("stats", "--json").stdout)
            now.pop("metadata_requests")  # includes keep-alives if there is no proxy
            if now == before:
                return now
            before = now
            time.sleep(0.02)
        self.fail(f"the statistics don't stand still: {now}")

    def counts(self, node, kinds):
        counts = self.stats()["clients"][node]["counts"]
        return {kind: counts.get(kind, {"other": 0})["other"] for kind in kinds}

    def work(self, node):
        subprocess.run([sys.executable, "-c", WORKLOAD, self.instance.mount_point(node)], check=True)

    def assert_nothing_left(self, pids):
        self.assertTrue(pids, "no process was running, so the check would show nothing")
        self.assertEqual([pid for pid in pids if processes.running(pid)], [])
        self.assertEqual(mounts.below(self.parent), [])
        self.assertFalse(os.path.exists(self.instance.base))

    def pid_of(self, program):
        for pid in self.instance.leaders():
            with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
                if f.read().strip() == program:
                    return pid
        raise AssertionError(f"no {program} runs")

    def pids(self):
        return network.processes(self.instance.network)


class BareTest(MoosefsCase):
    shared = ()

    def test_every_node_sees_it_at_the_same_path_through_its_own_mount(self):
        path = os.path.join(self.instance.common, "f")
        self.on(0, "sh", "-c", f"echo from $TESTBED_NODE > {path}")
        self.run_testbed("reset")
        self.assertEqual(self.on(1, "cat", path), "from 0\n")
        self.assertEqual(self.counts(1, ["open"]), {"open": 1})
        self.assertEqual(self.counts(0, ["open"]), {"open": 0})
        self.assertFalse(os.path.exists(path), "outside the nodes the path is empty")

    def test_nodes_are_in_the_hosts_network_and_daemons_are_not(self):
        host = os.readlink("/proc/self/ns/net")
        self.assertEqual(self.on(1, "readlink", "/proc/self/ns/net").strip(), host)
        pids = self.pids()
        self.assertGreaterEqual(len(pids), 1 + 2 + self.nodes)
        self.assertNotIn(host, [os.readlink(f"/proc/{pid}/ns/net") for pid in pids])

    def test_counts_are_exact_by_node_and_looking_at_them_is_not_counted(self):
        self.run_testbed("reset")
        self.work(1)
        self.assertEqual(self.counts(1, DONE), DONE)
        self.assertEqual(self.counts(1, DONE), DONE)
        self.assertEqual(self.counts(0, DONE), dict.fromkeys(DONE, 0))
        self.run_testbed("reset")
        self.assertEqual(self.stats()["totals"], {})

    def test_what_we_rely_on_holds_between_two_nodes(self):
        result = self.semantics()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_second_start_and_settings_without_a_proxy_are_refused(self):
        self.assert_refused("in use", "start")
        self.assert_refused("bare", "set", "mds.median_us=1")
        self.assertTrue(self.instance.alive())


class LifecycleTest(MoosefsCase):
    def test_stop_leaves_nothing_although_a_file_is_open(self):
        self.start("--preset", "edison")
        pids = self.pids()
        held = os.open(self.at(0, "f"), os.O_CREAT | os.O_WRONLY)
        self.stop()
        self.assert_nothing_left(pids)
        self.assertRaises(OSError, os.close, held)

    def test_after_a_crash_the_next_start_clears_up_first(self):
        self.start()
        self.addCleanup(self.stop)
        before = self.pids()
        self.assertTrue(before)
        self.put(0, "old")
        os.kill(self.pid_of("mfsmaster"), signal.SIGKILL)
        while self.instance.alive():
            time.sleep(0.01)
        self.assert_refused("has ended: testbed moosefs stop", "status")
        self.start()
        self.assertEqual([pid for pid in before if processes.running(pid)], [])
        self.assertEqual(os.listdir(self.instance.mount_point(0)), [])
        self.assertEqual(len(mounts.below(self.instance.base)), self.nodes + 1)

    def test_two_instances_know_nothing_of_each_other(self):
        other = self.instance_at("other")
        for instance in (self.instance, other):
            self.start(at=instance)
            self.addCleanup(self.stop, at=instance)
        self.put(0, "f")
        self.assertEqual(os.listdir(other.mount_point(1)), [])
        self.stop(at=other)
        self.assertEqual(self.get(1, "f"), b"data")

    def test_what_is_missing_or_unknown_is_said_in_one_line_and_leaves_nothing(self):
        self.assert_refused("mfsmaster is missing: apt-get install moosefs-master", "start",
                            env=self.path_without("mfsmaster"))
        self.assert_refused("no preset 'what'", "start", "--preset", "what")
        self.assert_refused("4 metadata servers", "start", "--preset", "dne")
        self.assert_refused("what: no such setting", "start", "--nodes", "1", "what=1")
        self.assertEqual(mounts.below(self.parent), [])
        self.assertFalse(os.path.exists(self.instance.base))

    def test_a_directory_that_is_not_ours_is_left_alone(self):
        precious = self.instance.at("precious")
        os.makedirs(precious)
        self.addCleanup(shutil.rmtree, self.instance.base)
        self.assert_refused("isn't a testbed's", "stop")
        self.assert_refused("isn't empty", "start")
        self.assertTrue(os.path.isdir(precious))


class ProxyTest(MoosefsCase):
    shared = ("mds.threads=1", "mds.median_us=0")

    def served(self, settings, commands):
        """Returns the service's own statistics after these commands ran at the same time."""
        self.run_testbed("set", *settings)
        self.run_testbed("reset")
        for running in [subprocess.Popen(command) for command in commands]:
            self.assertEqual(running.wait(), 0)
        return self.stats()["service"]["request"]

    def looking(self, node, times):
        program = f"import os\nfor n in range({times}): os.path.exists('absent')"
        return ["sh", "-c", f'cd {self.instance.mount_point(node)} && exec "$@"', "sh",
                sys.executable, "-c", program]

    def test_requests_to_the_master_are_counted_by_node(self):
        self.run_testbed("reset")
        self.work(1)
        stats = self.stats()
        asked = {kind: n["other"] for kind, n in stats["master"]["clients"][1]["counts"].items()}
        self.assertEqual({kind: asked.get(kind) for kind in DONE if kind != "fsync"},
                         {kind: n for kind, n in DONE.items() if kind != "fsync"})
        self.assertEqual(stats["master"]["clients"][0]["counts"].get("create"), None)
        self.run_testbed("reset")
        self.assertNotIn("create", self.stats()["master"]["totals"])

    def test_service_times_are_drawn_as_set_and_bad_settings_are_refused(self):
        served = self.served(["mds.median_us=200", "mds.sigma=0.4"], [self.looking(0, 500)])
        self.assertGreaterEqual(served["count"], 500)
        self.assertAlmostEqual(served["median_us"] / 200, 1, delta=0.15)
        self.assertGreater(served["max_us"], 400)
        for bad in ("mds.threads=0", "mds.threads=1.5", "what=1", "ost.threads=4"):
            self.assert_refused(bad.split("=", maxsplit=1)[0], "set", bad)

    def test_answers_wait_for_the_service_and_nodes_wait_for_each_other(self):
        # A client that is answered too early comes again while the only thread is still busy, and waits.
        settings = ["mds.median_us=3000", "mds.sigma=0"]
        alone = self.served(settings, [self.looking(0, 50)])
        self.assertGreaterEqual(alone["count"], 50)
        self.assertEqual(alone["mean_wait_us"], 0)
        both = self.served(settings, [self.looking(0, 50), self.looking(1, 50)])
        self.assertGreaterEqual(both["count"], 100)
        self.assertGreater(both["mean_wait_us"], 300)


class ServersTest(MoosefsCase):
    def test_no_data_is_lost_if_a_server_is_killed_and_runs_again_or_a_node_crashes(self):
        self.start()
        self.addCleanup(self.stop)
        for server in self.run_testbed("servers").stdout.split():
            self.assert_survives(server)
        self.assert_crashes()


if __name__ == "__main__":
    unittest.main()
