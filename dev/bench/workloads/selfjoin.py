"""Joins lists that differ only in the last field: reducers write more than they read (PUMA)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="joins lists of fields; prefixes, lasts and copies set how many",
    main="org.apache.spark.examples.hpc.SelfJoin",
    options={"prefixes": "20000", "lasts": "16", "copies": "4", "fields": "5", "maps": "16",
             "reduces": "16"},
    partitions=("maps", "reduces"),
)
