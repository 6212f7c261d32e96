#!/usr/bin/env bash
# Stops the cluster that start-all.sh started: the workers first, then the master.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
status=0
"$here/stop-workers.sh" || status=1
"$here/stop-master.sh" || status=1
exit "$status"
