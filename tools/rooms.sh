# The tests of each room, sourced by tools/test: `tools/test loop/net`. The folders of test/uv and test/unit, and those of
# runtime/test/js/cases, are called as the rooms; what is called otherwise is named here.

# Folders of runtime/test/js/cases for a room whose name is none of them.
declare -A cases_of=(
  [runtime/bind/buffer]="buffer" [runtime/bind/loop]="order trace_events perf_hooks" [runtime/bind/net]="net dgram dns"
  [runtime/bind/script]="vm modules" [runtime/bind/process]="process child" [runtime/observe]="order trace_events"
  [runtime/lib/async]="async_context order" [runtime/lib/child_process]="child" [runtime/lib/cli]="options" [runtime/lib/console]="inspect"
  [runtime/lib/encoding]="buffer" [runtime/lib/perf]="perf_hooks" [runtime/lib/source_map]="errors typescript" [runtime/lib/timers]="order"
  [runtime/lib/trace]="trace_events" [runtime/lib/url_legacy]="url" [runtime/lib/urlpattern]="url" [runtime/lib/util]="inspect language"
  [runtime/lib/webstreams]="streams" [runtime/lib/structured_clone]="worker" [runtime/extras/test]="test_runner" [runtime/lib/fs]="fs"
  [runtime/lib/process]="process order" [runtime/lib/assert]="errors" [runtime/lib/path]="fs" [runtime/lib/v8]="engine")

# Files of test/observe for its rooms; what needs all of them is the section's.
declare -A observed_by=(
  [observe]="known blame causes" [observe/attach]="attach" [observe/metrics]="metrics" [observe/name]="places causes" [observe/stats]="blame runtime"
  [observe/trace]="known causes export" [observe/watch]="black_box runtime")

is_room() {
  case $1 in
    loop | observe | settings | simulate | inject | command | loop/* | observe/* | inject/* | command/* | runtime/*) [ -d "$1" ] ;;
    *) return 1 ;;
  esac
}

rooms() {
  local name
  ls -d loop/*/ observe/ observe/*/ settings/ simulate/ inject/ inject/*/ command/ runtime/*/ runtime/bind/*/ runtime/lib/*/ runtime/extras/*/ | sed 's,/$,,' |
    grep -vE '^runtime/(bind|lib|extras|test|doc|bench|tools)$' | while read -r name; do
    echo "$name$(is_section "$name" && echo /)"
  done
}

# A room's tests as a section, whose name is unlike that of every other section, and that of its log.
make_section_of_room() { # room
  eval "section_room.${1//\//.}() { test_room $1; }"
}

test_room() {
  local room=$1
  tools/tidy --fast "$room/"
  case $room in
    loop) test_library / ;;
    loop/core | loop/poller) test_library core/ poller/ order/ ;;
    loop/os) test_library os/ fs/ proc/ ;;
    loop/base) test_library base/ core/ ;;
    loop/*) test_library "${room##*/}/" ;;
    observe/page) make_quietly all runtime && with_node test/page ;;
    observe | observe/*) test_library observe/ && make_quietly runtime && test/clients/setup && with_node test/observe 2 ${observed_by[$room]:-${observed_by[observe]}} ;;
    settings) make_quietly unit-tests && "$BUILD/test/unit" settings/ && make_quietly all runtime && "$node" test/inject/small.test.js ;;
    simulate) test_library simulate/ && test_simulated ;;
    inject/agent) make_quietly all runtime && with_node test/observe 2 live live_trace ;;
    inject/clock) make_quietly all runtime && with_node test/inject 1 time ;;
    inject/names) make_quietly all runtime && ONLY=guilty with_node test/inject 1 names ;;
    inject | inject/*) make_quietly all runtime && ONLY="does on librota what it does alone" with_node test/inject 1 node ;;
    command | command/*) make_quietly all runtime && "$node" test/inject/small.test.js ;;
    runtime/napi) section_napi ;;
    runtime/engine) make_quietly runtime && runtime/test/engine/run.sh "$BUILD/bin/rota" ;;
    runtime/modules) section_modules ;;
    runtime/extras/repl) section_repl ;;
    *) test_cases $room ;;
  esac
}

test_library() { # parts of names of files
  local backend
  make_quietly unit-tests uv-tests || return 1
  "$BUILD/test/unit" "$@"
  for backend in $(backends); do
    echo "on $backend"
    LD_LIBRARY_PATH="$BUILD/lib" ROTA_POLLER=$backend "$BUILD/test/uv" -t 60 "$@"
  done
}

test_simulated() {
  make_quietly runtime || return 1
  LD_LIBRARY_PATH="$BUILD/lib" ROTA_VIRTUAL_TIME=1 "$BUILD/test/uv" -t 60 order/
  LD_LIBRARY_PATH="$BUILD/lib" ROTA_SCHEDULE_SEED=7 "$BUILD/test/uv" -t 60 -x test/simulate/uv_differences.txt order/
  ROTA_SCHEDULE_SEED=7 test/simulate/run.sh "$BUILD/bin/rota" seed ./order/
}

test_cases() { # room of the runtime
  local name parts=
  make_quietly runtime || return 1
  for name in ${cases_of[$1]:-${1##*/}}; do
    [ -d "runtime/test/js/cases/$name" ] || { skip "no folder of runtime/test/js/cases is about $1: tools/test js"; return; }
    parts+=" ./$name/"
  done
  runtime/test/js/run.sh "$BUILD/bin/rota" $parts
}
