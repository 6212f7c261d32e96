"""Tasks that only sleep: the rest of a run's time is the engine's own (HiBench)."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="tasks that sleep; no shuffle",
    main="org.apache.spark.examples.hpc.Sleep",
    options={"tasks": "200", "millis": "50", "uneven": "false", "passes": "1",
             "block-bytes": "0"},
    partitions=("tasks",),
)
