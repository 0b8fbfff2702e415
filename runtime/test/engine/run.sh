#!/bin/bash
# How the runtime finds out about its engine: run.sh ROTA
#
# `ROTA_ENGINE=unknown` makes it treat the present engine as an unknown one.
rota=$(realpath "$1") || exit 2
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
good=0 bad=0

# is "what is true" EXPECTED FOUND
is() {
  if [ "$2" = "$3" ]; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "  FAILED: $1"
    echo "    expected: $2"
    echo "    found:    $3"
  fi
}

export HOME=$scratch/home
unset XDG_CACHE_HOME ROTA_ENGINE
mkdir -m 700 "$HOME"

# The words `on` and `off`, and where the answers came from. An engine without some uses is told of in a line before, when it is probed.
summary() {
  "$rota" --engine 2>&1 | awk '/^JavaScriptCore / { sub(/.*: /, ""); first = $0; next } first != "" && / on$/ { on++ } first != "" && / off / { off++ }
    END { print first ", " (off > 0 ? "some off" : "none off") ", " (on > 0 ? "some on" : "none on") }'
}

# ---- the remembered results, and which of them are used ----

known=$(summary)
before=$("$rota" --engine | tail -n +2)
export ROTA_ENGINE=unknown
is "an unknown engine is probed" "probed just now" "$(summary | cut -d, -f1)"
is "and remembered" "probed before" "$(summary | cut -d, -f1)"
is "with the same answers as the list has" "$before" "$("$rota" --engine | tail -n +2)"
directory=$HOME/.cache/rota
is "in a directory of the user's own" "700" "$(stat -c %a "$directory")"
file=$(ls "$directory")
is "in one file" "1" "$(wc -w <<<"$file")"
is "that nobody else reads" "600" "$(stat -c %a "$directory/$file")"

echo "answers 0000000000000000" >"$directory/$file"
is "the file is what decides" "probed before, some off, none on" "$(summary)"
is "and a program runs without everything" "5" "$("$rota" -p 2+3)"
chmod g+w "$directory/$file"
is "but not when others can write it" "probed just now" "$(summary | cut -d, -f1)"
echo "answers 0000000000000000" >"$directory/$file"
chmod o+w "$directory"
is "or the directory" "probed just now" "$(summary | cut -d, -f1)"
chmod 700 "$directory"
mv "$directory" "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$directory"
is "or when the directory is a link" "probed just now" "$(summary | cut -d, -f1)"
rm "$directory"
mv "$scratch/elsewhere" "$directory"
echo "nonsense" >"$directory/$file"
is "nonsense is not believed" "probed just now" "$(summary | cut -d, -f1)"
is "and replaced" "probed before" "$(summary | cut -d, -f1)"
is "without a place to remember, it is probed each time" "probed just now" "$(HOME=/proc summary | cut -d, -f1)"
unset ROTA_ENGINE
is "a known engine needs none of this" "$known" "$(HOME=/proc summary)"

# ---- each use off alone, and all of them ----

expected=$("$rota" "$here/smoke.js")
is "the program itself" "done" "$(tail -1 <<<"$expected")"
uses=$("$rota" --engine | awk 'NR > 1 && / on$/ { sub(/^ +/, ""); sub(/ +on$/, ""); print }')
while read -r use; do
  is "without $use" "$expected" "$(ROTA_ENGINE="-$use" "$rota" "$here/smoke.js" 2>&1)"
done <<<"$uses"
is "what is off is in the report" "heap,text" "$(ROTA_ENGINE=-text,-heap,-allowance "$rota" -p 'process.report.getReport().javascriptHeap.engine.off.filter((use) => /text$|heap/.test(use)).sort().join()' | sed 's/external text,//')"
is "without all" "$expected" "$(ROTA_ENGINE=portable "$rota" "$here/smoke.js" 2>&1)"
is "a limit of time ends a callback, without all" "all ended" "$(ROTA_ENGINE=portable timeout 60 "$rota" "$here/ends.js" 2>&1)"
is "without the mark alone" "all ended" "$(ROTA_ENGINE=-mark timeout 60 "$rota" "$here/ends.js" 2>&1)"
is "and with all" "all ended" "$(timeout 60 "$rota" "$here/ends.js" 2>&1)"

is "what was scheduled with a callback that is ended, without all" "$("$rota" "$here/ended_round.js")" \
  "$(ROTA_ENGINE=portable timeout 60 "$rota" "$here/ended_round.js" 2>&1)"

is "errors of a worker whose heap is measured, without all" "exit 0" "$(ROTA_ENGINE=portable timeout 60 "$rota" "$here/worker_errors.js" 2>&1)"

# Without a use, its feature is off, and the error says so.
is "the state of a promise" "Promise { <state unknown> }" "$(ROTA_ENGINE=-promises "$rota" -p 'Promise.resolve(5)')"
is "a proxy" "Proxy({ a: 1 })" "$(ROTA_ENGINE=-proxies "$rota" -p 'new Proxy({ a: 1 }, {})')"
is "the entries of an iterator" "[Map Iterator] { <items unknown> }" "$(ROTA_ENGINE=-iterators "$rota" -p 'new Map([[1, 2]]).keys()')"
is "shared memory" "DataCloneError" "$(ROTA_ENGINE=-shared "$rota" -p 'const { port1 } = new MessageChannel(); let name; try { new (require("worker_threads").Worker)("", { eval: true, workerData: new SharedArrayBuffer(8) }); } catch (error) { name = error.name; } name')"
is "a handler that comes late" "rejectionHandled" "$(ROTA_ENGINE=portable "$rota" -e 'process.on("unhandledRejection", (e, p) => setTimeout(() => p.catch(() => {}), 5)); process.on("rejectionHandled", () => console.log("rejectionHandled")); Promise.reject(1)' 2>&1)"

echo "$good passed, $bad failed, 0 skipped"
[ "$bad" = 0 ]
