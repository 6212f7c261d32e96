#!/usr/bin/env bash
# Stops the workers of all hosts in conf/workers.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
exec "$here/workers.sh" "$SPARK_HOME/sbin/stop-worker.sh"
