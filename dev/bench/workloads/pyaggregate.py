"""A PySpark aggregation whose Python workers have too little memory for their keys."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="reduceByKey in PySpark; --python-memory of a worker decides how often it spills",
    main="dev/bench/programs/pyaggregate.py",
    options={"maps": "4", "reduces": "4", "keys": "200000", "copies": "3", "python-memory": "1m"},
    settings_from={"python-memory": "spark.python.worker.memory"},
    partitions=("maps", "reduces"),
)
