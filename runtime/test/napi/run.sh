#!/bin/bash
# Addons of our own, compiled here, on rota: standard output and exit code must be what the real Node gave, which loads
# the same files.
#
#   run.sh ROTA DIRECTORY             compares with the recorded outputs (the files *.out); addons are built in DIRECTORY
#   run.sh --record NODE DIRECTORY    records them anew
record=
if [ "$1" = --record ]; then record=1; shift; fi
program=$(realpath "$1") || exit 2
mkdir -p "$2" && directory=$(realpath "$2") || exit 2
cd "$(dirname "$0")" || exit 2
. ../recorded.sh
output=$(mktemp)
trap 'rm -f "$output"' EXIT
root=$(realpath ../../..)
for source in *.c; do
  addon=$directory/${source%.c}.node
  [ "$addon" -nt "$source" ] && [ "$addon" -nt addon.h ] && [ "$addon" -nt run.sh ] && [ "$addon" -nt "$root/include/uv.h" ] && continue
  "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -shared -fPIC -DNAPI_VERSION=10 \
    -isystem "$root/node_modules/node-api-headers/include" -I"$root/include" "$source" -o "$addon" || exit 2
done
for file in *.js; do
  flags=$(sed -n 's|^// Flags: ||p' "$file")
  # shellcheck disable=SC2086
  (timeout 60 "$program" $flags "$file" "$directory/${file%.js}.node" 2>/dev/null; echo "exit code $?") >"$output"
  judge "$file" "runtime/test/napi/$file"
done
conclude
