"""spark-hpc history: runs Spark's History Server on a node of the job, for the programs of event.log. Its
pages are for its user alone. It runs until it is stopped."""

import os
import secrets
import sys

from spark_hpc import (driver_log, event_log, interfaces, java, private, run_directory, spark_conf, stage,
                       web_page)
from spark_hpc.refused import Refused
from spark_hpc.schedulers.choice import current

_SERVER = "org.apache.spark.deploy.history.HistoryServer"


def run(home, env, conf, arguments):
    """Replaces this process."""
    events = event_log.directory(conf, env)
    if not events:
        raise Refused("event.log isn't set, so programs leave no event logs: set it in site.conf or "
                      "~/.config/spark-hpc.conf to a directory that all nodes see")
    if not os.path.isdir(events):
        raise conf.refusal("event.log", f"there is no directory {events}: spark-hpc start makes it, and programs "
                           "that run then leave their logs there")
    java.check(conf["java.home"], env)
    scheduler = current(env, conf)
    nodes = scheduler.nodes()
    spark_hpc = os.path.join(home, "bin", "spark-hpc")
    if scheduler.node_name() is None:
        line = scheduler.inside([spark_hpc, "history", *arguments], nodes[0].name, os.isatty(0))
        os.execvpe(line[0], line, env)
    address = interfaces.address(conf, scheduler.job.scheduler == "here")
    port = interfaces.free_port(address, conf)
    directory = _settings(home, conf, env, events, port)
    web_page.show("history", f"http://{address}:{port}", os.path.join(directory, "key"),
                  web_page.tunnel(scheduler, env, 8080, f"{address}:{port}"))
    sys.stdout.flush()
    changed = {**stage.environment(env, home, None), "SPARK_HOME": home, "SPARK_CONF_DIR": directory,
               "SPARK_LOCAL_IP": address, "SPARK_PUBLIC_DNS": address}
    if conf["java.home"]:
        changed["JAVA_HOME"] = conf["java.home"]
    program = os.path.join(home, "bin", "spark-class")
    os.execve(program, [program, _SERVER, *arguments], changed)


def _settings(home, conf, env, events, port):
    """Writes the server's configuration directory and returns it. Its key is kept, so a browser that has the
    key needs no new one."""
    directory = os.path.join(run_directory.parent(conf, env), "history")
    for path in (os.path.dirname(directory), directory):
        private.ensure_directory(path)
    key_file = os.path.join(directory, "key")
    if not os.path.exists(key_file):
        private.write(key_file, secrets.token_urlsafe(24) + "\n")
    with open(key_file, encoding="ascii") as f:
        key = f.read().strip()
    spark_conf.write(directory, [*spark_conf.pages(key), f"spark.history.fs.logDirectory file:{events}",
                                 f"spark.history.ui.port {port}"])
    driver_log.write(home, directory, conf["log.level"])
    return directory
