# shellcheck shell=bash
# Sourced by every script of the distribution. Sets SPARK_HOME, and reads the user's conf/spark-env.sh
# once, however many scripts call each other.
#
# It has this name because Spark's users and modules source it themselves.

# Links are followed, so that a link to bin/spark-submit in ~/bin finds its distribution.
_spark_own_home=$(cd -P -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

if [[ -z ${SPARK_HOME:-} ]]; then
  SPARK_HOME=$_spark_own_home
elif [[ -z ${SPARK_ENV_LOADED:-} ]] && ! [[ $SPARK_HOME -ef $_spark_own_home ]]; then
  # Warn: otherwise a module loaded for another Spark would silently replace this one.
  echo "${0##*/}: using SPARK_HOME=$SPARK_HOME, not $_spark_own_home where this script is" >&2
fi
unset _spark_own_home
export SPARK_HOME
export SPARK_CONF_DIR="${SPARK_CONF_DIR:-$SPARK_HOME/conf}"

# Without this variable, a Worker looks for build directories to find the version, and starts its executors
# over and over in vain.
export SPARK_SCALA_VERSION="${SPARK_SCALA_VERSION:-2.12}"

if [[ -z ${SPARK_ENV_LOADED:-} ]]; then
  export SPARK_ENV_LOADED=1
  if [[ -f $SPARK_CONF_DIR/spark-env.sh ]]; then
    # Everything set there is exported. It needn't be written for set -eu, as our scripts are.
    _spark_flags=$-
    set +eu -a
    # shellcheck source=/dev/null
    . "$SPARK_CONF_DIR/spark-env.sh"
    set +a
    [[ $_spark_flags != *e* ]] || set -e
    [[ $_spark_flags != *u* ]] || set -u
    unset _spark_flags
  fi
fi
