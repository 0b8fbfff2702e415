#!/bin/bash
# The programs of test/js/cases on rota: standard output and exit code must be what the real Node gave.
#
#   run.sh ROTA             compares with the recorded outputs (the files *.out)
#   run.sh --record NODE    records them anew
#
# Directories named support and node_modules hold what the programs load.
record=
if [ "$1" = --record ]; then record=1; shift; fi
program=$(realpath "$1") || exit 2
cd "$(dirname "$0")/cases" || exit 2
. ../../recorded.sh
for file in $(find . -name support -prune -o -name node_modules -prune -o \( -name '*.js' -o -name '*.mjs' \) -print | sort); do
  (cd "$(dirname "$file")" && timeout 120 "$program" "$(basename "$file")" 2>/dev/null; echo "exit code $?") >"$output"
  judge "$file" "test/js/cases/${file#./}"
done
conclude
