"""The contents of a cluster's spark-defaults.conf: one file for its daemons, one for its drivers."""

import collections
import os

from spark_hpc import class_data, event_log, private
from spark_hpc.sizing import MB

FILE = "spark-defaults.conf"
# A user's files that drivers don't get: site.conf and start set these for all, and a user's own file may
# name another cluster.
_NOT_LINKED = (FILE, "spark-env.sh", "site.conf", "workers")


# Of one cluster: `rpc` authenticates its processes to each other, `pages` its user to web pages.
Secrets = collections.namedtuple("Secrets", "rpc pages")

_FILTER = "org.sparkhpc.pages.KeyFilter"
_INTERCEPTOR = "org.sparkhpc.pages.ConnectKey"


def shared(conf, secrets):
    """The settings that all processes of a cluster must agree on."""
    lines = ["spark.authenticate true", f"spark.authenticate.secret {secrets.rpc}", *pages(secrets.pages),
             # With it, the tunnel to the master's page also reaches the pages of programs.
             "spark.ui.reverseProxy true"]
    if conf["encryption"] == "on":
        # Version 1 of the key agreement exists for compatibility with other releases; a cluster has only one
        # release. The cipher stays AES/CTR: AES/GCM had a bug until 3.5.8 (SPARK-56227), and that of
        # 3.5.9 has not been measured.
        lines += ["spark.network.crypto.enabled true", "spark.network.crypto.authEngineVersion 2",
                  "spark.io.encryption.enabled true"]
    ports = conf["network.ports"]
    if ports:
        first, last = ports
        lines += [f"spark.{name}.port {first}" for name in ("driver", "blockManager", "ui")]
        # Each process takes the first free port.
        lines.append(f"spark.port.maxRetries {last - first}")
    else:
        lines.append("spark.ui.port 0")
    return lines


def pages(key):
    """The settings with which web pages admit only holders of this key."""
    return [f"spark.ui.filters {_FILTER}", f"spark.{_FILTER}.param.token {key}"]


def write_daemons(run, conf, secrets):
    write(run.daemons, shared(conf, secrets))


def write_driver(run, conf, secrets, master, executor, users_directory, with_class_data,
                 shuffle_directory, events):
    """Writes the drivers' spark-defaults.conf, and links the other files of the user's configuration
    directory. The lines of the user's spark-defaults.conf come after our defaults and before the settings
    that all processes must agree on, because the last value wins."""
    umask = os.umask(0o077)
    os.umask(umask)
    defaults = [f"spark.driver.memory {conf['driver.memory'] // MB}m",
                f"spark.executor.cores {executor.cores}",
                f"spark.executor.memory {executor.heap // MB}m",
                # Spark writes the user's files through Hadoop, which has an umask of its own.
                f"spark.hadoop.fs.permissions.umask-mode {umask:03o}", *event_log.of_driver(events)]
    if shuffle_directory:
        _, stripes = conf["shuffle.directory"]
        defaults.append(f"spark.hpc.shuffle.directory {shuffle_directory}{stripes}")
    if with_class_data:
        defaults += [f"spark.executor.extraClassPath {class_data.CLASS_PATH}",
                     f"spark.executor.defaultJavaOptions {class_data.options(executor.heap)}"]
    users = _read(os.path.join(users_directory, FILE))
    write(run.driver, [*defaults, users, *shared(conf, secrets), f"spark.master {master}",
                        f"spark.connect.grpc.interceptor.classes {_INTERCEPTOR}",
                        f"spark.{_INTERCEPTOR}.file {run.connect_key_file}"])
    for name in os.listdir(users_directory) if os.path.isdir(users_directory) else ():
        if name not in _NOT_LINKED and not name.endswith(".template"):
            os.symlink(os.path.join(os.path.abspath(users_directory), name),
                       os.path.join(run.driver, name))


def _read(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read().rstrip("\n")
    except FileNotFoundError:
        return ""


def put_before(directory, lines):
    """Puts defaults of one driver before the other lines of its own directory."""
    write(directory, [*lines, _read(os.path.join(directory, FILE))])


def write(directory, lines):
    private.write(os.path.join(directory, FILE), "\n".join(lines) + "\n")
