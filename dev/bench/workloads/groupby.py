"""groupByKey of generated pairs: the widest shuffle there is (HPDC'16, Fig. 8-12)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="groupByKey of generated pairs; --pairs-per-map and the sizes set the bytes",
    main="org.apache.spark.examples.hpc.GroupByTest",
    options={"api": "rdd", "maps": "64", "reduces": "64", "pairs-per-map": "10000",
             "key-bytes": "10", "value-bytes": "90"},
    partitions=("maps", "reduces"),
)
