"""Scratch: private, in each tier that can be written, swept only when its job is dead."""

import errno
import os
import shutil
import stat
import tempfile
import unittest
import unittest.mock

from site_case import SiteCase, skip_or_fail
from spark_hpc import run_directory, scratch
from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job
from spark_hpc.site_conf import SiteConf


class Ended:
    """Says of these jobs that they have ended."""

    def __init__(self, *ids):
        self._ids = ids

    def ended(self, job):
        return job.id in self._ids


class ScratchTest(SiteCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.at("tier"))
        self.conf = SiteConf()
        self.set("scratch.tiers", f"$NOT_SET, {self.at('absent')}, {self.at('tier')}")
        self.set("stage.tiers", self.at("tier"))
        self.set("run.directory", self.at("runs"))
        os.mkdir(self.at("shared"))
        self.set("shuffle.directory", self.at("shared"))

    def set(self, key, value):
        self.conf.set(key, value, "--set", users=False)

    def make(self, job="7", node="n0", cluster="big-one"):
        own, others = scratch.make(self.conf, {}, Job("slurm", cluster, job), node)
        self.assertEqual(others, [])
        return own

    def sweep(self, *ended, own=None):
        return scratch.sweep(self.conf, {}, Ended(*ended), own)

    def test_of_a_live_job_with_many_nodes_names_are_read_and_nothing_is_looked_at(self):
        dead = self.make("8")
        for node in range(20):
            self.make("7", f"n{node}")
        with unittest.mock.patch.object(scratch.os, "lstat", wraps=os.lstat) as lstat:
            found = self.sweep("8")
        self.assertEqual(found, [dead])
        looked_at = {os.path.basename(str(call.args[0])) for call in lstat.call_args_list}
        self.assertEqual([name for name in looked_at if "-7-" in name], [])

    def test_it_is_private_and_named_by_user_job_and_node(self):
        path = self.make()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o700)
        self.assertRegex(os.path.basename(path),
                         rf"\Aspark-hpc-{os.getuid()}-slurm-big_one-7-n0-\w+\Z")
        self.assertNotEqual(self.make(), path)

    def test_there_is_one_in_each_file_system_and_sparks_own_files_go_to_a_disk(self):
        memory = self.memory()
        os.mkdir(self.at("beside"))
        self.set("scratch.tiers", f"{memory}, {self.at('tier')}, {self.at('beside')}, {memory}")
        own, others = scratch.make(self.conf, {}, Job("slurm", "c", "7"), "n0")
        self.assertEqual([os.path.dirname(path) for path in (own, *others)], [self.at("tier"), memory])
        self.assertEqual(stat.S_IMODE(os.stat(others[0]).st_mode), 0o700)
        self.assertEqual(sorted(self.sweep("7")), sorted([own, *others]))

    def memory(self):
        """A directory in a tmpfs."""
        path = tempfile.mkdtemp(prefix="site-scratch-", dir="/dev/shm")
        self.addCleanup(shutil.rmtree, path)
        if os.stat(path).st_dev == os.stat(self.at()).st_dev:
            skip_or_fail("two file systems are needed, /dev/shm and another")
        return path

    def test_no_tier_that_can_be_written_is_refused(self):
        self.set("scratch.tiers", self.at("absent"))
        with self.assertRaisesRegex(Refused, "scratch.tiers = .*: on n0 none of .*absent can be"):
            self.make()

    def test_a_directory_that_everybody_can_replace_is_passed_over(self):
        for mode, at in ((0o777, self.at("tier")), (0o777, self.at())):
            old = stat.S_IMODE(os.stat(at).st_mode)
            os.chmod(at, mode)
            with self.assertRaisesRegex(Refused, f"everybody can .* in {at}: chmod o-w"):
                self.make()
            os.chmod(self.at("shared"), mode)
            self.assertIsNone(scratch.make_shared(self.conf, {}, Job("slurm", "c", "7")))
            os.chmod(at, mode | stat.S_ISVTX)
            self.assertTrue(self.make())
            os.chmod(at, old)

    def test_a_link_to_a_directory_that_everybody_can_replace_is_passed_over(self):
        os.makedirs(self.at("open", "inner"))
        os.chmod(self.at("open"), 0o777)
        os.symlink(self.at("open", "inner"), self.at("link"))
        self.set("scratch.tiers", f"{self.at('link')}, {self.at('tier')}")
        self.assertEqual(os.path.dirname(self.make()), self.at("tier"))

    def test_only_what_dead_jobs_left_is_swept(self):
        dead, alive = self.make("7"), self.make("8")
        with open(os.path.join(dead, "f"), "w", encoding="utf-8") as f:
            f.write("x")
        self.assertEqual(self.sweep("7"), [dead])
        self.assertEqual(os.listdir(self.at("tier")), [os.path.basename(alive)])

    def test_what_all_nodes_share_is_private_and_swept_when_its_job_is_dead(self):
        paths = [scratch.make_shared(self.conf, {}, Job("slurm", "big-one", job)) for job in "789"]
        dead, alive, own = paths
        self.assertEqual(stat.S_IMODE(os.stat(dead).st_mode), 0o700)
        self.assertEqual(self.sweep("7"), [], "nodes leave it alone")
        self.assertEqual(scratch.sweep_shared(self.conf, {}, Ended("7"), Job("slurm", "big-one", "9")),
                         [dead, own])
        self.assertEqual(os.listdir(self.at("shared")), [os.path.basename(alive)])

    def test_nothing_is_shared_where_that_is_not_set_or_can_not_be_written(self):
        for where in ("$NOT_SET", self.at("absent")):
            self.set("shuffle.directory", where)
            self.assertIsNone(scratch.make_shared(self.conf, {}, Job("slurm", "c", "7")))
            self.assertEqual(scratch.sweep_shared(self.conf, {}, Ended("7")), [])

    def test_a_cluster_that_starts_sweeps_what_its_job_left_on_this_node(self):
        here, elsewhere = self.make("7", "n-0"), self.make("7", "n1")
        self.assertEqual(self.sweep(own=(Job("slurm", "big-one", "7"), "n-0")), [here])
        self.assertTrue(os.path.isdir(elsewhere))

    def test_links_files_and_others_directories_are_left_alone(self):
        precious = self.put("precious/f", "x")
        names = [f"spark-hpc-{os.getuid()}-slurm-c-7-n0-{end}" for end in "abc"]
        os.symlink(os.path.dirname(precious), self.at("tier", names[0]))
        self.put(f"tier/{names[1]}", "a file")
        os.mkdir(self.at("tier", f"spark-hpc-{os.getuid() + 1}-slurm-c-7-n0-x"))
        os.mkdir(self.at("tier", "spark-hpc-of-somebody"))
        self.assertEqual(self.sweep("7"), [])
        self.assertEqual(self.get("precious", "f"), "x")
        self.assertEqual(len(os.listdir(self.at("tier"))), 4)

    def test_a_directory_with_our_name_that_belongs_to_another_user_is_left_alone(self):
        if os.getuid() != 0:
            skip_or_fail("root is needed to give a directory away")
        path = self.make("7")
        os.chown(path, 65534, 65534)
        self.assertEqual(self.sweep("7"), [])
        self.assertTrue(os.path.isdir(path))

    def test_what_was_made_unreadable_is_removed_all_the_same(self):
        path = self.make("7")
        os.makedirs(os.path.join(path, "a", "b"))
        os.chmod(os.path.join(path, "a"), 0)
        self.assertTrue(scratch.remove(path))
        self.assertFalse(os.path.exists(path))

    def test_what_cannot_be_removed_leaves_the_rights_of_all_that_is_above(self):
        path = self.make()
        above = {at: mode for at, mode in ((self.at("tier"), 0o2775), (self.at(), 0o3755))}
        for at, mode in above.items():
            os.chmod(at, mode)
        inner = os.path.join(path, "setgid")
        os.mkdir(inner)
        os.chmod(inner, 0o2070)
        # As with a file of NFS's that some process still has open.
        with unittest.mock.patch("os.rmdir", side_effect=OSError(errno.EBUSY, "busy")):
            self.assertFalse(scratch.remove(path))
        self.assertEqual({at: stat.S_IMODE(os.stat(at).st_mode) for at in above}, above)
        self.assertEqual(stat.S_IMODE(os.stat(inner).st_mode), 0o2770, "modes are added to")
        self.assertTrue(scratch.remove(path))

    def test_of_dead_jobs_run_directories_the_last_logs_stay(self):
        for number, job in enumerate("123"):
            run = run_directory.of_job(self.conf, {}, Job("slurm", "c", job))
            run.create()
            run.write_plan(job=["slurm", "c", job])
            self.put(f"runs/slurm-c-{job}/logs/worker.log", "x")
            os.utime(run.path, (number, number))
        run_directory.sweep(self.conf, {}, Ended("1", "2"), keep=1)
        left = {os.path.relpath(os.path.join(directory, name), self.at("runs"))
                for directory, _, names in os.walk(self.at("runs")) for name in names}
        self.assertEqual(left, {"slurm-c-2/logs/worker.log", "slurm-c-3/logs/worker.log",
                                "slurm-c-3/plan.json"})

    def test_a_run_directory_is_private_though_the_umask_is_open(self):
        old = os.umask(0)
        self.addCleanup(os.umask, old)
        run = run_directory.of_job(self.conf, {}, Job("slurm", "c", "1"))
        run.create()
        run.write_plan(settings=[])
        modes = {stat.S_IMODE(os.stat(path).st_mode) for path in (run.path, run.daemons, run.logs)}
        self.assertEqual(modes, {0o700})
        plan = os.path.join(run.path, "plan.json")
        self.assertEqual(stat.S_IMODE(os.stat(plan).st_mode), 0o600)


if __name__ == "__main__":
    unittest.main()
