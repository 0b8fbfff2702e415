#!/bin/bash
# The programs of test/js/cases, steered, give what the real Node gave: run.sh ROTA MODE [part of a name]...
# MODE is a word of differences.txt, which names those that cannot; the environment says how to steer. Without a part all
# are run.
program=$(realpath "$1") mode=$2
shift 2
cd "$(dirname "$0")/../js/cases" || exit 2
differences=$(awk -v mode="$mode" '$1 == mode { print "./" $2 }' ../../sim/differences.txt)
good=0 bad=0 left=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT
for file in $(find . -name support -prune -o -name node_modules -prune -o \( -name '*.js' -o -name '*.mjs' \) -print | sort); do
  if [ $# -gt 0 ]; then
    wanted=
    for part; do case $file in *$part*) wanted=1 ;; esac; done
    [ -n "$wanted" ] || continue
  fi
  if grep -qxF "$file" <<<"$differences"; then
    left=$((left + 1))
    continue
  fi
  (cd "$(dirname "$file")" && timeout 120 "$program" "$(basename "$file")" 2>/dev/null; echo "exit code $?") >"$output"
  if cmp -s "$output" "$file.out"; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "  FAILED: test/js/cases/${file#./} ($mode${ROTA_SCHEDULE_SEED:+, seed $ROTA_SCHEDULE_SEED})"
    diff "$output" "$file.out" | head -${SHOW:-10}
  fi
done
echo "  $left differ for reasons"
echo "$good passed, $bad failed, 0 skipped"
[ "$bad" = 0 ]
