# Sourced by scripts that compare the output of programs with that of the real Node (the files *.out), or record it. They
# set `record` (empty: compare), name in `output` the file with the output, and call judge for each program, then conclude.
#
# `known`, if it is set, is a file of differences that come with another version of a library: the name of a case, the library (a key of
# process.versions), the first version, the reason, separated by tabs. FILE.LIBRARY-VERSION.diff has what differs: a case that differs in exactly that
# is skipped, with its reason.
good=0 bad=0 left_out=0

# is_known FILE: prints the reason
is_known() {
  local name library since reason now
  [ -n "$known" ] || return 1
  while IFS=$(printf '\t') read -r name library since reason; do
    [ "$name" = "${1#./}" ] || continue
    now=$(NODE_OPTIONS='' "$program" -p "process.versions.$library" 2>/dev/null)
    [ "$(printf '%s\n' "$since" "$now" | sort -V | head -n 1)" = "$since" ] || continue
    diff "$output" "$1.out" | cmp -s - "$1.$library-$since.diff" && echo "$reason" && return 0
  done <"$known"
  return 1
}

# judge FILE NAME: FILE.out is the expected content of $output; NAME is printed if it differs
judge() {
  if [ -n "$record" ]; then
    cp "$output" "$1.out"
  elif cmp -s "$output" "$1.out"; then
    good=$((good + 1))
  elif reason=$(is_known "$1"); then
    left_out=$((left_out + 1))
    echo "  skipped: $2"
    echo "    $reason"
  else
    bad=$((bad + 1))
    echo "  FAILED: $2"
    diff "$output" "$1.out" | head -"${SHOW:-10}"
  fi
}

conclude() {
  [ -n "$record" ] || echo "$good passed, $bad failed, $left_out skipped"
  [ "$bad" = 0 ]
}
