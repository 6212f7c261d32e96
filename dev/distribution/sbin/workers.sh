#!/usr/bin/env bash
# Runs a command on each worker's host: workers.sh COMMAND [ARGUMENTS]
#
# The hosts are in conf/workers, or in the file that SPARK_WORKERS names: one a line, # begins a
# comment. Without such a file, only this host is used. The command runs on this host without ssh, and on
# the others through ssh, on all at once.
#
# Environment: SPARK_SSH_OPTS (-o BatchMode=yes unless set), SPARK_WORKER_SLEEP (seconds between two
# hosts), SPARK_SSH_FOREGROUND (when set: one after another, so that ssh may ask for a password).
# Exit code 1 when the command failed on a host.
set -eu -o pipefail
. "$(dirname -- "$(readlink -f -- "$0")")/../bin/load-spark-env.sh"

if (($# == 0)); then
  echo "Usage: workers.sh COMMAND [ARGUMENTS]" >&2
  exit 1
fi

hosts() {
  local file=${SPARK_WORKERS:-$SPARK_CONF_DIR/workers}
  if [[ -f $file ]]; then
    sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' -- "$file"
  elif [[ -n ${SPARK_WORKERS:-} ]]; then
    echo "workers.sh: no file $file, which SPARK_WORKERS names" >&2
    return 1
  else
    echo localhost
  fi
}

is_this_host() {
  case $1 in
    localhost | 127.0.0.1 | ::1 | "$(hostname)" | "$(hostname -f 2>/dev/null)") return 0 ;;
    *) return 1 ;;
  esac
}

# on HOST COMMAND: the other host reads the same conf/; its spark-env.sh sets everything else.
on() {
  local host=$1 remote options
  shift
  if is_this_host "$host"; then
    "$@" </dev/null
  else
    printf -v remote '%q ' env SPARK_HOME="$SPARK_HOME" SPARK_CONF_DIR="$SPARK_CONF_DIR" "$@"
    read -r -a options <<<"${SPARK_SSH_OPTS--o BatchMode=yes}"
    # Quoted for the other host just above.
    # shellcheck disable=SC2029
    ssh ${options[@]+"${options[@]}"} "$host" "$remote" </dev/null
  fi
}

listed=$(hosts) || exit 1
status=0 running=()
while IFS= read -r host; do
  [[ -n $host ]] || continue
  if [[ -n ${SPARK_SSH_FOREGROUND:-} ]]; then
    on "$host" "$@" 2>&1 | sed "s/^/$host: /" || status=1
  else
    on "$host" "$@" 2>&1 | sed "s/^/$host: /" &
    running+=($!)
  fi
  [[ -z ${SPARK_WORKER_SLEEP:-} ]] || sleep "$SPARK_WORKER_SLEEP"
done <<<"$listed"

for pid in ${running[@]+"${running[@]}"}; do
  wait "$pid" || status=1
done
exit "$status"
