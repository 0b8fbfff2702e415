#!/bin/bash
# Packages from npm, unmodified, on rota: each program of programs/ prints what the real Node prints.
#
#   run.sh ROTA NODE DIRECTORY    where the packages are installed, if they are not yet
#
# What Node has printed is kept there: it runs again when the programs, the packages or its version have changed, and when rota prints
# something else.
root=$(cd "$(dirname "$0")" && pwd)
rota=$(realpath "$1") && node=$(realpath "$2") && mkdir -p "$3" && cd "$3" || exit 2
if ! cmp -s "$root/package-lock.json" package-lock.json; then
  cp "$root/package.json" "$root/package-lock.json" . &&
    npm ci --ignore-scripts --no-audit --no-fund --silent || { rm -f package-lock.json; exit 2; }
fi
good=0 bad=0
rm -rf programs && cp -r "$root/programs" .
state=$("$node" --version; find programs package-lock.json -type f -print0 | sort -z | xargs -0 sha256sum)
if [ "$state" != "$(cat recorded/state 2>/dev/null)" ]; then
  rm -rf recorded && mkdir recorded && echo "$state" >recorded/state
fi

run() { # output, command and arguments
  local output=$1
  shift
  timeout 180 "$@" >"$output" 2>&1
  echo "exit code $?" >>"$output"
}

for file in programs/*.*js; do
  record=recorded/${file#programs/}
  was_there=1
  [ -e "$record" ] || { was_there='' && run "$record" "$node" "$file"; }
  run rota.out "$rota" "$file"
  if ! cmp -s "$record" rota.out && [ -n "$was_there" ]; then
    run "$record" "$node" "$file"
  fi
  if cmp -s "$record" rota.out; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "  FAILED: runtime/test/npm/$file (< rota, > node)"
    diff rota.out "$record" | head -"${SHOW:-10}"
    rm -f "$record"
  fi
done
echo "$good passed, $bad failed, 0 skipped"
[ "$bad" = 0 ]
