#!/bin/bash
# Packages from npm, unmodified, on rota: each program of programs/ prints what the real Node prints.
#
#   run.sh ROTA NODE DIRECTORY    where the packages are installed, if they are not yet
root=$(cd "$(dirname "$0")" && pwd)
rota=$(realpath "$1") && node=$(realpath "$2") && mkdir -p "$3" && cd "$3" || exit 2
if ! cmp -s "$root/package-lock.json" package-lock.json; then
  cp "$root/package.json" "$root/package-lock.json" . &&
    npm ci --ignore-scripts --no-audit --no-fund --silent || { rm -f package-lock.json; exit 2; }
fi
good=0 bad=0
rm -rf programs && cp -r "$root/programs" .
for file in programs/*.*js; do
  timeout 180 "$node" "$file" >node.out 2>&1
  echo "exit code $?" >>node.out
  timeout 180 "$rota" "$file" >rota.out 2>&1
  echo "exit code $?" >>rota.out
  if cmp -s node.out rota.out; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "  FAILED: runtime/test/npm/$file (< rota, > node)"
    diff rota.out node.out | head -"${SHOW:-10}"
  fi
done
echo "$good passed, $bad failed, 0 skipped"
[ "$bad" = 0 ]
