"""Spark-HPC as at a site: installed by hpc-install with class data, with scratch tiers that it finds itself.

dev/bench/results-tiers installs it. As in a job, executors find the class data relative to where they run."""

import sys

from hpcbench import ROOT
from hpcbench.variant import Variant

sys.path.insert(0, str(ROOT / "site" / "lib"))

from spark_hpc import class_data  # noqa: E402

_HOME = "target/bench/module/current"
_HEAP = 0  # stands for all heaps below 32 GB

VARIANT = Variant(
    about="Spark-HPC of a site, with class data and with scratch in the node's memory first",
    home=_HOME,
    settings={"spark.hpc.scratch.tiers": "auto",
              "spark.executor.extraClassPath": class_data.CLASS_PATH,
              "spark.executor.defaultJavaOptions": class_data.options(_HEAP)},
    start=("ln", "-s", str(ROOT / _HOME), f"{{run}}/{class_data.LINK}"),
)
