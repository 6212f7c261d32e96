"""A Spark cluster inside an allocation: one for each job."""

import os
import secrets
import shutil
import sys
import tempfile
import time

from spark_hpc import (class_data, command_line, daemons, driver_log, event_log, executor_logs, interfaces, java, pauses, private,
                       processes, report, run_directory, scratch, sizing, spark_conf, stage, web_page)
from spark_hpc.refused import Refused
from spark_hpc.schedulers.choice import LiveJobs, current

# {verb: program in bin/}
PROGRAMS = {"submit": "spark-submit", "run-example": "run-example", "shell": "spark-shell",
            "pyspark": "pyspark", "sql": "spark-sql"}

CONNECT_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"

_PAUSE = 0.5
_LAST_WORDS = 10  # seconds beyond a node's own deadline, in which it can report why it failed
_KILL_PATIENCE = 10  # seconds that the scheduler has to end processes that don't stop


class Cluster:
    def __init__(self, home, env, conf):
        self._home = home
        self._env = env
        self._conf = conf
        self._scheduler = current(env, conf)
        self._run = run_directory.of_job(conf, env, self._scheduler.job)

    def start(self, most_nodes, stage_distribution=False, stage_python=None):
        """Returns when all nodes have registered. If anything fails, nothing is left behind."""
        nodes = self._nodes(most_nodes)
        staged = {**({stage.DISTRIBUTION: self._home} if stage_distribution else {}),
                  **({stage.PYTHON: stage.check_python(stage_python)} if stage_python else {})}
        if self._scheduler.running():
            raise Refused("this job has a cluster already: spark-hpc status shows it, spark-hpc stop "
                          "ends it")
        events = event_log.make(self._conf, self._env)
        live = LiveJobs(self._env)
        run_directory.sweep(self._conf, self._env, live, self._conf["run.keep"])
        scratch.sweep_shared(self._conf, self._env, live, self._scheduler.job)
        self._run.create()
        cluster_secrets = spark_conf.Secrets(secrets.token_hex(32), secrets.token_urlsafe(24))
        self._run.write_plan(job=self._scheduler.job, nodes=nodes, settings=self._conf.members(),
                             stage=bool(staged))
        self._run.write_keys(cluster_secrets.pages, secrets.token_urlsafe(24))
        spark_conf.write_daemons(self._run, self._conf, cluster_secrets)
        self._pack(staged)
        command = [os.path.join(self._home, "bin", "spark-hpc"), "node", self._run.path]
        launched = self._scheduler.launch(command, [node.name for node in nodes], self._run.logs)
        try:
            reports = self._await_nodes([node.name for node in nodes], launched)
            offers = [sizing.Offer(*report["offer"]) for report in reports.values()]
            executor = sizing.executor(offers)
            spark_conf.write_driver(self._run, self._conf, cluster_secrets, self._run.master()["url"],
                                    executor, self._users_directory(),
                                    not any(report["without_class_data"] for report in reports.values()),
                                    reports[nodes[0].name]["shuffle"], events)
            driver_log.write(self._home, self._run.driver, self._conf["log.level"])
        except BaseException:
            self._end()
            if launched.poll() is None:
                launched.terminate()
            raise
        self._run.forget_archives()
        self._show(reports, executor, sizing.number(executor, offers))

    def _pack(self, staged):
        try:
            for name, source in staged.items():
                stage.pack(source, self._run.stage, name)
        except BaseException:
            self._run.forget()
            raise

    def _nodes(self, most_nodes):
        nodes = self._scheduler.nodes()
        if most_nodes is not None:
            if not 1 <= most_nodes <= len(nodes):
                raise Refused(f"--nodes {most_nodes}: the job has {len(nodes)}: ask for 1 to "
                              f"{len(nodes)}")
            nodes = nodes[:most_nodes]
        if len(nodes) > self._conf["limits.nodes"]:
            raise self._conf.refusal("limits.nodes", f"the job has {len(nodes)} nodes: use --nodes")
        return nodes

    def _users_directory(self):
        given = self._env.get("SPARK_CONF_DIR")
        if not given or os.path.realpath(given) == os.path.realpath(self._run.driver):
            return os.path.join(self._home, "conf")
        return given

    def _await_nodes(self, names, launched):
        deadline = time.monotonic() + self._conf["start.seconds"] + _LAST_WORDS
        reports = {}
        for pause in pauses.growing(_PAUSE):
            # Checked before the reports are read, so that a node's last report isn't missed.
            over = launched.poll() is not None or time.monotonic() > deadline
            reports.update(self._run.reports(reports))
            states = {name: reports.get(name, {}).get("state") for name in names}
            if all(state == "ready" for state in states.values()):
                return {name: reports[name] for name in names}
            # The first failure is enough: it may be the cause of the others, which follow at once.
            if over or "failed" in states.values():
                raise Refused(self._why(states, reports, launched))
            time.sleep(pause)

    def _why(self, states, reports, launched):
        missing = [name for name, state in states.items() if state != "ready"]
        silent = [name for name in missing if not reports.get(name, {}).get("why")]
        said = [f"{name}: {reports[name]['why']}" for name in missing if name not in silent]
        if silent and not said:
            said = [_last_line(os.path.join(self._run.logs, "scheduler.log"))
                    if launched.poll() is not None
                    else f"no report from them in {self._conf['start.seconds']} s"]
        return (f"{len(missing)} of {len(states)} nodes didn't come: "
                + "; ".join([*([", ".join(silent)] if silent else []), *said]) + f" (logs: {self._run.logs})")

    def _show(self, reports, executor, number):
        master = self._run.master()
        print(f"master   {master['url']}")
        print(f"workers  {len(reports)}: {', '.join(reports)}")
        print(f"room for {number} executors of {executor.cores} cores and "
              f"{executor.heap // sizing.MB} MB of heap")
        for name, report in reports.items():
            if class_data.is_there(self._home) and report["without_class_data"]:
                print(f"{name} goes without class data: {report['without_class_data']}")
        self._show_page(master["page"])
        print(f"logs     {self._run.logs}")
        print("Use spark-hpc submit, shell, pyspark, notebook or sql, and in the end spark-hpc stop.")

    def _show_page(self, page):
        web_page.show("UI", page, self._run.key_file, self.tunnel(8080, page.split("//", 1)[1]))

    def show_connect(self, place):
        """Prints how clients reach the Connect server at `place`, host:port."""
        terminal = sys.stdout.isatty()
        key = self._run.connect_key() if terminal else f"$(cat {self._run.connect_key_file})"
        print(f'connect  SPARK_REMOTE="sc://{place}/;x-spark-hpc-key={key}"')
        tunnel = self.tunnel(15002, place)
        if tunnel:
            print(f"tunnel   {tunnel}   and then localhost:15002 in its place", flush=True)

    def program_key(self):
        """The key of this user for programs other than Spark's own, such as Jupyter; prints the path of its
        file."""
        print(f"token    {self._run.connect_key_file}", flush=True)
        return self._run.connect_key()

    def tunnel(self, port, address):
        return web_page.tunnel(self._scheduler, self._env, port, address)

    def address(self):
        return interfaces.address(self._conf, self._scheduler.job.scheduler == "here")

    def running(self):
        return self._scheduler.running()

    def run(self, verb, arguments, **more):
        """Replaces this process by one of Spark's programs, on a node of the job."""
        self.go_inside(verb, arguments)
        env, settings = self.driver(command_line.is_verbose(arguments))
        line = [os.path.join(env["SPARK_HOME"], "bin", PROGRAMS[verb])]
        for key, value in settings.items():
            line += ["--conf", f"{key}={value}"]
        os.execve(line[0], [*line, *arguments], {**env, **more})

    def run_connect(self, host, port, arguments):
        """Replaces this process by a Connect server."""
        self._run.write_connect(host=host, port=port)
        self.show_connect(f"{host}:{port}")
        sys.stdout.flush()
        self.run("submit", ["--class", CONNECT_SERVER, "--name", "Spark Connect server", "--conf",
                            f"spark.connect.grpc.binding.port={port}", *arguments])

    def go_inside(self, verb, arguments):
        """If this host isn't a node of the job, replaces this process by the same command on the first node.
        The shell of salloc may be on a login node, which is no place for a driver."""
        self._require()
        if self._scheduler.node_name() is None:
            first = self._run.plan()["nodes"][0][0]
            line = self._scheduler.inside([os.path.join(self._home, "bin", "spark-hpc"), verb,
                                           *arguments], first, os.isatty(0))
            os.execvpe(line[0], line, self._env)

    def _require(self):
        if not self._run.master() or not os.path.isdir(self._run.driver):
            raise Refused("this job has no cluster: spark-hpc start")

    def driver(self, is_verbose=False):
        """(environment, Spark settings) of a driver on this node of the job."""
        self._require()
        node = self._scheduler.node_name()
        if node is None:
            raise Refused("this isn't a node of the job: use spark-hpc submit, which goes to one")
        address = self.address()
        report = self._run.reports().get(node, {})
        copy = report.get("copy")
        env = stage.environment(self._env, self._home, copy)
        java.check(self._conf["java.home"], env)
        env.pop("SPARK_ENV_LOADED", None)
        env.update(SPARK_HOME=stage.home(copy, self._home), SPARK_CONF_DIR=self._run.driver,
                   SPARK_LOCAL_IP=address, SPARK_PUBLIC_DNS=address)
        env.setdefault("PYSPARK_PYTHON", self._conf["python"])
        if self._conf["java.home"]:
            env["JAVA_HOME"] = self._conf["java.home"]
        if report.get("state") == "ready":
            # The mark makes the driver end in order with the cluster: its executors wouldn't come back, and
            # its scratch is removed.
            env[processes.MARK] = processes.mark_of(self._scheduler.job, node)
            # memory=0, because the node's memory for files belongs to the executors.
            env.update(daemons.Scratch(report["scratch"], report["tiers"], memory=0).variables())
            # A copy on this node, because Java searches this directory for each class that it loads.
            own = os.path.join(tempfile.mkdtemp(prefix="driver-", dir=report["own"]), "conf")
            env["SPARK_CONF_DIR"] = shutil.copytree(self._run.driver, own, symlinks=True)
            level = "INFO" if is_verbose else self._conf["log.level"]
            driver_log.write(self._home, own, level)
            spark_conf.put_before(own, driver_log.defaults(level, sys.stderr.isatty()))
        return env, {"spark.driver.host": address, "spark.driver.bindAddress": address}

    def status(self):
        """The exit code: 0 when all nodes are ready, 3 when there is no cluster, 1 otherwise."""
        plan, master = self._run.plan(), self._run.master()
        if not plan or not self._scheduler.running():
            print("this job has no cluster")
            return 3
        reports = self._run.reports()
        print(f"master   {master['url'] if master else 'not yet'}")
        for name, *_ in plan["nodes"]:
            report = reports.get(name, {"state": "no report yet"})
            print(f"{name:8} {report['state']}{': ' + report['why'] if 'why' in report else ''}")
        if master:
            self._show_page(master["page"])
        print(f"logs     {self._run.logs}")
        connect = self._run.connect()
        if connect and interfaces.listens(connect["host"], connect["port"]):
            self.show_connect(f"{connect['host']}:{connect['port']}")
        return 0 if all(reports.get(name, {}).get("state") == "ready"
                        for name, *_ in plan["nodes"]) else 1

    def stop(self):
        """Stops the cluster; it is no error if there is none."""
        if self._end():
            print(f"stopped; logs: {self._run.logs}")
            application = executor_logs.last_application(self._run)
            for line in report.conclusion(self._home, self._env, self._conf, application):
                print(line)
        else:
            print("this job has no cluster")

    def _end(self):
        """Ends the cluster, its processes and its scratch; returns whether there was one."""
        there = self._scheduler.running()
        if there:
            self._scheduler.end()
            if not self._gone(self._conf["stop.seconds"] + _KILL_PATIENCE):
                self._scheduler.end(force=True)
                self._gone(_KILL_PATIENCE)
            for name, report in sorted(self._run.reports().items()):
                if report["state"] == "ready":
                    print(f"spark-hpc: {name} didn't report that it ended: run spark-hpc clean there",
                          file=sys.stderr)
        self._run.forget()
        return there

    def _gone(self, seconds):
        deadline = time.monotonic() + seconds
        for pause in pauses.growing(_PAUSE):
            if not self._scheduler.running():
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(pause)


