"""Event logs: if event.log is set, each program leaves its event log in that directory."""

import os

from spark_hpc import absent, private, site_conf


def directory(conf, env):
    """The directory, or None if event.log isn't set."""
    place = conf["event.log"]
    path = place and site_conf.expand(place, env)
    if place and not path:
        raise conf.refusal("event.log", "that variable isn't set: name a directory that all nodes see")
    return path


def make(conf, env):
    """The directory, which is made if it doesn't exist and must be writable; a new one is its user's alone.
    None if event.log isn't set."""
    path = directory(conf, env)
    if path and not os.path.isdir(path):
        absent.check(conf, "event.log", path)
        private.ensure_directory(path)
    if path and not os.access(path, os.W_OK | os.X_OK):
        raise conf.refusal("event.log", f"{path} can't be written: name another directory")
    return path


def of_driver(path):
    """[lines of a driver's spark-defaults.conf]"""
    return ["spark.eventLog.enabled true", f"spark.eventLog.dir file:{path}"] if path else []
