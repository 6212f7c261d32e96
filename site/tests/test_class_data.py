"""Class data of an installation, with an imitation of Spark and of Java: who uses it, and when it is made.
That a JVM takes it is tested with dist/ on a real Slurm."""

import os
import pathlib
import re
import unittest
import zipfile

from spark_hpc import class_data

from site_case import VERSION
from test_here import HereCase
from test_install import InstallCase

_JAVA = """\
#!/bin/sh
[ -z "${{JDK_JAVA_OPTIONS:-}}" ] || echo "NOTE: Picked up JDK_JAVA_OPTIONS: $JDK_JAVA_OPTIONS" >&2
echo 'openjdk version "17.0.{update}"'"${{JDK_JAVA_OPTIONS:+, emulated-client}}" >&2
for word; do
  case $word in
    -XX:SharedArchiveFile=*) [ -n "${{FAKE_DUMP_FAILS:-}}" ] && echo "Error: no room" && exit 1
      echo "$word $*" >"${{word#*=}}" ;;
  esac
done
"""

_RUN_EXAMPLE = """\
#!/bin/sh
for word; do
  case $word in
    *-XX:DumpLoadedClassList=*) echo java/lang/Object >"${word#*DumpLoadedClassList=}" ;;
  esac
done
"""


def java(case, update=15):
    case.put("jdk/bin/java", _JAVA.format(update=update), 0o755)
    return case.at("jdk")


def jar(path, *names):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w") as entries:
        for name in names:
            entries.writestr(name, "")


class UseTest(HereCase):
    def setUp(self):
        super().setUp()
        self.java_home = java(self)
        self.put("dist/class-data/java", 'openjdk version "17.0.15"\n')

    def start(self, *arguments, **env):
        return self.spark_hpc("start", *arguments, env=env).stdout

    def daemon(self, word):
        """(its directory, its environment)"""
        pid = next(pid for pid, line in self.processes() if any(word in w for w in line))
        with open(f"/proc/{pid}/environ", encoding="utf-8") as f:
            env = dict(line.split("=", 1) for line in f.read().split("\0") if "=" in line)
        return os.readlink(f"/proc/{pid}/cwd"), env

    def of_drivers(self):
        with open(os.path.join(self.run_directory(), "conf", "driver", "spark-defaults.conf"),
                  encoding="utf-8") as f:
            return dict(line.split(" ", 1) for line in f.read().splitlines())

    def test_daemons_and_executors_find_it_from_where_they_run(self):
        for options, home in (([], self.home), (["--stage"], None)):
            with self.subTest(options):
                self.assertNotIn("class data", self.start(*options))
                for word in ("Master", "Worker"):
                    directory, env = self.daemon(word)
                    found = os.path.realpath(os.path.join(directory, env["SPARK_DAEMON_CLASSPATH"]))
                    self.assertEqual(found, f"{home or env['SPARK_HOME']}/class-data/jars.jar")
                    archive = re.match(r"-XX:SharedArchiveFile=(\S+) -Xshare:auto -Xlog:cds=off\Z",
                                       env["SPARK_DAEMON_JAVA_OPTS"]).group(1)
                    self.assertEqual(os.path.realpath(os.path.join(directory, archive)),
                                     f"{home or env['SPARK_HOME']}/class-data/small.jsa")
                settings = self.of_drivers()
                self.assertEqual(settings["spark.executor.extraClassPath"], env["SPARK_DAEMON_CLASSPATH"])
                self.assertEqual(settings["spark.executor.defaultJavaOptions"],
                                 env["SPARK_DAEMON_JAVA_OPTS"])
                # An executor's directory is work/APPLICATION/NUMBER below the worker's --work-dir.
                line = next(line for _, line in self.processes() if "--work-dir" in line)
                work = line[line.index("--work-dir") + 1]
                self.assertTrue(os.path.samefile(os.path.join(work, "app-20260101000000-0000/0/../../../spark"),
                                                 home or env["SPARK_HOME"]))
                self.spark_hpc("stop")
                self.assert_nothing_left()

    def test_with_another_java_the_start_says_so_and_goes_on_without(self):
        java(self, update=16)
        self.assertRegex(self.start(), rf"(?m)^\S+ goes without class data: it was made by another Java "
                                       rf"than {self.java_home}/bin/java: run hpc-install --class-data ")
        self.assertNotIn("SPARK_DAEMON_CLASSPATH", self.daemon("Worker")[1])
        self.assertNotIn("spark.executor.extraClassPath", self.of_drivers())

    def test_a_users_options_make_it_no_other_java(self):
        self.assertNotIn("class data", self.start(JDK_JAVA_OPTIONS="-XX:TieredStopAtLevel=1"))
        self.assertIn("SPARK_DAEMON_CLASSPATH", self.daemon("Worker")[1])

    def test_an_installation_without_it_says_nothing(self):
        os.unlink(self.at("dist/class-data/java"))
        os.rmdir(self.at("dist/class-data"))
        self.assertNotIn("class data", self.start())
        self.assertNotIn("SPARK_DAEMON_CLASSPATH", self.daemon("Master")[1])


