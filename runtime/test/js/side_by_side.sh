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

# run_side_by_side PROGRAM: runs the files named in its input.
run_side_by_side() {
  python3 ../side_by_side.py "$1" "$results" "${JOBS:-$(nproc)}"
}
