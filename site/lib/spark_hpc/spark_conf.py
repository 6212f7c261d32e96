"""What a cluster's spark-defaults.conf says: one for its daemons, one for its drivers."""

import collections
import os

from spark_hpc import class_data, event_log, private
from spark_hpc.sizing import MB

FILE = "spark-defaults.conf"
# Says for a driver what site.conf and start say for all; and a user's own one names another cluster.
_NOT_LINKED = (FILE, "spark-env.sh", "site.conf", "workers")


# Of one cluster: what its processes prove themselves by, and what its user shows to web pages.
Secrets = collections.namedtuple("Secrets", "rpc pages")

_FILTER = "org.sparkhpc.pages.KeyFilter"
_INTERCEPTOR = "org.sparkhpc.pages.ConnectKey"


def shared(conf, secrets):
    """What all processes of a cluster have to agree on."""
    lines = ["spark.authenticate true", f"spark.authenticate.secret {secrets.rpc}", *pages(secrets.pages),
             # The tunnel to the master's page reaches those of programs, too.
             "spark.ui.reverseProxy true"]
    if conf["encryption"] == "on":
        # Spark's first way of agreeing on keys is kept for its other releases; ours are all of one. And the
        # cipher stays AES/CTR: AES/GCM of 3.5.7 has a fault that a later release mended (SPARK-56227).
        lines += ["spark.network.crypto.enabled true", "spark.network.crypto.authEngineVersion 2",
                  "spark.io.encryption.enabled true"]
    ports = conf["network.ports"]
    if ports:
        first, last = ports
        lines += [f"spark.{name}.port {first}" for name in ("driver", "blockManager", "ui")]
        # Each process takes the first that is free.
        lines.append(f"spark.port.maxRetries {last - first}")
    else:
        lines.append("spark.ui.port 0")
    return lines


def pages(key):
    """What has web pages let in who has that key."""
    return [f"spark.ui.filters {_FILTER}", f"spark.{_FILTER}.param.token {key}"]


def write_daemons(run, conf, secrets):
    write(run.daemons, shared(conf, secrets))


def write_driver(run, conf, secrets, master, executor, users_directory, with_class_data,
                 shuffle_directory, events):
    """With what else is in the user's configuration directory. What its spark-defaults.conf says
    comes after our defaults and before what all processes have to agree on: the last one holds."""
    umask = os.umask(0o077)
    os.umask(umask)
    defaults = [f"spark.driver.memory {conf['driver.memory'] // MB}m",
                f"spark.executor.cores {executor.cores}",
                f"spark.executor.memory {executor.heap // MB}m",
                # Hadoop, by which Spark writes the user's files, has an umask of its own.
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
    """Defaults of one driver, in a directory of its own."""
    write(directory, [*lines, _read(os.path.join(directory, FILE))])


def write(directory, lines):
    private.write(os.path.join(directory, FILE), "\n".join(lines) + "\n")
