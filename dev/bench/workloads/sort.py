"""Sorts pairs by key: a sample for the ranges, then one shuffle (HiBench)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="sortByKey of generated pairs",
    main="org.apache.spark.examples.hpc.Sort",
    options={"maps": "16", "reduces": "16", "pairs-per-map": "50000", "key-bytes": "10",
             "value-bytes": "90"},
    partitions=("maps", "reduces"),
)
