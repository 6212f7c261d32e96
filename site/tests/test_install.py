"""hpc-install: versions side by side, whole or not at all, relocatable, and gone when uninstalled."""

import os
import pathlib
import shutil
import stat
import unittest
import unittest.mock

from site_case import SITE, VERSION, SiteCase, skip_or_fail
from spark_hpc import shipped

LMOD = "/usr/share/lmod/lmod/libexec/lmod"
MODULES = pathlib.Path(__file__).resolve().parents[2] / "target" / "environment-modules"
OLDER = "3.5.6-hpc-9"


class InstallCase(SiteCase):
    def setUp(self):
        super().setUp()
        self.home = self.make_distribution()
        self.prefix = self.at("apps", "spark")

    def install(self, *arguments, home=None, **named):
        if not {"--class-data", "--uninstall"} & set(arguments):
            arguments = ["--no-class-data", *arguments]
        return self.run_program(os.path.join(home or self.home, "sbin", "hpc-install"), "--prefix",
                                self.prefix, *arguments, **named)

    def uninstall(self, version=VERSION, **named):
        return self.install("--uninstall", version, **named)

    def tree(self):
        return sorted(str(path.relative_to(self.prefix))
                      for path in pathlib.Path(self.prefix).rglob("*"))

    def assert_refused(self, text, *arguments, **named):
        done = self.install(*arguments, check=False, **named)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"\Ahpc-install: [^\n]*{text}[^\n]*\n\Z")


