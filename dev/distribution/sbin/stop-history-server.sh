#!/usr/bin/env bash
# Stops the History Server that start-history-server.sh started on this host.
set -eu
exec "$(dirname -- "$(readlink -f -- "$0")")/spark-daemon.sh" stop \
  org.apache.spark.deploy.history.HistoryServer 1
