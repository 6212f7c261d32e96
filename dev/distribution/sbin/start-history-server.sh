#!/usr/bin/env bash
# Starts the History Server on this host: start-history-server.sh [HistoryServer's options]
#
# Environment: SPARK_HISTORY_OPTS, such as -Dspark.history.fs.logDirectory=DIR, and that of
# spark-daemon.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
class=org.apache.spark.deploy.history.HistoryServer

if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  exec "$SPARK_HOME/bin/spark-class" "$class" --help
fi
exec "$here/spark-daemon.sh" start "$class" 1 "$@"
