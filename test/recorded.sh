# Sourced by scripts that compare the output of programs with that of the real Node (the files *.out), or record it. They
# set `record` (empty: compare), name in `output` the file with the output, and call judge for each program, then conclude.
good=0 bad=0

# judge FILE NAME: FILE.out is the expected content of $output; NAME is printed if it differs
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
