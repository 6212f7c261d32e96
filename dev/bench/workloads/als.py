"""MLlib's alternating least squares: each half step shuffles factors to blocks (HiBench)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="MLlib's ALS of ratings of a planted rank",
    main="org.apache.spark.examples.hpc.ALS",
    options={"users": "3000", "items": "1000", "ratings-per-user": "50", "rank": "5",
             "iterations": "8", "blocks": "16", "storage-level": "MEMORY_AND_DISK"},
    partitions=("blocks",),
)
