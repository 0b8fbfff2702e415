#!/bin/sh
# Looks for races in a program or a suite of tests, for some time, and keeps what it has found.
#
#   fuzz.sh COMMAND [ARGUMENT]...        fuzz.sh npm test
#
# FUZZ_SECONDS (120) is how long; FUZZ_STATE (.rota-fuzz) is a directory to keep from one run to the next: seeds that were tried are not tried
# again, and what was found is tried first. FUZZ_FOUND (fuzz-found) gets a page and a schedule for each find. FUZZ_OPTIONS are further options of
# rota fuzz. The exit code is 0: nothing was found; 1: something was; else it could not be tried.
set -u
if [ $# -eq 0 ]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
state=${FUZZ_STATE:-.rota-fuzz}
found=${FUZZ_FOUND:-fuzz-found}
mkdir -p "$state" "$found" || exit 2
command -v rota >/dev/null || {
  echo "fuzz.sh: there is no rota in PATH; install the package rota, or add build/bin of its sources to PATH" >&2
  exit 2
}
# A program that cannot be run on librota would look as if it had no races.
rota doctor -- "$1" >"$found/doctor.txt" 2>&1 || {
  cat "$found/doctor.txt" >&2
  exit 2
}
# shellcheck disable=SC2086
rota fuzz --budget="${FUZZ_SECONDS:-120}s" --state="$state" -o "$found" ${FUZZ_OPTIONS:-} -- "$@"
code=$?
if [ $code -eq 1 ]; then
  echo "fuzz.sh: see $found: a page for each find, and the schedule that repeats it"
fi
exit $code
