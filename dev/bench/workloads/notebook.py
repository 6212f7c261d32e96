"""A notebook session: small jobs that reuse cached data sets, some more often than others."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="a session with cached data sets and many small jobs",
    main="org.apache.spark.examples.hpc.Notebook",
    options={"datasets": "6", "rows": "100000", "cells": "60", "partitions": "16",
             "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
