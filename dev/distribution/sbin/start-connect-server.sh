#!/usr/bin/env bash
# Starts Spark's Spark Connect server: start-connect-server.sh [OPTIONS]
#
# OPTIONS: [spark-submit's options]
# Its port is 15002, or that of --conf spark.connect.grpc.binding.port=PORT. It answers clients that send the
# key, sc://HOST:PORT/;x-spark-hpc-key=KEY. The key is in the file SPARK_HPC_CONNECT_KEY (default:
# ~/.spark-hpc/connect-key), which is made if it is missing, and which only you can read. With
# --conf spark.connect.grpc.interceptor.classes= the server needs no key.
# Environment: that of spark-daemon.sh.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
. "$here/../bin/load-spark-env.sh"
class=org.apache.spark.sql.connect.service.SparkConnectServer

if [[ " $* " == *" --help "* || " $* " == *" -h "* ]]; then
  export _SPARK_CMD_USAGE="Usage: start-connect-server.sh [spark-submit's options]"
  exec "$SPARK_HOME/bin/spark-submit" --help
fi

if ! compgen -G "$SPARK_HOME/jars/spark-connect_*.jar" >/dev/null; then
  echo "start-connect-server.sh: $SPARK_HOME/jars has no spark-connect_*.jar, since no registry has that of this Spark." \
    "docs/how-to.md, Spark Connect, says how to add that of an older one" >&2
  exit 1
fi

# Two servers that start at the same time get the same key.
make_key() {
  local directory new
  directory=$(dirname -- "$1")
  (umask 077 && mkdir -p -- "$directory")
  new=$(mktemp -- "$directory/.connect-key.XXXXXX")
  head -c 24 /dev/urandom | base64 | tr +/ -_ >"$new"
  ln -- "$new" "$1" 2>/dev/null || true
  rm -f -- "$new"
}

# Stock Spark has no key.
keys=()
if compgen -G "$SPARK_HOME/jars/spark-hpc-pages-*.jar" >/dev/null; then
  key=${SPARK_HPC_CONNECT_KEY:-$HOME/.spark-hpc/connect-key}
  [[ -e $key ]] || make_key "$key"
  if ! [[ -O $key && $(stat -c %a -- "$key") == [46]00 ]]; then
    echo "start-connect-server.sh: $key isn't a file that only you can read: chmod 600, or remove it" >&2
    exit 1
  fi
  interceptor=org.sparkhpc.pages.ConnectKey
  keys=(--conf "spark.connect.grpc.interceptor.classes=$interceptor" --conf "spark.$interceptor.file=$key")
  echo "clients end their address with ;x-spark-hpc-key=\$(cat $key)"
fi
exec "$here/spark-daemon.sh" submit "$class" 1 --name "Spark Connect server" \
  ${keys[@]+"${keys[@]}"} "$@"
