# Sourced by those who compare what programs print with what the real Node printed (the files *.out), or record that.
# They set `record` (empty: compare), name in `output` the file with what was printed, and call judge for each program, then
# conclude.
good=0 bad=0

# judge FILE NAME: FILE.out is what $output should be; NAME is told when it is not
judge() {
  if [ -n "$record" ]; then
    cp "$output" "$1.out"
  elif cmp -s "$output" "$1.out"; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "  FAILED: $2"
    diff "$output" "$1.out" | head -"${SHOW:-10}"
  fi
}

conclude() {
  [ -n "$record" ] || echo "$good passed, $bad failed, 0 skipped"
  [ "$bad" = 0 ]
}
