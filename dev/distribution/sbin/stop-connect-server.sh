#!/usr/bin/env bash
# Stops the server that start-connect-server.sh started on this host.
set -eu
exec "$(dirname -- "$(readlink -f -- "$0")")/spark-daemon.sh" stop \
  org.apache.spark.sql.connect.service.SparkConnectServer 1
