"""A PySpark aggregation whose Python workers have too little memory for their keys."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="reduceByKey in PySpark; --python-memory of a worker decides how often it spills",
    main="dev/bench/programs/pyaggregate.py",
    options={"maps": "2", "reduces": "2", "keys": "30000", "copies": "2", "value-bytes": "12000",
             "python-memory": "1m"},
    settings_from={"python-memory": "spark.python.worker.memory"},
    partitions=("maps", "reduces"),
)
