#!/bin/bash
# Random programs on rota and on the real Node: no difference allowed.
#
#   fuzz.sh ROTA NODE FIRST_SEED COUNT [GENERATOR]
#
# RECORDED, if it is set, is a folder for what this Node has printed: a program that was run there before is not run again while rota prints
# the same.
#
# A program that differs is run again, Node with other settings of its compiler, since V8's own tasks may have been in
# the way: it is a difference when no output of one side was ever seen on the other.
# The seed is printed, and how to see the program.
rota=$1 node=$2 first=$3 count=$4 generator=${5:-generate.js}
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

flags=("" "--single-threaded" "--jitless" "--no-opt" "--no-concurrent-recompilation" "")

run() { # output, command and arguments
  local output=$1
  shift
  timeout 120 "$@" >"$output" 2>/dev/null
  echo "exit code $?" >>"$output"
  # The column of stores, and rejections that following them has hidden.
  [ -z "$ORDER_ONLY" ] || sed -i -E 's/^( *[0-9]+) [^ ]+ /\1 /; / unhandled /d' "$output"
}

# record_of FILE: where what this version of Node prints for the program is kept.
version=$("$node" --version)
record_of() {
  local sum rest
  read -r sum rest < <(sha256sum "$1")
  echo "$RECORDED/$version/$sum"
}
[ -z "$RECORDED" ] || mkdir -p "$RECORDED/$version"

mkdir "$folder/programs"
"$node" "$here/generate_programs.js" "$folder/programs" "$generator" "$first" "$count" || exit 1
for ((seed = first; seed < first + count; seed++)); do
  kind=cjs file=$folder/program.cjs
  if [ -e "$folder/programs/$seed.mjs" ]; then kind=esm file=$folder/program.mjs; fi
  mv "$folder/programs/$seed".* "$file"
  same='' record=''
  [ -z "$RECORDED" ] || record=$(record_of "$file")
  rm -f "$folder"/r.* "$folder"/n.*
  for attempt in 0 1 2 3 4 5; do
    run "$folder/r.$attempt" "$rota" "$file" &
    if [ $attempt = 0 ] && [ -n "$record" ] && [ -e "$record" ]; then
      cp "$record" "$folder/n.0"
    else
      run "$folder/n.$attempt" "$node" ${flags[attempt]} "$file"
    fi
    wait
    for n in "$folder"/n.*; do
      for r in "$folder"/r.*; do
        cmp -s "$r" "$n" && same=$n
      done
    done
    [ -n "$same" ] && break
  done
  [ -z "$same" ] || [ -z "$record" ] || cp "$same" "$record"
  if [ -z "$same" ]; then
    bad=$((bad + 1))
    echo "seed $seed ($kind) differs: $node $here/$generator $seed $kind"
    diff "$folder/r.0" "$folder/n.0" | head -${SHOW:-10}
  fi
done
echo "$((count - bad)) passed, $bad failed, 0 skipped"
[ "$bad" = 0 ]