class InstallTest(InstallCase):
    def test_a_version_is_installed_with_its_module_and_settings(self):
        out = self.install().stdout
        self.assertIn(f"module load spark-hpc/{VERSION}", out)
        self.assertEqual(sorted(os.listdir(self.prefix)), [VERSION, "conf", "modulefiles"])
        own = os.path.join(self.prefix, VERSION, "conf", "site.conf")
        self.assertTrue(os.path.samefile(own, os.path.join(self.prefix, "conf", "site.conf")))
        self.assertFalse(os.path.isabs(os.readlink(own)))

    def test_everybody_can_read_it_whatever_the_umask_is(self):
        self.install(preexec_fn=lambda: os.umask(0o077))
        self.assertIn(VERSION, self.tree())
        for path in [self.prefix, *(os.path.join(self.prefix, name) for name in self.tree())]:
            mode = os.stat(path).st_mode
            wanted = 0o555 if stat.S_ISDIR(mode) else 0o444
            self.assertEqual(mode & wanted, wanted, path)

    def test_an_installation_has_no_absolute_path_of_its_prefix(self):
        self.install()
        files = [name for name in self.tree() if os.path.isfile(os.path.join(self.prefix, name))]
        self.assertIn(os.path.join("modulefiles", "spark-hpc", VERSION), files)
        for name in files:
            with open(os.path.join(self.prefix, name), "rb") as f:
                self.assertNotIn(self.directory.encode(), f.read(), name)

    def test_versions_stand_side_by_side_and_share_the_settings(self):
        self.install()
        self.put("apps/spark/conf/site.conf", "login.policy = allow\n")
        self.install(home=self.make_distribution("older", OLDER))
        self.assertEqual(sorted(os.listdir(os.path.join(self.prefix, "modulefiles", "spark-hpc"))),
                         sorted([OLDER, VERSION]))
        self.assertEqual(self.get("apps/spark", OLDER, "conf", "site.conf"), "login.policy = allow\n")
        self.uninstall(OLDER)
        self.assertEqual(sorted(os.listdir(self.prefix)), [VERSION, "conf", "modulefiles"])

    def test_uninstalling_the_last_leaves_nothing(self):
        self.install()
        self.uninstall()
        self.assertFalse(os.path.exists(self.prefix))

    def test_settings_that_somebody_changed_stay(self):
        self.install()
        self.put("apps/spark/conf/site.conf", "login.policy = allow\n")
        self.assertIn("kept", self.uninstall().stdout)
        self.assertEqual(self.tree(), ["conf", "conf/site.conf"])

    def test_installing_again_writes_the_module_from_the_settings_as_they_are_now(self):
        self.install()
        self.put("apps/spark/conf/site.conf", "java.home = /opt/jdk-17\n")
        self.install()
        self.assertIn("setenv JAVA_HOME {/opt/jdk-17}",
                      self.get("apps/spark/modulefiles/spark-hpc", VERSION))

    def test_a_used_distribution_is_copied_without_what_is_not_its_own(self):
        used = ("work/app-1/0/stderr", "logs/master.out", "metastore_db/x", "conf/spark-env.sh",
                "conf/log4j2.properties", "python/pyspark/__pycache__/a.pyc")
        for name in used:
            self.put(f"dist/{name}", "somebody's")
        out = self.install().stdout
        self.assertIn("left out  logs, metastore_db, work, conf/log4j2.properties, conf/spark-env.sh: not of the "
                      "distribution\n", out)
        there = {str(path.relative_to(self.home)) for path in pathlib.Path(self.home).rglob("*") if path.is_file()}
        copied = {str(path.relative_to(os.path.join(self.prefix, VERSION)))
                  for path in pathlib.Path(self.prefix, VERSION).rglob("*") if path.is_file()}
        self.assertEqual(there - copied, set(used))
        self.assertEqual(copied - there, {"conf/site.conf"})

    def test_it_says_what_it_does_while_it_does_it(self):
        said = []
        with unittest.mock.patch.object(shipped.time, "monotonic", unittest.mock.Mock(side_effect=range(0, 9999, 3))):
            shipped.copy(self.home, self.at("copy"), said.append)
        self.assertRegex(said[0], r"\Acopying   \d+ MB\Z")
        self.assertGreater(len(said), 3, "a line at least every second file, here")
        self.assertRegex(said[-1], r"\Acopied    \d+ of \d+ MB\Z")

    def test_what_is_copied_of_the_built_one_is_all_of_it(self):
        dist = pathlib.Path(SITE).parent / "dist"
        if not dist.exists():
            skip_or_fail("dist/ is missing: dev/make-distribution.sh")
        # Applications that run while this test does write to work/: a local cluster of Spark does.
        self.assertLessEqual(set(shipped.left_out(str(dist))), {"work"})

    def test_an_installed_version_can_install_itself_elsewhere(self):
        self.install()
        first, self.prefix = self.prefix, self.at("copy")
        self.install(home=os.path.join(first, VERSION))
        self.assertTrue(os.path.samefile(os.path.join(self.prefix, VERSION, "conf", "site.conf"),
                                         os.path.join(self.prefix, "conf", "site.conf")))

    def test_what_is_wrong_is_said_in_one_line_and_changes_nothing(self):
        self.put(f"apps/spark/{VERSION}/mine", "x")
        self.assert_refused("is there, but isn't Spark-HPC: remove it")
        self.assertEqual(self.tree(), [VERSION, f"{VERSION}/mine"])
        self.assert_refused(f"has no version {OLDER}, but none at all", "--uninstall", OLDER)
        shutil.rmtree(self.prefix)
        self.put("apps/spark/conf/site.conf", "java.home = jdk\n")
        self.assert_refused("conf/site.conf, line 1: java.home = jdk: it takes an absolute path")
        self.assertEqual(self.tree(), ["conf", "conf/site.conf"])
        self.prefix = "/dev/null/x"
        self.assert_refused("/dev/null/x: .*choose a --prefix")


class ModuleCase(InstallCase):
    """The same in both module systems. What a shell would be told to do is done by one."""

    def systems(self):
        tcl = MODULES / "usr" / "lib" / "x86_64-linux-gnu" / "modulecmd.tcl"
        found = {}
        if os.path.exists(LMOD):
            found["Lmod"] = LMOD + " bash"
        modulecmd = next(MODULES.rglob("modulecmd.tcl"), tcl)
        if modulecmd.exists() and shutil.which("tclsh"):
            found["environment-modules"] = f"tclsh {modulecmd} bash"
        for name in ("Lmod", "environment-modules"):
            if name not in found:
                skip_or_fail(f"{name}: .ci/run installs it")
        return found.items()

    def module(self, command, script, prefix=None, check=True):
        """What `script` prints, in which module is one of the two systems."""
        paths = f"{prefix or self.prefix}/modulefiles:{self.at('others')}"
        shell = f'module() {{ eval "$({command} "$@")"; }}\nexport MODULEPATH={paths}\n{script}\n'
        return self.run_program("bash", "-c", shell, check=check,
                                env=self.environment(LMOD_PAGER="none", LMOD_COLORIZE="no"))


