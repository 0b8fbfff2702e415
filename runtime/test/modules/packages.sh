#!/bin/bash
# The C pass against the parser on every module of the packages in packages.txt. By hand: it installs some 1,000 packages
# into DIRECTORY (600 MB), which is kept for the next time.
#
#   runtime/test/modules/packages.sh BUILD NODE DIRECTORY
set -e
here=$(cd "$(dirname "$0")" && pwd)
build=$1 node=$2 directory=$3
mkdir -p "$directory"
[ -d "$directory/node_modules" ] || (cd "$directory" && echo '{}' >package.json &&
  npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps $(cat "$here/packages.txt"))
make -s -C "$here/../../.." "$build/test/rewrite"
"$node" "$here/compare.js" "$build/test/rewrite" "$directory/node_modules"
