# Sourced by scripts that run the programs of runtime/test/js/cases: as many in parallel as there are processors (JOBS overrides
# this). The current directory is runtime/test/js/cases, and $results a directory for their output.
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# all_cases: the programs, without what they load.
all_cases() {
  find . -name support -prune -o -name node_modules -prune -o \( -name '*.js' -o -name '*.mjs' \) -print | sort
}

# result_of FILE: where its output is, the exit code in the last line.
result_of() {
  echo "$results/${1//\//_}"
}

# readline asks what the terminal can do, even where there is none. Certificates that this machine trusts besides are no part of the cases.
run_case() { # program, file
  cd "$(dirname "$2")" && TERM=xterm env -u NODE_EXTRA_CA_CERTS timeout 120 "$1" "$(basename "$2")" 2>/dev/null
  echo "exit code $?"
}

# run_side_by_side PROGRAM: runs the files named in its input.
run_side_by_side() {
  export -f run_case result_of
  export results
  xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'run_case "$0" "$1" >"$(result_of "$1")"' "$1" {}
}
