#!/usr/bin/env bash
# Stops the workers that start-worker.sh started on this host (SPARK_WORKER_INSTANCES of them).
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"

status=0
for ((instance = 1; instance <= ${SPARK_WORKER_INSTANCES:-1}; instance++)); do
  "$here/spark-daemon.sh" stop org.apache.spark.deploy.worker.Worker "$instance" || status=$?
done
exit "$status"
