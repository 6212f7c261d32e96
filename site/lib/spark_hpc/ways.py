"""The two ways that spark-hpc prove compares: how its program is started with the defaults, and how without Spark-HPC."""

import collections
import glob
import os
import re

from spark_hpc.refused import Refused

# As in README.md, "How to switch a feature off". With them, Spark's own code does the work.
OFF = {
    "spark.shuffle.manager": "sort",
    "spark.hpc.scratch.kind": "local",
    "spark.hpc.scratch.kept": "0",
    "spark.hpc.pool.enabled": "false",
    "spark.hpc.files.enabled": "false",
    "spark.hpc.retention.spill": "never",
    "spark.hpc.retention.policy": "lru",
    "spark.hpc.retention.copyAhead": "0",
    "spark.hpc.profile.interval": "0",
}
NUMBER = 2  # of ways that are compared
# Groups random records by key, and compares the sums with those before the shuffle. Each map task has a block for each
# reducer.
PROGRAM = "hpc.GroupByTest"
_PACKAGE = "org.apache.spark.examples."

# `starter` is the command that takes Spark's settings, `program` what follows them.
Way = collections.namedtuple("Way", "name env starter settings program")


def ways(home, env, stock, cluster):
    """Both. `stock` is the directory of a stock Spark, or None to switch Spark-HPC's features off instead."""
    own = Way("on", env, [os.path.join(home, "bin", "spark-hpc"), "run-example"], {}, [PROGRAM])
    return [own, _stock(home, stock, *cluster.driver()) if stock else own._replace(name="off", settings=OFF)]


def check_stock(home, stock):
    """Refuses what isn't a stock Spark of the same release: only that understands the cluster's master and workers."""
    with open(os.path.join(home, "RELEASE"), encoding="utf-8") as f:
        wanted = re.search(r"\bSpark (\d[\d.]*)", f.read()).group(1)
    jars = glob.glob(os.path.join(glob.escape(stock), "jars", "spark-core_2.12-*.jar"))
    found = [os.path.basename(jar)[len("spark-core_2.12-"):-len(".jar")] for jar in jars]
    if found != [wanted]:
        raise Refused(f"--stock {stock}: {' and '.join(['Spark ' + one for one in found]) or 'no Spark'} is there: "
                      f"name a directory with stock Spark {wanted} that all nodes see")


def _stock(home, stock, env, settings):
    """The cluster's workers start executors with their own class path, so stock Spark's jars are put before it."""
    jar, = glob.glob(os.path.join(glob.escape(home), "examples", "jars", "spark-examples_*.jar"))
    return Way("stock", {**env, "SPARK_HOME": stock}, [os.path.join(stock, "bin", "spark-submit")], {
        **settings,
        "spark.executor.extraClassPath": os.path.join(stock, "jars", "*"),
        # Class data are of our jars.
        "spark.executor.defaultJavaOptions": "",
    }, ["--class", _PACKAGE + PROGRAM, jar])
