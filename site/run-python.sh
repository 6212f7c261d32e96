# shellcheck shell=bash
# Sourced by our commands: runs them by any Python from 3.6 on, whatever the user's environment says
# of Python, and without a trace in the installation.

# run_python MODULE HOME ARGUMENTS
run_python() {
  local python
  for python in python3 /usr/libexec/platform-python; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 6))' 2>/dev/null; then
      exec "$python" -B -E -s "$2/site/command.py" "$@"
    fi
  done
  echo "${0##*/}: no Python 3.6 or newer: put python3 on PATH" >&2
  exit 1
}
