"""Copies on the nodes: a cluster runs from them, a shared place is never used, and none stays."""

import os
import re
import subprocess
import sys
import unittest
from unittest import mock

from test_here import HereCase
from spark_hpc import file_systems, scratch, stage
from spark_hpc.refused import Refused
from spark_hpc.schedulers import Job
from spark_hpc.site_conf import SiteConf


class StageTest(HereCase):
    def copies(self):
        return [path for path in (self.at("scratch", name) for name in os.listdir(self.at("scratch")))
                if os.path.isdir(os.path.join(path, "dist"))
                or os.path.isdir(os.path.join(path, "python"))]

    def environment_of(self, word):
        pid = next(pid for pid, line in self.processes() if any(word in w for w in line))
        with open(f"/proc/{pid}/environ", encoding="utf-8") as f:
            return dict(line.split("=", 1) for line in f.read().split("\0") if "=" in line)

    def test_daemons_and_drivers_run_from_the_copy(self):
        path = f"{self.home}/python:/mine"
        self.spark_hpc("start", "--stage", env={"PYTHONPATH": path})
        copy, = self.copies()
        for daemon in ("Master", "Worker"):
            env = self.environment_of(daemon)
            self.assertEqual(env["SPARK_HOME"], f"{copy}/dist")
            self.assertEqual(env["PYTHONPATH"], f"{copy}/dist/python:/mine")
        programs = {word for _, line in self.processes() for word in line if "spark-class" in word}
        self.assertEqual(programs, {f"{copy}/dist/bin/spark-class"})
        out = self.spark_hpc("submit", "x.py", env={"PYTHONPATH": path}).stdout
        self.assertIn(f"SPARK_HOME={copy}/dist\n", out)
        self.assertIn(f"PYTHONPATH={copy}/dist/python:/mine\n", out)
        self.assertFalse(os.path.exists(os.path.join(self.run_directory(), "stage")),
                         "the archives are gone when all nodes have them")
        self.spark_hpc("stop")
        self.assert_nothing_left()

    def test_settings_of_daemons_are_the_nodes_own_copy_whether_staged_or_not(self):
        self.spark_hpc("start")
        directory = self.environment_of("Worker")["SPARK_CONF_DIR"]
        self.assertEqual(os.path.dirname(os.path.dirname(directory)), self.at("scratch"))
        found = os.stat(os.path.join(directory, "spark-defaults.conf"))
        self.assertEqual(found.st_mode & 0o077, 0)

    def test_settings_are_the_nodes_own_although_scratch_is_shared(self):
        conf = {"stage.tiers": [self.at("shared"), self.at("own")]}
        for name in ("shared", "own"):
            os.mkdir(self.at(name))
        job = Job("slurm", "cluster", "7")

        def kind(path):
            return ("shared", "lustre") if "shared" in path else ("local", "xfs")

        with mock.patch.object(file_systems, "kind", kind):
            mine = stage.own_directory(self.at("shared"), conf, {}, job, "n1")
            self.assertEqual(os.path.dirname(mine), self.at("own"))
            self.assertEqual([path for path, *_ in scratch._leftovers([self.at("own")])], [mine], "it is swept like scratch")
            self.assertEqual(stage.own_directory(self.at("scratch"), conf, {}, job, "n1"), self.at("scratch"))
            os.rename(self.at("own"), self.at("gone"))
            with mock.patch.object(stage, "_root", side_effect=Refused("none will do")):
                self.assertEqual(stage.own_directory(self.at("shared"), conf, {}, job, "n1"), self.at("shared"))

    def test_without_it_nothing_is_copied(self):
        self.spark_hpc("start")
        self.assertEqual(self.copies(), [])
        self.assertEqual(self.environment_of("Worker")["SPARK_HOME"], self.home)

    def test_a_venv_finds_its_own_modules_in_the_copy(self):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.at("venv")], check=True)
        library = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
        self.put(f"venv/{library}/mine.py", "")
        self.spark_hpc("start", "--stage-python", self.at("venv"))
        copy, = self.copies()
        env = self.environment_of("Worker")
        self.assertEqual((env["PYSPARK_PYTHON"], env["SPARK_HOME"]), ("python3", self.home))
        said = self.run_program("python3", "-c", "import mine; print(mine.__file__)",
                                env={"PATH": env["PATH"]}).stdout
        self.assertEqual(said, f"{copy}/python/{library}/mine.py\n")
        out = self.spark_hpc("submit", "x.py").stdout
        self.assertRegex(out, rf"(?m)^PATH={re.escape(copy)}/python/bin:")
        self.assertIn("PYSPARK_PYTHON=python3\n", out)
        self.spark_hpc("stop")
        self.assert_nothing_left()

    def test_what_is_no_environment_is_refused(self):
        done = self.spark_hpc("start", "--stage-python", self.at("scratch"), check=False)
        self.assertRegex(done.stderr, r"\Aspark-hpc: --stage-python .*: it has no bin/python3: name a")
        self.assertEqual(self.processes(), [])

    def test_no_place_for_a_copy_ends_the_start_with_the_reason(self):
        self.settings("login.policy = allow", "stage.tiers = /proc, /nowhere")
        done = self.spark_hpc("start", "--stage", check=False)
        self.assertRegex(done.stderr, "didn't come: .*stage.tiers = /proc, /nowhere: none will do "
                                      ".*name a disk or the memory of the node")
        self.assert_nothing_left()


