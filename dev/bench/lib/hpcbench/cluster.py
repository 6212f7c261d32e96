"""A standalone cluster of one variant on one scratch: a master, and a worker on each node.

Each node has its own address (127.0.1.1 and up). With one address for all, executors would read each
other's files directly, as on one host. A worker and its executors run inside their node.
"""

import os
import subprocess

from . import answer, processes, variant as variants
from .refusal import Refusal

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
DAEMON_HEAP = "256m"
# A worker doesn't allocate this: the run sets the executors' heaps.
CLAIMED_MEMORY = "1024g"
FOREIGN = ("SPARK_", "_SPARK_", "HADOOP_CONF_DIR", "YARN_CONF_DIR")


def address(node):
    return f"127.0.1.{node + 1}"


class Cluster:
    """Is started once for all of its runs; `folder` is a new directory on the local disk."""

    def __init__(self, name, variant, scratch, folder, cores_per_node, group):
        self.name, self.variant, self.scratch, self.folder = name, variant, scratch, folder
        self.home = variant.directory()
        self.cores_per_node = cores_per_node
        self.group = group
        self.workers = []
        self.master = None
        self.url = None
        self.settings = {}
        self.jars = []
        self.before_driver = []
        self.started = False
        # What the variant's start command left running: process ids, and the command whose session they are in.
        self.servers = []
        self.servers_session = None

    def local(self, node):
        return os.path.join(self.scratch.local(node), self.name)

    def places(self):
        shared = self.scratch.shared
        return {"shared": shared and os.path.join(shared, f"shared-{self.name}"),
                "run": self.folder}

    def environment(self, node):
        """Returns this process's environment without variables of another Spark. Executors inherit it from their
        worker."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
        conf = os.path.join(self.folder, "conf")
        return {**kept, "SPARK_HOME": str(self.home), "SPARK_CONF_DIR": conf,
                "SPARK_LOCAL_DIRS": self.local(node), "SPARK_LOCAL_IP": address(node),
                "SPARK_DAEMON_MEMORY": DAEMON_HEAP}

    def start(self):
        os.makedirs(os.path.join(self.folder, "conf"))
        places = self.places()
        for node in range(self.scratch.nodes):
            self._on_node(node, ["mkdir", "-p", self.local(node)])
        if places["shared"]:
            self._on_node(0, ["mkdir", "-p", places["shared"]])
        self.jars = [variants.fill(jar, places) for jar in self.variant.jars]
        self.settings = {key: variants.fill(value, places)
                         for key, value in self.variant.settings.items()}
        self.run_start()
        self._start_daemons()

    def run_start(self):
        """Runs the variant's start command. What it leaves running in its session is ended by `stop`."""
        self.started = True
        self.settings.update(self._run_command(self.variant.start))

    def _start_daemons(self):
        daemon = [str(self.home / "bin" / "spark-class")]
        self.master = processes.Daemon(
            daemon + [MASTER, "--host", address(0), "--port", "0", "--webui-port", "0"],
            self.environment(0), os.path.join(self.folder, "master.log"))
        self.url = self.master.wait_for(r"Starting Spark master at (spark:\S+)")[1]
        for node in range(self.scratch.nodes):
            command = daemon + [WORKER, "--host", address(node), "--port", "0",
                                "--webui-port", "0", "--cores", str(self.cores_per_node),
                                "--memory", CLAIMED_MEMORY,
                                "--work-dir", os.path.join(self.folder, f"work-{node}"), self.url]
            self.workers.append(processes.Daemon(
                self.group.command(self.scratch.on_node(node, command)), self.environment(node),
                os.path.join(self.folder, f"worker-{node}.log")))
        for worker in self.workers:
            worker.wait_for("Successfully registered with master")

    def keep_on(self, cores):
        """Binds executors and drivers that start from now on to these cores."""
        for worker in self.workers:
            processes.keep_on(cores, worker.pid)
        self.before_driver = processes.on_cores(cores)

    def _on_node(self, node, command):
        subprocess.run(self.scratch.on_node(node, command), check=True)

    def _run_command(self, template):
        """Runs a variant's command on node 0 and returns the settings that it prints."""
        if not template:
            return {}
        command = [variants.fill(word, self.places()) for word in template]
        # A file, not a pipe: a server that the command starts would keep a pipe open.
        with open(os.path.join(self.folder, "command.log"), "w+", encoding="utf-8") as log:
            ran = subprocess.Popen(self.scratch.on_node(0, command), env=self.environment(0), stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log, start_new_session=True)
            code = ran.wait()
            log.seek(0)
            said = [line.strip() for line in log if line.strip()]
        left = processes.members(ran.pid)
        if left:
            self.servers, self.servers_session = left, ran
        if code != 0:
            raise Refusal(f"{os.path.basename(command[0])}: {said[-1] if said else f'exit code {code}'}")
        return answer.options_of(line for line in said if line.startswith("spark."))

    def executors(self):
        """Returns the process ids of all running executors."""
        return [pid for worker in self.workers for pid in processes.members(worker.pid)
                if pid != worker.pid]

    def resident_bytes(self):
        """Returns the bytes of memory that executors and servers have now."""
        workers = {worker.pid for worker in self.workers}
        return {"executors": sum(processes.resident_bytes(pid) for pid in self.group.pids(workers) if pid not in workers),
                "servers": sum(map(processes.resident_bytes, self.servers))}

    def servers_cpu(self):
        """Returns the CPU seconds of the variant's servers so far, or None if it has none here."""
        return sum(map(processes.cpu_with_reaped, self.servers)) if self.servers else None

    def cpu(self):
        """Returns the CPU seconds so far: (of executors and workers, of workers alone)."""
        pids = [worker.pid for worker in self.workers]
        return self.group.seconds(pids), sum(processes.own_cpu(pid) for pid in pids)

    def moved_bytes(self):
        """Returns the bytes that executors and workers have read and written by system calls so far: files
        and sockets, but no mapped files. An executor counts once its worker has waited for its end."""
        each = [processes.moved_bytes(worker.pid) for worker in self.workers]
        return {way: sum(its[way] for its in each) for way in ("read", "written")}

    def stop(self):
        for daemon in [*self.workers, *([self.master] if self.master else [])]:
            daemon.end()
        self.group.remove()
        if self.started:
            self._run_command(self.variant.stop)
        if any(pid in processes.members(self.servers_session.pid) for pid in self.servers):
            processes.end_session(self.servers_session.pid, self.servers_session)
