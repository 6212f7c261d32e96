"""An upgrade and the way back, as docs/upgrade.md tells them: two versions of the whole distribution, which differ in
their version alone, run by a user's shells in each module system."""

import os
import pathlib
import shutil
import subprocess
import unittest

from site_case import SITE, skip_or_fail
from test_install import ModuleCase

DIST = pathlib.Path(SITE).parent / "dist"
NEWER = "9.9.9-hpc-9"
PROPERTIES = "META-INF/spark-hpc/build.properties"
COUNT = "run-example --master 'local[1]' hpc.GroupByTest --maps 2 --reduces 2 --pairs-per-map 10"
GROUPS = "check=ok"


class UpgradeTest(ModuleCase):
    def setUp(self):
        super().setUp()
        if not DIST.exists():
            skip_or_fail("dist/ is missing: dev/make-distribution.sh")
        self.version = (DIST / "RELEASE").read_text().split()[1].rstrip(",")
        self.install(home=DIST)

    def make_newer(self):
        newer = pathlib.Path(self.at("newer"))
        shutil.copytree(DIST, newer, symlinks=True, ignore=shutil.ignore_patterns("work", "logs"))
        release = newer / "RELEASE"
        release.write_text(release.read_text().replace(self.version, NEWER, 1))
        core = next(newer.glob("jars/spark-core_*.jar"))
        subprocess.run(["jar", "xf", core, PROPERTIES], cwd=self.directory, check=True)
        properties = pathlib.Path(self.at(PROPERTIES))
        properties.write_text(properties.read_text().replace(f"version={self.version}", f"version={NEWER}"))
        subprocess.run(["jar", "uf", core, PROPERTIES], cwd=self.directory, check=True)
        return newer

    def spark_of(self, system, load):
        """The version that a shell has after `load`: as the module, the command and Spark's own classes say it."""
        out = self.module(system, f"{load}; basename $SPARK_HOME; spark-hpc --version; spark-submit --version 2>&1")
        lines = out.stdout.splitlines()
        self.assertIn(lines[0], lines[1])
        self.assertTrue(any(f"Spark-HPC {lines[0]}" in line for line in lines[2:]), out.stdout)
        return lines[0]

    def test_a_newer_version_becomes_the_default_and_the_older_one_again(self):
        self.put("apps/spark/conf/site.conf", "login.policy = allow\n")
        newer = self.make_newer()
        pin = os.path.join(self.prefix, "modulefiles", "spark-hpc", ".version")
        for name, system in self.systems():
            with self.subTest(name):
                self.assertEqual(self.spark_of(system, "module load spark-hpc"), self.version)
                # A shell that has the older one loaded, and still runs it after the upgrade.
                install = f"{newer}/sbin/hpc-install --prefix {self.prefix} --no-class-data"
                out = self.module(system, f"module load spark-hpc; {install}; {COUNT}; basename $SPARK_HOME")
                self.assertIn(GROUPS, out.stdout)
                self.assertEqual(out.stdout.splitlines()[-1], self.version)

                self.assertEqual(self.spark_of(system, "module load spark-hpc"), NEWER)
                out = self.module(system, f"module load spark-hpc; {COUNT}")
                self.assertIn(GROUPS, out.stdout)

                pathlib.Path(pin).write_text(f"#%Module1.0\nset ModulesVersion {self.version}\n")
                self.assertEqual(self.spark_of(system, "module load spark-hpc"), self.version)
                self.assertEqual(self.spark_of(system, f"module load spark-hpc/{NEWER}"), NEWER)
                os.remove(pin)

                self.uninstall(NEWER)
                self.assertEqual(self.spark_of(system, "module load spark-hpc"), self.version)
                self.assertEqual(self.get("apps/spark/conf/site.conf"), "login.policy = allow\n")


if __name__ == "__main__":
    unittest.main()
