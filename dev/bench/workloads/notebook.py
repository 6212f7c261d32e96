"""A session with a notebook: small jobs that come back to cached data sets, to some more often."""

from hpcbench.workload import Workload

WORKLOAD = Workload(
    about="a session with cached data sets and many small jobs",
    main="org.apache.spark.examples.hpc.Notebook",
    options={"datasets": "6", "rows": "100000", "cells": "60", "partitions": "16",
             "storage-level": "MEMORY_ONLY"},
    partitions=("partitions",),
)
