#!/bin/sh
# gates.sh BUILD: links the program once more, with a module that gives the bindings to JavaScript, and lets gates.js call
# each of them without permission. The objects are those of BUILD.
set -e
build=$1/gates
rm -rf "$build"
mkdir "$build"
cp -al "$1/obj" "$1/generated" "$1/lib" "$1/bin" "$build"
cp -a "$1/flags" "$build"
# Hard links: what is made anew must not be written into the other build's files.
rm -f "$build"/bin/rota "$build"/obj/runtime/embedded.* "$build"/obj/runtime/lazy_functions.*
make --no-print-directory -s runtime BUILD="$build" RUNTIME_EXTRA=bindings=runtime/test/permission/bindings.js
names=$(sed -n '/^binding /,$p' runtime/shared.table | sed 1d)
secret=$(mktemp)
trap 'rm -rf "$secret"' EXIT
"$build/bin/rota" --permission --no-warnings runtime/test/permission/gates.js "$secret" $names </dev/null
[ -e "$secret" ] && [ ! -s "$secret" ] && [ ! -e "$secret-2" ]
