#!/usr/bin/env bash
# Starts workers of a standalone cluster on this host: start-worker.sh MASTER [Worker's options]
#
# Environment: SPARK_WORKER_INSTANCES (how many; 1), SPARK_WORKER_PORT and
# SPARK_WORKER_WEBUI_PORT (of the first; the next ones count up, 0 lets each choose),
# SPARK_WORKER_CORES, SPARK_WORKER_MEMORY, SPARK_WORKER_DIR, SPARK_WORKER_OPTS, and that of
# spark-daemon.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
class=org.apache.spark.deploy.worker.Worker

if (($# == 0)); then
  echo "Usage: start-worker.sh spark://HOST:PORT [options]" >&2
  exit 1
fi
if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  exec "$SPARK_HOME/bin/spark-class" "$class" --help
fi
master=$1
shift

# The port of the given instance.
port() {
  if (($1 == 0)); then echo 0; else echo $(($1 + $2 - 1)); fi
}

for ((instance = 1; instance <= ${SPARK_WORKER_INSTANCES:-1}; instance++)); do
  options=(--webui-port "$(port "${SPARK_WORKER_WEBUI_PORT:-8081}" "$instance")")
  if [[ -n ${SPARK_WORKER_PORT:-} ]]; then
    options+=(--port "$(port "$SPARK_WORKER_PORT" "$instance")")
  fi
  "$here/spark-daemon.sh" start "$class" "$instance" "${options[@]}" "$master" "$@"
done
