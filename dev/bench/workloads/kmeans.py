"""MLlib's k-means: passes over cached points, of which little is shuffled (HiBench)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="MLlib's k-means of points around planted centres",
    main="org.apache.spark.examples.hpc.KMeans",
    options={"points": "200000", "dimensions": "20", "clusters": "10", "iterations": "20",
             "partitions": "16", "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
