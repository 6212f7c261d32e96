"""A job's directory, which all its nodes see and only its user can read:

    plan.json            what start requests of the nodes
    conf/daemons/        spark-defaults.conf of master and workers, with the secret
    conf/driver/         spark-defaults.conf of drivers: SPARK_CONF_DIR of each program that is submitted
    key                  the key that Spark's web pages require
    connect-key          the key that Connect servers and Jupyter require
    connect.json         the address of the Connect server, once spark-hpc connect has started one
    master.json          the address of the master, once it has started
    nodes/NAME.json      what each node reports
    stage/               archives that each node unpacks (start --stage)
    logs/                stays; the rest is removed with the cluster

Its name is the job's. Files are written atomically: concurrent readers see each file as a whole.
"""

import json
import os
import shutil

from spark_hpc import absent, private, site_conf
from spark_hpc.schedulers import Job, in_file_names


def parent(conf, env):
    place = site_conf.expand(conf["run.directory"], env)
    if place is None:
        raise conf.refusal("run.directory", "that variable isn't set: name a directory that all nodes "
                           "see")
    absent.check(conf, "run.directory", place)
    return place


def of_job(conf, env, job):
    return RunDirectory(os.path.join(parent(conf, env), "-".join(map(in_file_names, job))))


class RunDirectory:
    def __init__(self, path):
        self.path = path
        self.logs = os.path.join(path, "logs")
        self.daemons = os.path.join(path, "conf", "daemons")
        self.driver = os.path.join(path, "conf", "driver")
        self.stage = os.path.join(path, "stage")
        self.key_file = os.path.join(path, "key")
        self.connect_key_file = os.path.join(path, "connect-key")
        self._nodes = os.path.join(path, "nodes")

    def create(self):
        """Makes the directory. Of an earlier cluster of the same job, only the logs stay."""
        private.ensure_directory(os.path.dirname(self.path))
        private.ensure_directory(self.path)
        self.forget()
        private.ensure_directory(self.logs)
        for path in (os.path.join(self.path, "conf"), self.daemons, self.driver, self.stage,
                     self._nodes):
            private.make_directory(path)

    def forget_secret(self):
        shutil.rmtree(os.path.join(self.path, "conf"), ignore_errors=True)

    def forget_archives(self):
        shutil.rmtree(self.stage, ignore_errors=True)

    def forget(self):
        self.forget_secret()
        self.forget_archives()
        shutil.rmtree(self._nodes, ignore_errors=True)
        for name in ("plan.json", "master.json", "key", "connect-key", "connect.json"):
            try:
                os.unlink(os.path.join(self.path, name))
            except FileNotFoundError:
                pass

    def _put(self, *name, **members):
        private.write(os.path.join(self.path, *name), json.dumps(members))

    def _get(self, *name):
        try:
            with open(os.path.join(self.path, *name), encoding="utf-8") as f:
                return json.load(f)
        except FileNotFoundError:
            return None

    def write_keys(self, pages, connect):
        private.write(self.key_file, pages + "\n")
        private.write(self.connect_key_file, connect + "\n")

    def connect_key(self):
        return _line(self.connect_key_file)

    def write_connect(self, **members):
        self._put("connect.json", **members)

    def connect(self):
        return self._get("connect.json")

    def write_plan(self, **members):
        self._put("plan.json", **members)

    def plan(self):
        return self._get("plan.json")

    def write_master(self, **members):
        self._put("master.json", **members)

    def master(self):
        return self._get("master.json")

    def report(self, node, **members):
        self._put("nodes", f"{node}.json", **members)

    def reports(self, known=()):
        """{node: its report} of the nodes that have reported, except for the known ones."""
        try:
            names = [name[:-len(".json")] for name in os.listdir(self._nodes)
                     if name.endswith(".json")]
        except FileNotFoundError:
            return {}
        return {name: self._get("nodes", f"{name}.json") for name in names if name not in known}


def _line(path):
    with open(path, encoding="ascii") as f:
        return f.read().strip()


def sweep(conf, env, live, keep):
    """Removes the directories of dead jobs, except for the logs of the last `keep` of them."""
    top = parent(conf, env)
    try:
        names = os.listdir(top)
    except FileNotFoundError:
        return
    dead = [os.path.join(top, name) for name in names
            if name.count("-") == 2 and live.ended(Job(*name.split("-")))]
    dead.sort(key=os.path.getmtime, reverse=True)
    for path in dead[:keep]:
        RunDirectory(path).forget()
    for path in dead[keep:]:
        shutil.rmtree(path, ignore_errors=True)
