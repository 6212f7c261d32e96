"""GraphX's label propagation: all vertices take part in each round, with messages that are maps."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="GraphX's label propagation on planted communities",
    main="org.apache.spark.examples.hpc.LabelPropagation",
    options={"communities": "2000", "members": "20", "iterations": "5", "partitions": "16",
             "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
