#!/usr/bin/env bash
# Starts a standalone cluster: the master on this host, the workers on the hosts in conf/workers.
#
# Environment: that of start-master.sh, start-worker.sh and workers.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
"$here/start-master.sh"
"$here/start-workers.sh"
