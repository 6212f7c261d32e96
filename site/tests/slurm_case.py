"""Test cases on a real Slurm of three nodes, with the distribution installed as a site would have it."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time
import unittest

import pages
from site_case import SITE, VERSION, skip_or_fail

ROOT = pathlib.Path(SITE).parent
TESTBED = str(ROOT / "dev" / "testbed" / "testbed")
DIST = ROOT / "dist"
ARCHIVE = ROOT / f"spark-{VERSION}-bin-hpc.tgz"
LMOD = "/usr/share/lmod/lmod/init/bash"
PROGRAMS = ("cells.py", "fill.py", "probe.py", "session.py")
# Seconds until something that has to happen counts as not happening; a quiet machine needs a tenth of them.
PATIENCE = 600
NODES = 3
# States of jobs that have ended. One that goes on may have more than one thinks of, such as SIGNALING.
ENDED = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED",
         "TIMEOUT"}
# Java's programs may be on nobody's PATH but root's.
PATH = f"{os.path.dirname(shutil.which('java') or '/usr/bin/java')}:/usr/bin:/bin"

_SETTINGS = """\
network.interfaces = lo
scratch.tiers = {tiers}
shuffle.directory = {shuffle}
stage.tiers = {scratch}
driver.memory = 600m
memory.overhead = 0.1
# For a busy machine. A stop must be over before the testbed's KillWait is.
start.seconds = 600
stop.seconds = 120
"""

_SCRIPT = """\
#!/bin/bash
umask 027
. {lmod}
module use {prefix}/modulefiles
module load spark-hpc
set -eu
{commands}
"""

# Java's second compiler takes longer than these short programs gain by it.
COMPILE_QUICKLY = "-XX:TieredStopAtLevel=1"


# A program begins when it has all its executors, however late one of them is.
ALL_EXECUTORS = ("--conf spark.scheduler.minRegisteredResourcesRatio=1.0 "
                 "--conf spark.scheduler.maxRegisteredResourcesWaitingTime=600s")


class SlurmCase(unittest.TestCase):
    slurm_options = ("--memory", "6000")
    _apps = None  # the temporary directory of the installation that all classes share

    @classmethod
    def setUpClass(cls):
        cls.require()
        cls.directory = tempfile.mkdtemp(prefix="site-slurm-", dir="/var/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        os.chmod(cls.directory, 0o755)
        cls.base = os.path.join(cls.directory, "slurm")
        shared = cls.make_shared()
        cls.scratch, cls.shuffle = (os.path.join(shared, name) for name in ("scratch", "shuffle"))
        cls.tiers = [cls.scratch, *cls.make_tiers()]
        for path in (*cls.tiers, cls.shuffle):
            os.mkdir(cls.seen(path))
            os.chmod(cls.seen(path), 0o1777)
        for name in PROGRAMS:
            shutil.copy(os.path.join(SITE, "tests", name), cls.directory)
            os.chmod(os.path.join(cls.directory, name), 0o644)
        cls.users = [cls.make_user(name, shared) for name in cls.user_names()]
        cls.slurm("start", "--nodes", str(NODES), *cls.slurm_options)
        cls.addClassCleanup(cls.slurm, "stop")
        cls.install()
        cls.write_settings()

    @classmethod
    def install(cls):
        """Installs the distribution with its class data, which takes as long as several tests: once for all classes,
        and as the tutorial does it if there is an archive."""
        if SlurmCase._apps is None:
            made = tempfile.TemporaryDirectory(prefix="site-apps-", dir="/var/tmp")
            os.chmod(made.name, 0o755)
            if cls.has_archive():
                cls._follow_tutorial(f"{made.name}/apps")
            else:
                run([str(DIST / "sbin" / "hpc-install"), "--prefix", f"{made.name}/apps"])
            SlurmCase._apps = made
        cls.prefix = os.path.join(SlurmCase._apps.name, "apps")

    @staticmethod
    def _follow_tutorial(prefix):
        block, = pages.of("tutorial", "install")
        unpack, install = block.splitlines()
        with tempfile.TemporaryDirectory(prefix="site-download-", dir="/var/tmp") as download:
            os.symlink(ARCHIVE, os.path.join(download, ARCHIVE.name))
            run(["bash", "-euc", unpack], cwd=download)
            # As a site does that offers Connect.
            run([str(ROOT / "dev" / "add-connect"), os.path.join(download, ARCHIVE.stem)])
            run(["bash", "-euc", install.replace("/apps/spark-hpc", prefix)], cwd=download)

    @staticmethod
    def has_archive():
        """Whether there is one of this very dist/."""
        return ARCHIVE.exists() and ARCHIVE.stat().st_mtime >= (DIST / "RELEASE").stat().st_mtime

    @classmethod
    def version(cls):
        """The name of the installed version."""
        return next(name for name in os.listdir(cls.prefix) if name[0].isdigit())

    @classmethod
    def make_shared(cls):
        """Where users' homes and scratch are, as the nodes see it."""
        return cls.directory

    @classmethod
    def make_tiers(cls):
        """Where scratch is besides, for the nodes."""
        return []

    @classmethod
    def seen(cls, path):
        """What is that path on the nodes, as it is seen from here."""
        return path

    @classmethod
    def require(cls):
        why = subprocess.run([TESTBED, "slurm", "require"], capture_output=True, text=True,
                             check=False)
        if why.returncode != 0:
            skip_or_fail(why.stderr.strip())
        if not os.path.exists(LMOD):
            skip_or_fail("Lmod is missing: apt-get install lmod")
        if not (DIST / "bin" / "spark-hpc").exists():
            skip_or_fail("dist/ is missing, or older than the site module: dev/make-distribution.sh")

    @staticmethod
    def user_names():
        """Two when root runs this, none of them root."""
        return ["nobody", "daemon"] if os.getuid() == 0 else [pwd.getpwuid(os.getuid()).pw_name]

    @classmethod
    def make_user(cls, name, shared):
        user = pwd.getpwnam(name)
        home = os.path.join(shared, f"home-{name}")
        os.mkdir(cls.seen(home))
        os.chown(cls.seen(home), user.pw_uid, user.pw_gid)
        return User(cls, user, home)

    @classmethod
    def slurm(cls, verb, *arguments):
        return run([TESTBED, "slurm", verb, "--base", cls.base, *arguments])

    @classmethod
    def ask_slurm(cls, *command):
        """What Slurm says to its administrator. Tests ask often, and the testbed's own exec would take ten times the
        CPU time."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM", "SRUN_"))}
        return run(command, env={**kept, "SLURM_CONF": os.path.join(cls.base, "slurm.conf")}).stdout

    @classmethod
    def state(cls, job):
        shown = cls.ask_slurm("scontrol", "--oneliner", "show", "job", job)
        return dict(word.split("=", 1) for word in shown.split() if "=" in word)["JobState"]

    @classmethod
    def write_settings(cls):
        with open(os.path.join(cls.prefix, "conf", "site.conf"), "w", encoding="utf-8") as f:
            f.write(_SETTINGS.format(tiers=", ".join(cls.tiers), scratch=cls.scratch, shuffle=cls.shuffle))

    def await_true(self, what, condition, seconds=PATIENCE):
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                self.fail(f"not in {seconds} s: {what}; {self.evidence()}")
            time.sleep(0.2)

    def await_end(self, job, seconds=PATIENCE, meanwhile=lambda: None):
        """The state in which the job has ended. One that doesn't end is cancelled: others wait for its nodes."""
        def has_ended():
            meanwhile()
            return self.state(job) in ENDED
        try:
            self.await_true(f"job {job} has ended", has_ended, seconds)
        except AssertionError:
            self.ask_slurm("scancel", job)
            raise
        return self.state(job)

    def await_completed(self, job, said, **named):
        """What is in the file `said` when the job has ended well."""
        state = self.await_end(job, **named)
        with open(said, encoding="utf-8") as f:
            text = f.read()
        self.assertEqual(state, "COMPLETED", text)
        return text

    def evidence(self):
        logs = []
        for user in self.users:
            for path in sorted(pathlib.Path(user.at()).rglob("*.out")):
                logs.append(f"{path.name}: {path.read_text(encoding='utf-8')[-2000:]}")
            for path in sorted(pathlib.Path(user.at()).glob(".spark-hpc/*/logs/*")):
                logs.append(f"{path.name}: {path.read_text(encoding='utf-8')[-500:]}")
        return "\n".join(logs)

    def processes(self):
        """[job, node] of each process that any cluster has started, with its programs."""
        wanted = {f"SLURM_CONF={self.base}/slurm.conf"}
        return [word.split("-")[-2:] for _, env in environments() if wanted <= set(env)
                for word in env if word.startswith("SPARK_HPC_NODE=")]

    def all_scratch(self):
        """{name: [job, node]}, or @all for what a job's nodes share."""
        return {name: name.split("-")[5:7] for top in (*self.tiers, self.shuffle)
                for name in os.listdir(self.seen(top))}

    def scratch_of(self, nodes):
        return [name for name, (_, node) in self.all_scratch().items() if node in nodes]

    def assert_nothing_left(self, nodes=("n0", "n1")):
        self.assert_none_left(f"on {nodes}", lambda _, node: node in nodes)

    def assert_nothing_left_of(self, job):
        self.assert_none_left(f"of job {job}", lambda its, _: its == job)

    def assert_none_left(self, where, meant):
        self.await_true(f"no process and no scratch is left {where}", lambda: not any(
            meant(*each) for each in [*self.processes(), *self.all_scratch().values()]))


