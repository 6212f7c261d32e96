#!/usr/bin/env bash
# Starts Spark's Thrift server, for clients of Hive such as beeline: start-thriftserver.sh [OPTIONS]
#
# OPTIONS: [spark-submit's options] [--hiveconf KEY=VALUE]
# Its port is 10000, or that of --hiveconf hive.server2.thrift.port=PORT.
# Environment: that of spark-daemon.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
class=org.apache.spark.sql.hive.thriftserver.HiveThriftServer2

if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  export _SPARK_CMD_USAGE="Usage: start-thriftserver.sh [spark-submit's options] [--hiveconf KEY=VALUE]"
  exec "$SPARK_HOME/bin/spark-submit" --help
fi
exec "$here/spark-daemon.sh" submit "$class" 1 --name "Thrift JDBC/ODBC Server" "$@"
