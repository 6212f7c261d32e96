"""Queries like TPC-H's on a table that is partitioned by month, and a write of a year of it."""

from hpcbench import answer
from hpcbench.workload import Step, Workload

PROGRAM = "dev/bench/programs/orders.py"


def tables(options):
    return Step(PROGRAM, ("--rows", options["rows"], "--files", options["files"]), output="--make")


WORKLOAD = Workload(
    about="scans, joins and a write; --files are those of each of 83 months",
    main=PROGRAM,
    options={"rows": "400000", "files": "12", "shuffle-partitions": "4"},
    only_prepare=("rows", "files"),
    settings_from={"shuffle-partitions": "spark.sql.shuffle.partitions"},
    partitions=("shuffle-partitions",),
    prepare=tables,
    warm_up="--warm-up",
    output="--output",
    answer=answer.digested,
)
