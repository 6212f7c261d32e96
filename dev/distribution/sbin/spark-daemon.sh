#!/usr/bin/env bash
# Starts, stops or reports one of Spark's daemons:
#
#   spark-daemon.sh [--config DIR] start CLASS INSTANCE [ARGUMENTS]
#   spark-daemon.sh [--config DIR] submit CLASS INSTANCE [spark-submit's options] [ARGUMENTS]
#   spark-daemon.sh [--config DIR] stop|status CLASS INSTANCE
#
# submit starts an application that serves until it is stopped, through spark-submit.
#
# Each SPARK_IDENT_STRING (default: the user) and SPARK_PID_DIR has one daemon of a class and instance.
# Exit codes: start gives 1 if the daemon already runs or ends at once; stop gives 1 if it doesn't end;
# status gives 0 if it runs and 2 if not.
#
# Environment: SPARK_LOG_DIR, SPARK_LOG_MAX_FILES, SPARK_PID_DIR, SPARK_IDENT_STRING,
# SPARK_NICENESS, SPARK_NO_DAEMONIZE; SPARK_HPC_START_SECONDS, the seconds for which start waits at most to see
# whether the daemon serves or ends (default: 15; submit: 30).
set -eu

usage() {
  echo "Usage: spark-daemon.sh [--config DIR] (start|submit|stop|status) CLASS INSTANCE [ARGUMENTS]" >&2
  exit 1
}

if [[ ${1:-} == --config ]]; then
  (($# >= 2)) || usage
  if ! [[ -d $2 ]]; then
    echo "spark-daemon.sh: no directory $2" >&2
    exit 1
  fi
  export SPARK_CONF_DIR=$2
  shift 2
fi
(($# >= 3)) || usage
action=$1 class=$2 instance=$3
shift 3

. "$(dirname -- "$(readlink -f -- "$0")")/../bin/load-spark-env.sh"

ident=${SPARK_IDENT_STRING:-${USER:-$(id -un)}}
export SPARK_IDENT_STRING=$ident
name=spark-$ident-$class-$instance
pid_dir=${SPARK_PID_DIR:-/tmp}
pid_file=$pid_dir/$name.pid
export SPARK_LOG_DIR="${SPARK_LOG_DIR:-$SPARK_HOME/logs}"
log=$SPARK_LOG_DIR/$name-${HOSTNAME:-$(hostname)}.out

# Another process may have reused the pid, so only a process that runs our class counts.
running() {
  kill -0 "$1" 2>/dev/null && grep -qsxzF -- "$class" "/proc/$1/cmdline"
}

# Prints the pid of the daemon; false if none runs.
daemon_pid() {
  local pid
  [[ -f $pid_file ]] && read -r pid <"$pid_file" && [[ $pid =~ ^[0-9]+$ ]] && running "$pid" &&
    echo "$pid"
}

# Makes a directory that we can write in, or exits with a message.
need_directory() {
  if ! mkdir -p -- "$1" 2>/dev/null || ! [[ -w $1 ]]; then
    echo "spark-daemon.sh: can't write in $1: set $2" >&2
    exit 1
  fi
}

# log becomes log.1, log.1 becomes log.2, and so on; the oldest goes.
rotate() {
  local kept=${SPARK_LOG_MAX_FILES:-5}
  if ! [[ $kept =~ ^[1-9][0-9]*$ ]]; then
    echo "spark-daemon.sh: SPARK_LOG_MAX_FILES must be a positive number, not $kept" >&2
    exit 1
  fi
  while ((kept > 1)); do
    if [[ -f $log.$((kept - 1)) ]]; then
      mv -f -- "$log.$((kept - 1))" "$log.$kept"
    fi
    kept=$((kept - 1))
  done
  if [[ -f $log ]]; then
    mv -f -- "$log" "$log.1"
  fi
}

# Waits until the daemon's log says that it serves, and a second more, since wrong settings may still end
# it then. Waits at most the given seconds, for a daemon that logs nothing. False if the daemon ended.
survives() {
  local pid=$1 says_it_serves=$2 tenths=$(($3 * 10)) serves=
  while ((tenths > 0)); do
    kill -0 "$pid" 2>/dev/null || return 1
    if [[ -z $serves ]] && grep -qE "$says_it_serves" "$log"; then
      serves=yes
      tenths=10
    fi
    sleep 0.1
    tenths=$((tenths - 1))
  done
}

# start SCRIPT PATTERN SECONDS ARGUMENTS: runs the script of bin/ with the arguments, and waits so many
# seconds for the pattern, which its log has once it serves.
start() {
  local pid script=$1 says_it_serves=$2 seconds=${SPARK_HPC_START_SECONDS:-$3}
  shift 3
  if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    echo "spark-daemon.sh: SPARK_HPC_START_SECONDS must be a positive number, not $seconds" >&2
    exit 1
  fi
  if pid=$(daemon_pid); then
    echo "$class already runs as process $pid: stop it first." >&2
    exit 1
  fi
  local command=(nice -n "${SPARK_NICENESS:-0}" "$SPARK_HOME/bin/$script" "$@")
  if [[ -n ${SPARK_NO_DAEMONIZE+set} ]]; then
    exec "${command[@]}"
  fi

  need_directory "$pid_dir" SPARK_PID_DIR
  need_directory "$SPARK_LOG_DIR" SPARK_LOG_DIR
  rotate
  : >"$log"
  echo "starting $class, logging to $log"
  nohup "${command[@]}" >>"$log" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$pid_file"
  if ! survives "$pid" "$says_it_serves" "$seconds"; then
    rm -f -- "$pid_file"
    {
      echo "failed to launch $class:"
      tail -n 10 -- "$log" | sed 's/^/  /'
      echo "full log in $log"
    } >&2
    exit 1
  fi
}

stop() {
  local pid tries=300
  if ! pid=$(daemon_pid); then
    rm -f -- "$pid_file"
    echo "no $class to stop"
    return
  fi
  echo "stopping $class"
  kill "$pid"
  while running "$pid"; do
    if ((tries == 0)); then
      echo "$class still runs as process $pid after 30 seconds" >&2
      exit 1
    fi
    sleep 0.1
    tries=$((tries - 1))
  done
  rm -f -- "$pid_file"
}

status() {
  local pid
  if pid=$(daemon_pid); then
    echo "$class runs as process $pid."
  elif [[ -f $pid_file ]]; then
    echo "$pid_file is there, but $class doesn't run"
    exit 2
  else
    echo "$class doesn't run."
    exit 2
  fi
}

case $action in
  start) start spark-class "Successfully started service '[A-Za-z]*UI'|Starting shuffle service" 15 "$class" "$@" ;;
  # An application finds its executors and Hive's catalog before it serves; its web page starts earlier.
  submit)
    start spark-submit "HiveThriftServer2 started|Spark Connect server started" 30 \
      --class "$class" "$@"
    ;;
  stop | status) "$action" ;;
  *) usage ;;
esac