def clean(conf, env):
    """Removes what dead jobs of this user have left on this node."""
    live = LiveJobs(env)
    for path in scratch.sweep(conf, env, live) + scratch.sweep_shared(conf, env, live):
        print(f"removed {path}")
    run_directory.sweep(conf, env, live, conf["run.keep"])


def clean_all_nodes(home, env, conf, assignments):
    """Cleans each node of the allocation; returns the exit code."""
    scheduler = current(env, conf)
    top = run_directory.parent(conf, env)
    private.ensure_directory(top)
    logs = tempfile.mkdtemp(prefix="clean-", dir=top)
    try:
        command = [os.path.join(home, "bin", "spark-hpc"), "clean", "--here"]
        for assignment in assignments:
            command += ["--set", assignment]
        code = scheduler.launch(command, [node.name for node in scheduler.nodes()], logs).wait()
        for name in sorted(name for name in os.listdir(logs) if name.endswith(".log")):
            with open(os.path.join(logs, name), encoding="utf-8", errors="replace") as f:
                sys.stdout.write(f.read())
        return code
    finally:
        shutil.rmtree(logs)


def _last_line(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            lines = f.read().strip().splitlines()
    except OSError:
        lines = []
    return lines[-1] if lines else "the scheduler started nothing and said nothing"
