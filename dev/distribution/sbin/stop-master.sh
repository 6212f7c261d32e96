#!/usr/bin/env bash
# Stops the master that start-master.sh started on this host.
set -eu
exec "$(dirname -- "$(readlink -f -- "$0")")/spark-daemon.sh" stop \
  org.apache.spark.deploy.master.Master 1
