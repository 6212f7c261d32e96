#!/usr/bin/env bash
# Starts a master of a standalone cluster on this host: start-master.sh [Master's options]
#
# Environment: SPARK_MASTER_HOST, SPARK_MASTER_PORT, SPARK_MASTER_WEBUI_PORT, SPARK_MASTER_OPTS,
# and that of spark-daemon.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
class=org.apache.spark.deploy.master.Master

if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  exec "$SPARK_HOME/bin/spark-class" "$class" --help
fi

exec "$here/spark-daemon.sh" start "$class" 1 \
  --host "${SPARK_MASTER_HOST:-$(hostname -f 2>/dev/null || hostname)}" \
  --port "${SPARK_MASTER_PORT:-7077}" --webui-port "${SPARK_MASTER_WEBUI_PORT:-8080}" "$@"
