#!/usr/bin/env bash
# Starts Spark's Spark Connect server: start-connect-server.sh [OPTIONS]
#
# OPTIONS: [spark-submit's options]
# Its port is 15002, or that of --conf spark.connect.grpc.binding.port=PORT. It asks nobody who they
# are: whoever reaches the port acts as the user who started it.
# Environment: that of spark-daemon.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
class=org.apache.spark.sql.connect.service.SparkConnectServer

if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  export _SPARK_CMD_USAGE="Usage: start-connect-server.sh [spark-submit's options]"
  exec "$SPARK_HOME/bin/spark-submit" --help
fi
exec "$here/spark-daemon.sh" submit "$class" 1 --name "Spark Connect server" "$@"
