"""Starts Spark's master and worker on this node, and reads their logs."""

import collections
import os
import re
import resource
import subprocess
import time

from spark_hpc import class_data, pauses, private
from spark_hpc.processes import MARK
from spark_hpc.refused import Refused
from spark_hpc.sizing import DAEMON, MB

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"

_MASTER_URL = re.compile(r"Starting Spark master at (spark://\S+)")
_MASTER_UI = re.compile(r"Bound MasterWebUI to .* started at (http://\S+)")
_REGISTERED = re.compile(r"Successfully registered with master")
_PAUSE = 0.2

# Variables that a user's shell sets for another Spark, or for its daemons.
_OTHERS = re.compile(r"_?SPARK_(?!DIST_CLASSPATH\Z|HPC_)")


class Scratch(collections.namedtuple("Scratch", "directory tiers memory")):
    """`directory` is for Spark's own files, `tiers` are the other directories for Spark-HPC's files, and
    `memory` is how many bytes of the node's memory its executors may use, including files in memory."""

    def variables(self):
        return {"SPARK_LOCAL_DIRS": self.directory, "SPARK_HPC_SCRATCH": os.pathsep.join(self.tiers),
                "SPARK_HPC_MEMORY": str(self.memory)}


def environment(env, home, settings, scratch, address, mark, java_home, with_class_data):
    """The environment of the daemons, which executors and their child processes inherit; `scratch` is a
    Scratch."""
    kept = {key: value for key, value in env.items() if not _OTHERS.match(key)}
    temporary = os.path.join(scratch.directory, "tmp")
    kept.update({
        MARK: mark, "SPARK_HOME": home, "SPARK_CONF_DIR": settings, **scratch.variables(),
        # The web pages listen on this address; otherwise their URLs would have the name that it resolves to.
        "SPARK_LOCAL_IP": address, "SPARK_PUBLIC_DNS": address,
        "SPARK_DAEMON_MEMORY": f"{DAEMON // MB}m",
        # Native libraries are unpacked there, and a killed process leaves them behind.
        "TMPDIR": temporary,
        "JDK_JAVA_OPTIONS": f"{env.get('JDK_JAVA_OPTIONS', '')} -Djava.io.tmpdir={temporary}".strip(),
    })
    if java_home:
        kept["JAVA_HOME"] = java_home
    if with_class_data:
        kept.update(SPARK_DAEMON_CLASSPATH=class_data.CLASS_PATH,
                    SPARK_DAEMON_JAVA_OPTS=class_data.options(DAEMON))
    return kept


def raise_file_limit(conf):
    """Raises the limit of open files for this process and all that it starts from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = conf["limits.files"] or hard
    if hard != resource.RLIM_INFINITY and wanted > hard:
        raise conf.refusal("limits.files", f"this node allows {hard}: set it lower, or raise the node's "
                           "hard limit (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class Daemon:
    """One of Spark's daemons, in a session of its own and with a log file."""

    def __init__(self, home, log, env, directory, main_class, *arguments):
        self._name = main_class.rsplit(".", 1)[1].lower()
        self._log = log
        with private.open_file(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as f:
            self._process = subprocess.Popen(
                [os.path.join(home, "bin", "spark-class"), main_class, *arguments], env=env,
                cwd=os.path.join(directory, class_data.DIRECTORY), stdin=subprocess.DEVNULL, stdout=f,
                stderr=f, start_new_session=True)

    def ended(self):
        return self._process.poll() is not None

    def reap(self):
        self._process.wait()

    def refusal(self):
        with open(self._log, encoding="utf-8", errors="replace") as f:
            lines = [line for line in f.read().splitlines() if line.strip()]
        said = [line for line in lines if "ERROR" in line or "Exception" in line] or lines
        return Refused(f"the {self._name} ended: {said[-1].strip() if said else 'it said nothing'} "
                       f"(log: {self._log})")

    def await_log(self, patterns, deadline, stopping):
        """Waits until every pattern has matched in the log, and returns each match's last group. Raises
        Refused if the daemon ends or the deadline passes."""
        for pause in pauses.growing(_PAUSE):
            with open(self._log, encoding="utf-8", errors="replace") as f:
                text = f.read()
            found = [pattern.search(text) for pattern in patterns]
            if all(found):
                return [match.group(match.re.groups) for match in found]
            stopping.check()
            if self.ended():
                raise self.refusal()
            if time.monotonic() > deadline:
                raise Refused(f"the {self._name} isn't ready in time: look at {self._log}, or set "
                              "start.seconds higher")
            time.sleep(pause)


def start_master(home, run, env, directory, address, conf):
    port = str((conf["network.ports"] or (0, 0))[0])
    return Daemon(home, os.path.join(run.logs, "master.log"), env, directory, MASTER, "--host",
                  address, "--port", port, "--webui-port", port)


def master_addresses(master, deadline, stopping):
    return master.await_log([_MASTER_URL, _MASTER_UI], deadline, stopping)


def start_worker(home, run, env, directory, name, address, offer, conf, master):
    port = str((conf["network.ports"] or (0, 0))[0])
    return Daemon(home, os.path.join(run.logs, f"worker-{name}.log"), env, directory, WORKER,
                  "--host", address, "--port", port, "--webui-port", port,
                  "--cores", str(offer.cores), "--memory", f"{offer.heap // MB}m",
                  "--work-dir", os.path.join(directory, "work"), master)


def await_registered(worker, deadline, stopping):
    worker.await_log([_REGISTERED], deadline, stopping)
