"""Test cases with a directory of their own, and with a distribution whose Spark is imitated."""

import os
import shutil
import subprocess
import tempfile
import unittest

SITE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
VERSION = "3.5.9-hpc-1"

# The log lines of Spark's daemons, without Spark. FAKE says what goes wrong.
_SPARK_CLASS = """\
#!/bin/sh
case "$1 ${FAKE:-}" in
  *Master\\ dies) echo "ERROR Master: can't bind"; exit 1 ;;
  *Master\\ *)
    echo "INFO Master: Starting Spark master at spark://127.0.0.1:7077"
    echo "INFO MasterWebUI: Bound MasterWebUI to 0.0.0.0, and started at http://127.0.0.1:8080"
    ;;
  *HistoryServer\\ *) env; exit ;;
  *Report\\ *)
    [ "${FAKE:-}" != unreadable ] || exit 1
    echo "SPARK_HOME=$SPARK_HOME"
    echo "Report was given: $*"
    exit
    ;;
  *Worker\\ mute) ;;
  *Worker\\ *)
    while [ "$1" != --work-dir ]; do shift; done
    mkdir -p "$2/app-20260101000000-0000/0"
    umask >"$2/app-20260101000000-0000/0/stderr"
    echo "INFO Worker: Successfully registered with master"
    ;;
esac
[ "${FAKE:-}" != stubborn ] || trap '' TERM
while :; do sleep 1; done
"""

_LOG_TEMPLATE = """\
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
rootLogger.appenderRef.console.level = warn
logger.ours.name = org.apache.spark.storage.hpc.scratch.ScratchTiers
"""

_PROGRAM = """\
#!/bin/sh
env
echo "${0##*/} was given: $*"
"""


def skip_or_fail(why):
    """Nothing that is missing counts as passed: in CI everything must be there."""
    if os.environ.get("CI") == "true":
        raise AssertionError("in CI this must be there: " + why)
    raise unittest.SkipTest(why)


class SiteCase(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="site-test-")
        self.addCleanup(shutil.rmtree, self.directory)

    def at(self, *names):
        return os.path.join(self.directory, *names)

    def put(self, name, text, mode=0o644):
        path = self.at(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, mode)
        return path

    def get(self, *names):
        with open(self.at(*names), encoding="utf-8") as f:
            return f.read()

    def make_distribution(self, name="dist", version=VERSION):
        """With our own programs and an imitation of Spark's."""
        self.put(f"{name}/RELEASE", f"Spark-HPC {version}, Spark 3.5.9, Scala 2.12\n")
        self.put(f"{name}/python/lib/py4j-0.10.9.7-src.zip", "")
        self.put(f"{name}/python/pyspark/__init__.py", f"version = '{version}'\n")
        self.put(f"{name}/conf/spark-defaults.conf", "# nothing\n")
        self.put(f"{name}/conf/log4j2.properties.template", _LOG_TEMPLATE)
        self.put(f"{name}/bin/spark-class", _SPARK_CLASS, 0o755)
        for program in ("spark-submit", "run-example", "spark-shell", "pyspark", "spark-sql"):
            self.put(f"{name}/bin/{program}", _PROGRAM, 0o755)
        home = self.at(name)
        for part in ("bin/spark-hpc", "sbin/hpc-install", "sbin/hpc-loopfs", "site/run-python.sh",
                     "site/command.py"):
            os.makedirs(os.path.dirname(os.path.join(home, part)), exist_ok=True)
            shutil.copy(os.path.join(SITE, part.replace("site/", "")), os.path.join(home, part))
        shutil.copytree(os.path.join(SITE, "lib"), os.path.join(home, "site", "lib"))
        return home

    def make_java(self, version="17.0.9"):
        """An imitation that says its version; where it is."""
        self.put("jdk/bin/java", f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n", 0o755)
        return self.at("jdk")

    def tools(self, *programs):
        """A PATH with what our own entry point and the imitations need, and imitations of these programs."""
        os.mkdir(self.at("tools"))
        for name in ("bash", "cat", "dirname", "env", "mkdir", "python3", "readlink", "sh", "sleep", "tar"):
            os.symlink(f"/usr/bin/{name}", self.at("tools", name))
        for name in programs:
            self.put(f"tools/{name}", "#!/bin/sh\n", 0o755)
        return self.at("tools")

    def environment(self, **more):
        """A user's, with a home in this test's directory."""
        kept = {k: v for k, v in os.environ.items()
                if not k.startswith(("SLURM", "SPARK_", "XDG_")) and k != "PYTHONPATH"}
        os.makedirs(self.at("home"), exist_ok=True)
        return {**kept, "HOME": self.at("home"), "PATH": f"{self._python()}:{os.environ['PATH']}", **more}

    def _python(self):
        """A directory with the system's Python, which starts in a third of the time of one with packages."""
        if not os.path.isdir(self.at("system")):
            os.mkdir(self.at("system"))
            if os.path.exists("/usr/bin/python3"):
                os.symlink("/usr/bin/python3", self.at("system", "python3"))
        return self.at("system")

    def run_program(self, *line, check=True, env=None, **named):
        done = subprocess.run(line, env=env or self.environment(), check=False, text=True,
                              capture_output=True, **named)
        if check and done.returncode != 0:
            self.fail(f"{line} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done