class User:
    """Somebody with a home who submits jobs."""

    def __init__(self, case, entry, home):
        self._case = case
        self._entry = entry
        self.home = home

    def run(self, *command, check=True):
        become = [] if os.getuid() != 0 else [
            "setpriv", f"--reuid={self._entry.pw_uid}", f"--regid={self._entry.pw_gid}",
            "--clear-groups"]
        env = {"HOME": self.home, "USER": self._entry.pw_name, "LOGNAME": self._entry.pw_name,
               "PATH": PATH, "PYTHONDONTWRITEBYTECODE": "1", "JDK_JAVA_OPTIONS": COMPILE_QUICKLY}
        if "JAVA_HOME" in os.environ:
            env["JAVA_HOME"] = os.environ["JAVA_HOME"]
        return run([TESTBED, "slurm", "exec", "--base", self._case.base, "--", *become, "env", "-C",
                    self.home, *command], env=env, check=check)

    def at(self, *names):
        """A file of his, as it is seen from here."""
        return self._case.seen(os.path.join(self.home, *names))

    def get(self, *names):
        with open(self.at(*names), encoding="utf-8") as f:
            return f.read()

    def put(self, name, text):
        path = self.at(name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o755)
        return path

    def script(self, name, commands):
        return self.put(f"{name}.sh", _SCRIPT.format(lmod=LMOD, prefix=self._case.prefix,
                                                     commands=commands))

    def submit(self, name, commands, *options):
        """The job's id; what it says goes to NAME.out."""
        return self.run("sbatch", "--parsable", "--no-requeue", f"--output={name}.out", *options,
                        self.script(name, commands)).stdout.strip()

    def release(self, name):
        with open(self.at(f"{name}.release"), "w", encoding="utf-8"):
            pass


def probe(case, name, cores, *options):
    """The command of a program that is running once NAME.running is there, until it is released."""
    return (f"spark-hpc submit --total-executor-cores {cores} {' '.join(options)} "
            f"{ALL_EXECUTORS} {case.directory}/probe.py {name}")


def environments():
    """(process id, words of its environment) of all that we may look at."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", encoding="utf-8", errors="replace") as f:
                yield int(pid), f.read().split("\0")
        except OSError:
            continue


def command_lines():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as f:
                yield f.read()
        except OSError:
            continue


def run(line, check=True, **named):
    done = subprocess.run(line, check=False, capture_output=True, text=True, **named)
    if check and done.returncode != 0:
        raise AssertionError(f"{line} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done
