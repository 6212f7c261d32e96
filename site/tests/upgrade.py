"""An upgrade and the way back, as docs/upgrade.md tells them: two versions of the whole distribution, which differ in
their version alone, run by a user's shells in each module system."""

import os
import pathlib
import shutil
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from site_case import SITE, skip_or_fail
from test_install import ModuleCase

DIST = pathlib.Path(SITE).parent / "dist"
NEWER = "9.9.9-hpc-9"
PROPERTIES = "META-INF/spark-hpc/build.properties"
COUNT = "run-example --master 'local[1]' hpc.GroupByTest --maps 2 --reduces 2 --pairs-per-map 10"
GROUPS = "check=ok"
# Prints the programs of Spark that a shell finds.
PLACE = "readlink -f $(command -v spark-submit) $(command -v run-example)"


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
        """The version that a shell has after `load`: as the module, the command and the place of Spark's programs say
        it. What they say of themselves, assert_runs tests."""
        out = self.module(system, f"{load}; basename $SPARK_HOME; spark-hpc --version; {PLACE}")
        version, said, *place = out.stdout.splitlines()
        self.assertIn(version, said)
        self.assert_in_place(version, place)
        return version

    def assert_in_place(self, version, place):
        home = os.path.join(os.path.realpath(self.prefix), version)
        self.assertEqual(place, [f"{home}/bin/spark-submit", f"{home}/bin/run-example"])

    def assert_runs(self, system, version, before=":"):
        """In a shell that has loaded the default, and done something then, Spark's own classes are of this version."""
        out = self.module(system, f"module load spark-hpc; {before}; {COUNT}; spark-submit --version 2>&1; {PLACE}")
        self.assertIn(GROUPS, out.stdout)
        self.assertIn(f"Spark-HPC {version}", out.stdout)
        self.assert_in_place(version, out.stdout.splitlines()[-2:])

    def test_a_newer_version_becomes_the_default_and_the_older_one_again(self):
        self.put("apps/spark/conf/site.conf", "login.policy = allow\n")
        newer = self.make_newer()
        pin = os.path.join(self.prefix, "modulefiles", "spark-hpc", ".version")
        (_, first), *others = systems = self.systems()
        self.assert_defaults(systems, self.version)
        # Shells that have the older one loaded still have it after the upgrade, which one of them does.
        until = f"touch $$.loaded; until [ -e {self.at('upgraded')} ]; do sleep 0.1; done"
        with ThreadPoolExecutor() as shells:
            held = [shells.submit(self.module, system, f"cd {self.directory}; module load spark-hpc; {until}; {PLACE}")
                    for _, system in others]
            try:
                while len(list(pathlib.Path(self.directory).glob("*.loaded"))) < len(held):
                    self.assertFalse(any(shell.done() for shell in held), "none has ended without it")
                    time.sleep(0.1)
                install = f"{newer}/sbin/hpc-install --prefix {self.prefix} --no-class-data"
                self.assert_runs(first, self.version, before=install)
            finally:
                self.put("upgraded", "")
            for shell in held:
                self.assert_in_place(self.version, shell.result().stdout.splitlines())

        self.assert_defaults(systems, NEWER)
        self.assert_runs(first, NEWER)

        pathlib.Path(pin).write_text(f"#%Module1.0\nset ModulesVersion {self.version}\n")
        self.assert_defaults(systems, self.version)
        for name, system in systems:
            with self.subTest(name):
                self.assertEqual(self.spark_of(system, f"module load spark-hpc/{NEWER}"), NEWER)
        os.remove(pin)

        self.uninstall(NEWER)
        self.assert_defaults(systems, self.version)
        self.assertEqual(self.get("apps/spark/conf/site.conf"), "login.policy = allow\n")

    def assert_defaults(self, systems, version):
        for name, system in systems:
            with self.subTest(name):
                self.assertEqual(self.spark_of(system, "module load spark-hpc"), version)


if __name__ == "__main__":
    unittest.main()
