"""The Big Data Benchmark's three queries on generated tables (HPDC'16, Fig. 6, 7, 13)."""

from hpcbench.workload import Step, Workload


def tables(options):
    return Step("org.apache.spark.examples.hpc.BigDataGen",
                ("--pages", options["pages"], "--visits", options["visits"],
                 "--files", options["files"]))


WORKLOAD = Workload(
    about="scan, aggregation and join; --rank, --prefix and --until choose how much is found",
    main="org.apache.spark.examples.hpc.BigDataBenchmark",
    options={"pages": "200000", "visits": "1000000", "files": "16", "query": "all", "rank": "100",
             "prefix": "8", "until": "1980-04-01", "shuffle-partitions": "16"},
    only_prepare=("pages", "visits", "files"),
    settings_from={"shuffle-partitions": "spark.sql.shuffle.partitions"},
    partitions=("shuffle-partitions",),
    prepare=tables,
    warm_up="--warm-up",
)
