#!/bin/bash
# The programs of runtime/test/js/cases on rota: standard output and exit code must be those of the real Node.
#
#   run.sh ROTA [part of a name]...   compares with the recorded outputs (the files *.out)
#   run.sh --record NODE [part]...    records them again
#
# Differences that come with a newer library of the system are in differences.txt.
# Directories named support and node_modules hold what the programs load.
record=
if [ "$1" = --record ]; then record=1; shift; fi
program=$(realpath "$1") || exit 2
shift
cd "$(dirname "$0")/cases" || exit 2
. ../side_by_side.sh
. ../../recorded.sh
known=../differences.txt
wanted=$(all_cases)
[ $# -eq 0 ] || wanted=$(grep -F "$(printf '%s\n' "$@")" <<<"$wanted")
run_side_by_side "$program" <<<"$wanted"
for file in $wanted; do
  output=$(result_of "$file")
  judge "$file" "runtime/test/js/cases/${file#./}"
done
conclude
