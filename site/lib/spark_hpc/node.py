"""Spark on one node of a cluster: a worker, and on the first node also the master. This process runs from
when the scheduler starts it until all of Spark on the node has ended and its scratch is removed."""

import glob
import os
import shutil
import socket
import time

from spark_hpc import (class_data, daemons, interfaces, java, processes, scratch, sizing, stage,
                       this_node)
from spark_hpc.refused import Refused
from spark_hpc.run_directory import RunDirectory
from spark_hpc.schedulers import Job, Node, here
from spark_hpc.schedulers.choice import LiveJobs, current
from spark_hpc.site_conf import SiteConf
from spark_hpc.stopping import Stopped, Stopping

_PAUSE = 0.5


def serve(home, env, path):
    """The exit code: 0 when it was told to stop."""
    stopping = Stopping()
    run = RunDirectory(path)
    plan = run.plan()
    conf = SiteConf.of(plan["settings"])
    scheduler = current(env, conf)
    name = scheduler.node_name() or socket.gethostname()
    try:
        ClusterNode(home, env, run, plan, conf, name, stopping).serve()
    except Stopped:
        run.report(name, state="ended")
        return 0
    except (Refused, OSError) as why:
        run.report(name, state="failed", why=str(why))
        print(f"{name}: {why}", flush=True)
        if name == plan["nodes"][0][0]:
            # Without a master, the other nodes would try for minutes to reach it.
            scheduler.end()
        return 1
    return 0


class ClusterNode:
    def __init__(self, home, env, run, plan, conf, name, stopping):
        self._home = home
        self._env = env
        self._run = run
        self._conf = conf
        self._job = Job(*plan["job"])
        nodes = [Node(*node) for node in plan["nodes"]]
        self._node = next((node for node in nodes if node.name == name), None)
        if self._node is None:
            raise Refused(f"{name} isn't among the nodes that start asked for: "
                          f"{', '.join(node.name for node in nodes)}")
        self._first = self._node is nodes[0]
        # Longer pauses, so that many nodes don't request one file of a shared file system all at once.
        self._pause = max(_PAUSE, len(nodes) / 100)
        self._stopping = stopping
        self._deadline = time.monotonic() + conf["start.seconds"]
        self._mark = processes.mark_of(self._job, name)
        self._staged = plan["stage"]
        self._copy = None
        self._own = None
        self._shuffle = None
        self._daemons = []

    def serve(self):
        """Never returns, but raises Stopped, or the reason why it can't go on. By then, no process and no
        scratch is left."""
        scratch.sweep(self._conf, self._env, LiveJobs(self._env), (self._job, self._node.name))
        directory, tiers = scratch.make(self._conf, self._env, self._job, self._node.name)
        try:
            self._start(directory, tiers)
            self._watch()
        finally:
            processes.end(self._mark, self._conf["stop.seconds"])
            for daemon in self._daemons:
                daemon.reap()
            if self._first:
                self._run.forget_secret()
            _keep_logs(directory, self._run.logs, self._node.name)
            for made in filter(None, (directory, *tiers, self._own, self._copy, self._shuffle)):
                scratch.remove(made)

    def _start(self, directory, tiers):
        java.check(self._conf["java.home"], self._env)
        os.mkdir(os.path.join(directory, "tmp"), 0o700)
        if self._first:
            self._shuffle = scratch.make_shared(self._conf, self._env, self._job)
        taken = 0
        if self._staged:
            self._copy, taken = stage.unpack(self._conf, self._env, self._job, self._node.name,
                                             self._run.stage)
        address = interfaces.address(self._conf, self._job.scheduler == "here")
        cores = this_node.cores(self._node)
        memory = this_node.memory(self._node, cores) - taken
        offer = sizing.offer(self._node.name, cores, memory, self._first, self._conf)
        daemons.raise_file_limit(self._conf)
        home = stage.home(self._copy, self._home)
        self._own = stage.own_directory(directory, self._conf, self._env, self._job, self._node.name)
        # A copy on this node, because Java searches this directory for each class before it searches the jars.
        settings = shutil.copytree(self._run.daemons, os.path.join(self._own, "conf"))
        os.symlink(home, os.path.join(directory, class_data.LINK))
        os.makedirs(os.path.join(directory, class_data.DIRECTORY))
        without = class_data.why_not(home, self._conf["java.home"], self._env)
        env = daemons.environment(stage.environment(self._env, self._home, self._copy), home, settings,
                                  daemons.Scratch(directory, tiers, offer.memory), address, self._mark,
                                  self._conf["java.home"], not without)
        if self._first:
            master = daemons.start_master(home, self._run, env, directory, address, self._conf)
            self._daemons.append(master)
            url, page = daemons.master_addresses(master, self._deadline, self._stopping)
            self._run.write_master(url=url, page=page)
        worker = daemons.start_worker(home, self._run, env, directory, self._node.name, address,
                                      offer, self._conf, self._master_url())
        self._daemons.append(worker)
        daemons.await_registered(worker, self._deadline, self._stopping)
        self._run.report(self._node.name, state="ready", address=address, scratch=directory, own=self._own,
                         tiers=tiers, copy=self._copy, shuffle=self._shuffle, offer=offer,
                         without_class_data=without)

    def _master_url(self):
        while self._run.master() is None:
            self._stopping.check()
            if time.monotonic() > self._deadline:
                raise Refused("no master in time: see what the first node says, or set start.seconds "
                              "higher")
            time.sleep(self._pause)
        return self._run.master()["url"]

    def _watch(self):
        while True:
            self._stopping.check()
            for daemon in self._daemons:
                if daemon.ended():
                    raise daemon.refusal()
            if self._job.scheduler == "here" and not here.session_runs(self._job):
                raise Stopped()
            self._stopping.wait(_PAUSE)


def _keep_logs(directory, logs, node):
    """Copies the executors' logs into the job's directory, because scratch is removed."""
    for path in glob.glob(os.path.join(glob.escape(directory), "work", "*", "*", "std*")):
        *_, application, executor, name = path.split(os.sep)
        try:
            shutil.copyfile(path, os.path.join(logs, f"{application}-{node}-{executor}.{name}"))
        except OSError:
            continue