class MakeTest(InstallCase):
    def setUp(self):
        super().setUp()
        self.put("dist/bin/run-example", _RUN_EXAMPLE, 0o755)
        self.put("dist/examples/README", "")
        for number in range(9):
            jar(self.at(f"dist/jars/a-jar-with-some-name-{number}.jar"))
        self.install()
        self.version = os.path.join(self.prefix, VERSION)
        self.java_home = java(self)

    def make(self, **more):
        return self.install("--class-data", check=False,
                            env=self.environment(JAVA_HOME=self.java_home, **more))

    def test_classes_whose_bytes_java_does_not_find_again_are_left_out(self):
        a, b = self.at("a.jar"), self.at("b.jar")
        jar(a, "x/Plain.class", "META-INF/versions/9/x/Ours.class", "META-INF/versions/9/module-info.class")
        jar(b, "META-INF/versions/11/y/Other.class", "y/Other.class")
        lists = [
            self.put("one", "# a list\njava/lang/Object id: 0\nx/Plain id: 1\nx/Ours id: 2\n"),
            self.put("two", "x/Plain id: 1\ny/Other id: 5\n@lambda-proxy x/Ours a\n@lambda-proxy x/Plain a\n"
                     "@lambda-form-invoker [SPECIES_RESOLVE] java.lang.invoke.BoundMethodHandle$Species_LI\n"),
        ]
        class_data.write_list(self.at("all"), lists, [a, b])
        self.assertEqual(pathlib.Path(self.at("all")).read_text(encoding="utf-8").splitlines(),
                         ["java/lang/Object id: 0", "x/Plain id: 1", "@lambda-proxy x/Plain a"])

    def test_it_is_made_by_the_java_that_is_there_and_made_anew_when_asked_again(self):
        for update in (15, 16):
            java(self, update)
            done = self.make()
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(re.findall(r"(?m)^class data, (\d) of 4: ", done.stdout), ["1", "2", "3", "4"])
            made = os.path.join(self.version, "class-data")
            self.assertEqual(sorted(os.listdir(made)), ["jars.jar", "java", "large.jsa", "small.jsa"])
            with open(os.path.join(made, "java"), encoding="utf-8") as f:
                self.assertEqual(f.read(), f'openjdk version "17.0.{update}"\n')
            for name, option in (("small", "-XX:+UseCompressedOops"), ("large", "-XX:-UseCompressedOops")):
                with open(os.path.join(made, f"{name}.jsa"), encoding="utf-8") as f:
                    said = f.read()
                self.assertIn(option, said)
                self.assertNotIn(self.prefix + " ", said)
        self.assertFalse([name for name in os.listdir(self.version) if name.startswith(".")])

    def by_itself(self, **more):
        return self.run_program(os.path.join(self.home, "sbin", "hpc-install"), "--prefix", self.prefix,
                                env=self.environment(JAVA_HOME=self.java_home, **more))

    def made_by(self):
        with open(os.path.join(self.version, "class-data", "java"), encoding="utf-8") as f:
            return f.read()

    def test_it_is_made_unasked_where_there_is_none_of_this_java(self):
        for update in (15, 16):
            java(self, update)
            self.assertEqual(self.by_itself().stderr, "")
            self.assertEqual(self.made_by(), f'openjdk version "17.0.{update}"\n')
        made = os.stat(os.path.join(self.version, "class-data"))
        self.by_itself()
        self.assertTrue(os.path.samestat(os.stat(os.path.join(self.version, "class-data")), made))

    def test_an_installation_of_which_none_can_be_made_goes_on_without_and_says_why(self):
        done = self.by_itself(FAKE_DUMP_FAILS="1")
        self.assertRegex(done.stderr, r"\Ahpc-install: without class data starts take longer, and none was made: "
                                      r"\S+/java ended with 1: Error: no room\n\Z")
        self.assertIn("module load", done.stdout)
        self.assertNotIn("class-data", os.listdir(self.version))

    def test_its_class_path_names_every_jar_in_lines_that_a_manifest_may_have(self):
        self.make()
        with zipfile.ZipFile(os.path.join(self.version, "class-data", "jars.jar")) as jar:
            text = jar.read("META-INF/MANIFEST.MF").decode("ascii")
        self.assertLessEqual(max(map(len, text.split("\r\n"))), 72)
        path = re.search(r"(?m)^Class-Path: (.*)$", text.replace("\r\n ", "").replace("\r", "")).group(1)
        self.assertEqual(path.split(), [f"../jars/a-jar-with-some-name-{n}.jar" for n in range(9)])

    def test_a_java_that_spark_does_not_run_on_is_said(self):
        self.java_home = self.make_java("21.0.1")
        done = self.make()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ahpc-install: \S+/java is Java 21, but Spark 3.5 runs on 8, 11 and 17: .*\n\Z")

    def test_when_java_fails_that_is_said_and_nothing_is_left(self):
        done = self.make(FAKE_DUMP_FAILS="1")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ahpc-install: \S+/java ended with 1: Error: no room\n\Z")
        self.assertNotIn("class-data", " ".join(os.listdir(self.version)))

    def test_another_installation_of_it_has_none_of_its_own_accord(self):
        self.make()
        elsewhere = self.at("elsewhere")
        self.run_program(os.path.join(self.version, "sbin", "hpc-install"), "--prefix", elsewhere,
                         "--no-class-data")
        self.assertNotIn("class-data", os.listdir(os.path.join(elsewhere, os.path.basename(self.version))))


if __name__ == "__main__":
    unittest.main()
