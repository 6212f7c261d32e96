#!/usr/bin/env bash
# Starts the workers of all hosts in conf/workers: start-workers.sh [Worker's options]
#
# They connect to the master that start-master.sh starts on this host. Environment: that of
# start-master.sh, start-worker.sh and workers.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"

port=${SPARK_MASTER_PORT:-7077}
if ((port == 0)); then
  echo "start-workers.sh: with SPARK_MASTER_PORT=0, workers can't know which port the master chooses: set one" >&2
  exit 1
fi
master=spark://${SPARK_MASTER_HOST:-$(hostname -f 2>/dev/null || hostname)}:$port
exec "$here/workers.sh" "$SPARK_HOME/sbin/start-worker.sh" "$master" "$@"
