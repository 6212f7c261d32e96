# shellcheck shell=bash
# Sourced by results-*: measurements whose report becomes a page of results.

# report_of SET COMMAND NAME ARGUMENTS: copies the command's report to docs/results/bench-NAME.md, and its plot. The
# measurement is in target/bench/results-SET/NAME. Sets failed=1 if the command fails.
report_of() {
  local out=target/bench/results-$1/$3 command=$2 name=$3 code=0
  shift 3
  rm -rf "$out"
  "$command" "$@" --out "$out" || code=$?
  if [[ -f $out/report.md ]]; then
    sed "s/(plot.svg)/(bench-$name.svg)/" "$out/report.md" >"docs/results/bench-$name.md"
    cp "$out/plot.svg" "docs/results/bench-$name.svg"
  fi
  # shellcheck disable=SC2034 # the caller's exit code
  ((code == 0)) || failed=1
  printf '%s done, %d s so far\n' "$name" "$SECONDS" >&2
}
