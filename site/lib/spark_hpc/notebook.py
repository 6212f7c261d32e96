"""spark-hpc notebook: runs the site's Jupyter on a node of the job; each notebook has a session on the
cluster. A token keeps other users out. On a terminal it is Jupyter's own, which Jupyter prints. Otherwise it
is the key of the cluster's Connect servers, because others may be able to read a job's output."""

import os
import shutil
import sys

from spark_hpc import interfaces
from spark_hpc.job_cluster import Cluster
from spark_hpc.refused import Refused

_PROGRAMS = ("jupyter-lab", "jupyter-notebook")


def run(home, env, conf, arguments):
    """Replaces this process."""
    cluster = Cluster(home, env, conf)
    cluster.go_inside("notebook", arguments)
    jupyter = _find(env, conf)
    address = cluster.address()
    port = interfaces.free_port(address, conf)
    tunnel = cluster.tunnel(port, f"{address}:{port}")
    if tunnel:
        print(f"tunnel   {tunnel}   and then the address with 127.0.0.1 that Jupyter prints",
              flush=True)
    token = {} if sys.stdout.isatty() else {"JUPYTER_TOKEN": cluster.program_key()}
    cluster.run("pyspark", arguments, PYSPARK_DRIVER_PYTHON=jupyter, **token,
                PYSPARK_DRIVER_PYTHON_OPTS=f"--no-browser --ip={address} --port={port}")


def _find(env, conf):
    """Jupyter's program, on PATH or beside the Python that PySpark uses."""
    python = shutil.which(env.get("PYSPARK_PYTHON") or conf["python"], path=env.get("PATH")) or ""
    for place in (env.get("PATH", ""), os.path.dirname(python)):
        for program in _PROGRAMS:
            found = shutil.which(program, path=place)
            if found:
                return found
    raise Refused("no jupyter-lab or jupyter-notebook on PATH: load your site's module of it, or put "
                  "one into a venv (python3 -m venv ENV; ENV/bin/pip install jupyterlab) and ENV/bin "
                  "on PATH")
