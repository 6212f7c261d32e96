#!/usr/bin/env bash
# Stops the server that start-thriftserver.sh started on this host.
set -eu
exec "$(dirname -- "$(readlink -f -- "$0")")/spark-daemon.sh" stop \
  org.apache.spark.sql.hive.thriftserver.HiveThriftServer2 1