class ModuleTest(ModuleCase):
    def setUp(self):
        super().setUp()
        self.install()
        self.install(home=self.make_distribution("older", OLDER))
        self.put("others/spark/3.1", "#%Module1.0\nfamily spark\nsetenv OTHER_SPARK yes\n")

    def test_loading_it_sets_what_spark_needs(self):
        show = 'echo "$SPARK_HOME"; command -v spark-hpc; echo "$PYTHONPATH"'
        home = os.path.join(self.prefix, VERSION)
        for system, command in self.systems():
            with self.subTest(system):
                out = self.module(command, f"module load spark-hpc/{VERSION}; {show}").stdout
                self.assertEqual(out.split("\n"), [
                    home, f"{home}/bin/spark-hpc",
                    f"{home}/site/lib:{home}/python/lib/py4j-0.10.9.7-src.zip:{home}/python", ""])

    def test_without_a_version_the_highest_is_loaded_or_the_one_that_the_site_names(self):
        names = {"": VERSION, f"#%Module1.0\nset ModulesVersion {OLDER}\n": OLDER}
        for text, version in names.items():
            if text:
                self.put("apps/spark/modulefiles/spark-hpc/.version", text)
            for system, command in self.systems():
                with self.subTest(system, version=version):
                    out = self.module(command, "module load spark-hpc; echo $SPARK_HOME").stdout
                    self.assertEqual(out, os.path.join(self.prefix, version) + "\n")
        self.uninstall(OLDER)
        self.uninstall()
        self.assertEqual(self.tree(), ["modulefiles", "modulefiles/spark-hpc", "modulefiles/spark-hpc/.version"])

    def test_unloading_it_takes_everything_back(self):
        show = 'echo "[${SPARK_HOME-}${PYTHONPATH-}]"; case $PATH in *apps/spark*) echo left;; esac'
        for system, command in self.systems():
            with self.subTest(system):
                out = self.module(command, f"module load spark-hpc/{VERSION}; "
                                           f"module unload spark-hpc/{VERSION}; {show}").stdout
                self.assertEqual(out, "[]\n")

    def test_a_moved_prefix_still_loads(self):
        moved = self.at("moved")
        os.rename(self.prefix, moved)
        for system, command in self.systems():
            with self.subTest(system):
                out = self.module(command, f"module load spark-hpc/{VERSION}; echo $SPARK_HOME",
                                  moved).stdout
                self.assertEqual(out, f"{moved}/{VERSION}\n")

    def test_a_link_to_the_module_file_elsewhere_still_loads(self):
        tree = self.at("others", "tools")
        os.mkdir(tree)
        os.symlink(os.path.join(self.prefix, "modulefiles", "spark-hpc", VERSION),
                   os.path.join(tree, VERSION))
        for system, command in self.systems():
            with self.subTest(system):
                out = self.module(command, f"module load tools/{VERSION}; echo $SPARK_HOME").stdout
                self.assertEqual(out, f"{self.prefix}/{VERSION}\n")

    def test_help_and_whatis_say_what_it_is(self):
        for system, command in self.systems():
            with self.subTest(system):
                said = self.module(command, f"module help spark-hpc/{VERSION}; "
                                            f"module whatis spark-hpc/{VERSION}")
                self.assertIn("spark-hpc start", said.stdout + said.stderr)
                self.assertIn("Apache Spark for supercomputers", said.stdout + said.stderr)

    def test_two_sparks_are_never_loaded_at_once(self):
        show = 'echo "${OTHER_SPARK-} ${SPARK_HOME-}"'
        for system, command in self.systems():
            for second in ("spark/3.1", f"spark-hpc/{OLDER}"):
                with self.subTest(system, second=second):
                    out = self.module(command, f"module load spark-hpc/{VERSION}; "
                                               f"module load {second}; {show}", check=False).stdout
                    # Either the second takes the first one's place, or it is refused.
                    self.assertIn(out.strip(), [os.path.join(self.prefix, VERSION), "yes",
                                                os.path.join(self.prefix, OLDER)])


if __name__ == "__main__":
    unittest.main()