class PlaceTest(HereCase):
    def setUp(self):
        super().setUp()
        self.conf = SiteConf()
        os.mkdir(self.at("archives"))
        self.put("source/f", "x" * 100)
        self.put("source/conf/site.conf", "x")
        stage.pack(self.at("source"), self.at("archives"), "dist")

    def unpack(self, *tiers, kinds=None):
        self.conf.set("stage.tiers", ", ".join(tiers), "--set", users=True)
        with mock.patch.object(file_systems, "kind", lambda path: (kinds or {}).get(
                path, ("local", "xfs"))):
            return stage.unpack(self.conf, {}, Job("slurm", "c", "7"), "n0", self.at("archives"))

    def test_a_shared_file_system_is_passed_over(self):
        shared = self.at("scratch")
        os.mkdir(self.at("disk"))
        copy, taken = self.unpack(shared, self.at("disk"), kinds={shared: ("shared", "lustre")})
        self.assertEqual((os.path.dirname(copy), taken), (self.at("disk"), 0))
        self.assertEqual(sorted(os.listdir(f"{copy}/dist")), ["conf", "f"])
        self.assertEqual(os.listdir(f"{copy}/dist/conf"), [])
        with self.assertRaisesRegex(Refused, f"{shared} is shared"):
            self.unpack(shared, kinds={shared: ("shared", "lustre")})

    def test_a_copy_in_memory_is_counted_as_memory(self):
        _, taken = self.unpack(self.at("scratch"), kinds={self.at("scratch"): ("memory", "tmpfs")})
        self.assertEqual(taken, os.path.getsize(self.at("archives", "dist.tar")))

    def test_no_room_and_noexec_are_passed_over(self):
        full = os.statvfs(self.at("scratch"))
        for values, why in (({"f_bavail": 0}, "lacks room"), ({"f_flag": os.ST_NOEXEC}, "noexec")):
            fields = {name: getattr(full, name) for name in ("f_bavail", "f_frsize", "f_flag")}
            with mock.patch("os.statvfs", lambda path, found={**fields, **values}: mock.Mock(**found)):
                with self.assertRaisesRegex(Refused, why):
                    self.unpack(self.at("scratch"))

    def test_what_a_dead_job_left_is_swept_as_scratch_is(self):
        copy, _ = self.unpack(self.at("scratch"))
        self.conf.set("scratch.tiers", self.at("nowhere"), "--set", users=True)
        live = mock.Mock(ended=lambda job: job.id == "7")
        self.assertEqual(scratch.sweep(self.conf, {}, live), [copy])
        self.assertEqual(os.listdir(self.at("scratch")), [])


if __name__ == "__main__":
    unittest.main()
