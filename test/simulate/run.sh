#!/bin/bash
# The programs of runtime/test/js/cases, steered, give the output of the real Node: run.sh ROTA MODE [part of a name]... MODE is
# a word of differences.txt, which names those that cannot; the environment says how to steer. Without a part all are
# run.
program=$(realpath "$1") mode=$2
shift 2
cd "$(dirname "$0")/../../runtime/test/js/cases" || exit 2
differences=$(awk -v mode="$mode" '$1 == mode { print "./" $2 }' ../../../../test/simulate/differences.txt)
. ../side_by_side.sh
good=0 bad=0 left=0 wanted=
for file in $(all_cases); do
  chosen=
  [ $# -gt 0 ] || chosen=1
  for part; do case $file in *$part*) chosen=1 ;; esac; done
  [ -n "$chosen" ] || continue
  if grep -qxF "$file" <<<"$differences"; then left=$((left + 1)); else wanted="$wanted $file"; fi
done
printf '%s\n' $wanted | run_side_by_side "$program"
for file in $wanted; do
  if cmp -s "$(result_of "$file")" "$file.out"; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "  FAILED: runtime/test/js/cases/${file#./} ($mode${ROTA_SCHEDULE_SEED:+, seed $ROTA_SCHEDULE_SEED})"
    diff "$(result_of "$file")" "$file.out" | head -"${SHOW:-10}"
  fi
done
echo "  $left differ for reasons"
echo "$good passed, $bad failed, 0 skipped"
[ "$bad" = 0 ]
