/* Every option of Node 26, a few of V8's, and our own: how each is read, whether NODE_OPTIONS may hold it, and what is
 * done about it. Names, kinds and places are Node's.
 *
 * Invariant: an accepted option has its effect, or is a hint that changes nothing that a program can rely on. All
 * others are refused, with a reason: an option that promises safety and does nothing would be worse than none. */
#include "runtime/options/table.h"

#include <stdio.h>
#include <string.h>

static const char no_debugger[] = "there is no debugger in this runtime";
static const char no_bench[] = "there is no module node:bench in this runtime";
static const char no_snapshot[] = "this engine cannot start from a snapshot of its heap";
static const char no_sea[] = "only Node can build single executable applications";
static const char no_profiler[] = "this engine has no profiler whose output the tools of V8 read";
static const char no_heap[] = "this engine cannot make heap snapshots";
static const char no_config[] = "configuration files are not read by this runtime";
static const char no_vfs[] = "there is no module node:vfs in this runtime";
static const char no_ffi[] = "there is no module node:ffi in this runtime";
static const char no_iter[] = "there is no module node:stream/iter in this runtime";
static const char no_webworker[] = "there is no global Worker in this runtime";
static const char no_indicator[] = "OpenSSL 3.0 has no indicators";
static const char no_icu[] = "the engine uses the system's ICU data";
static const char no_coverage[] = "this runtime does not measure coverage";
static const char no_mocks[] = "this test runner cannot mock modules";
static const char no_test_order[] = "this test runner runs all tests, in their order";
static const char no_heap_size[] = "use --max-old-space-size to limit the heap";
static const char no_tracing[] = "the engine does not provide what this would print";
static const char no_ssl_trace[] = "OpenSSL was built without its trace of TLS";
static const char no_watch[] = "this runtime cannot restart a program when files change";
static const char no_proxy[] = "this runtime does not connect through a proxy of the environment";
static const char no_fatal[] = "no report can be written after a fatal error of the engine";
static const char no_realm[] = "this engine has no ShadowRealm";
static const char no_internals[] = "this runtime does not have Node's internal modules";
static const char no_revert[] = "security fixes cannot be reverted";
static const char no_internal_test[] = "it is for tests of Node itself";
static const char no_random[] = "the engine chooses its own random seed";
static const char no_tracegc[] = "the engine does not report its collections";

/* In the order of strcmp. */
static const struct js_option table[] = {
    {"abort-on-uncaught-exception", JS_OPTION_EITHER, true, JS_OPTION_DONE, NULL},
    {"addons", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-addons", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-child-process", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-ffi", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-fs-read", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"allow-fs-vfs", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-fs-write", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"allow-inspector", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-natives-syntax", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"allow-net", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-openssl-store", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-wasi", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"allow-worker", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"async-context-frame", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"attach", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"bench", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_bench},
    {"bench-isolation", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_bench},
    {"bench-name-pattern", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_bench},
    {"bench-reporter", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_bench},
    {"bench-reporter-destination", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_bench},
    {"bench-samples", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_bench},
    {"bench-warmup", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_bench},
    {"black-box", JS_OPTION_EITHER, false, JS_OPTION_DONE, NULL},
    {"build-sea", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_sea},
    {"build-snapshot", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_snapshot},
    {"build-snapshot-config", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_snapshot},
    {"check", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"completion-bash", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"concurrent-array-buffer-sweeping", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"concurrent-recompilation", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"conditions", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"cpu-prof", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_profiler},
    {"cpu-prof-dir", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_profiler},
    {"cpu-prof-interval", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_profiler},
    {"cpu-prof-name", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_profiler},
    {"debug", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_debugger},
    {"debug-arraybuffer-allocations", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"debug-brk", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_debugger},
    {"debug-port", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"deprecation", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"diagnostic-dir", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"disable-proto", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"disable-sigusr1", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"disable-warning", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"disable-wasm-trap-handler", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"disallow-code-generation-from-strings", JS_OPTION_EITHER, true, JS_OPTION_DONE, NULL},
    {"dns-result-order", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"enable-etw-stack-walking", JS_OPTION_EITHER, true, JS_OPTION_HINT, NULL},
    {"enable-fips", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"enable-fips-indicator-events", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_indicator},
    {"enable-network-family-autoselection", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"enable-source-maps", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"engine-check", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"entry-url", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"env-file", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"env-file-if-exists", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"es-module-specifier-resolution", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"eval", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"experimental-abortcontroller", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-addon-modules", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-bench", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_bench},
    {"experimental-config-file", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_config},
    {"experimental-default-config-file", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_config},
    {"experimental-detect-module", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-dtls", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-eventsource", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-fetch", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-ffi", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_ffi},
    {"experimental-global-customevent", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-global-navigator", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-global-webcrypto", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-import-meta-resolve", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-import-text", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-inspector-network-resource", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_debugger},
    {"experimental-json-modules", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-loader", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"experimental-modules", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-network-inspection", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_debugger},
    {"experimental-package-map", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"experimental-print-required-tla", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-quic", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-repl-await", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-report", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-require-module", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-sea-config", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_sea},
    {"experimental-shadow-realm", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_realm},
    {"experimental-specifier-resolution", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-sqlite", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-storage-inspection", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_debugger},
    {"experimental-stream-iter", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_iter},
    {"experimental-strip-types", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-test-coverage", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_coverage},
    {"experimental-test-isolation", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"experimental-test-module-mocks", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_mocks},
    {"experimental-test-snapshots", JS_OPTION_EITHER, false, JS_OPTION_IGNORED, NULL},
    {"experimental-test-tag-filter", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_test_order},
    {"experimental-top-level-await", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-vfs", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_vfs},
    {"experimental-vm-modules", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-wasi-unstable-preview1", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-wasm-modules", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-web-worker", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_webworker},
    {"experimental-websocket", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-webstorage", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"experimental-worker", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"experimental-worker-inspection", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_debugger},
    {"expose-externalize-string", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"expose-gc", JS_OPTION_EITHER, true, JS_OPTION_DONE, NULL},
    {"expose-internals", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_internals},
    {"extra-info-on-fatal-exception", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"force-async-hooks-checks", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"force-context-aware", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"force-fips", JS_OPTION_EITHER, true, JS_OPTION_DONE, NULL},
    {"force-node-api-uncaught-exceptions-policy", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"frozen-intrinsics", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"gc-global", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"gc-interval", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"global-search-paths", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"harmony", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"harmony-shadow-realm", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_realm},
    {"heap-prof", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_profiler},
    {"heap-prof-dir", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_profiler},
    {"heap-prof-interval", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_profiler},
    {"heap-prof-name", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_profiler},
    {"heapsnapshot-near-heap-limit", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_heap},
    {"heapsnapshot-signal", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_heap},
    {"help", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"http-parser", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"icu-data-dir", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_icu},
    {"import", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"input-type", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"insecure-http-parser", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"inspect", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_debugger},
    {"inspect-brk", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_debugger},
    {"inspect-brk-node", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_debugger},
    {"inspect-port", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"inspect-publish-uid", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_debugger},
    {"inspect-wait", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_debugger},
    {"interactive", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"interpreted-frames-native-stack", JS_OPTION_EITHER, true, JS_OPTION_HINT, NULL},
    {"jitless", JS_OPTION_EITHER, true, JS_OPTION_DONE, NULL},
    {"js-float16array", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"loader", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"localstorage-file", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"loop", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"max-heap-size", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_heap_size},
    {"max-http-header-size", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"max-old-space-size", JS_OPTION_EITHER, true, JS_OPTION_DONE, NULL},
    {"max-old-space-size-percentage", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"max-semi-space-size", JS_OPTION_EITHER, true, JS_OPTION_HINT, NULL},
    {"metrics", JS_OPTION_EITHER, false, JS_OPTION_DONE, NULL},
    {"napi-modules", JS_OPTION_EITHER, true, JS_OPTION_IGNORED, NULL},
    {"network-family-autoselection", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"network-family-autoselection-attempt-timeout", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"node-memory-debug", JS_OPTION_EITHER, true, JS_OPTION_HINT, NULL},
    {"node-snapshot", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"openssl-config", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"openssl-legacy-provider", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"openssl-shared-config", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"opt", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"pending-deprecation", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"perf-basic-prof", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_profiler},
    {"perf-basic-prof-only-functions", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_profiler},
    {"perf-prof", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_profiler},
    {"perf-prof-unwinding-info", JS_OPTION_EITHER, true, JS_OPTION_REFUSED, no_profiler},
    {"permission", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"permission-audit", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"preserve-symlinks", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"preserve-symlinks-main", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"print", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"prof", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_profiler},
    {"prof-process", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_profiler},
    {"random-seed", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_random},
    {"redirect-warnings", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"report-compact", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"report-dir", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"report-directory", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"report-exclude-env", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"report-exclude-network", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"report-filename", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"report-on-fatalerror", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_fatal},
    {"report-on-signal", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"report-signal", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"report-uncaught-exception", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"require", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"require-module", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"run", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"samples", JS_OPTION_EITHER, false, JS_OPTION_DONE, NULL},
    {"schedule-faults", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"schedule-hold", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"schedule-pairs", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"schedule-record", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"schedule-replay", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"schedule-seed", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"schedule-without", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"secure-heap", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"secure-heap-min", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"security-revert", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_revert},
    {"security-reverts", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_revert},
    {"single-threaded", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"snapshot-blob", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_snapshot},
    {"stack-size", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"stack-trace-limit", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"stats", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"strip-types", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"test", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"test-concurrency", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"test-coverage-branches", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_coverage},
    {"test-coverage-exclude", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_coverage},
    {"test-coverage-functions", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_coverage},
    {"test-coverage-include", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_coverage},
    {"test-coverage-include-all", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_coverage},
    {"test-coverage-lines", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_coverage},
    {"test-force-exit", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"test-global-setup", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-isolation", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-name-pattern", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-only", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"test-random-seed", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_test_order},
    {"test-randomize", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_test_order},
    {"test-reporter", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-reporter-destination", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-rerun-failures", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_test_order},
    {"test-shard", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-skip-pattern", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"test-timeout", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"test-udp-no-try-send", JS_OPTION_FLAG, false, JS_OPTION_REFUSED, no_internal_test},
    {"test-update-snapshots", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"throw-deprecation", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"timeline", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"title", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"tls-cipher-list", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"tls-keylog", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"tls-max-v1.2", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"tls-max-v1.3", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"tls-min-v1.0", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"tls-min-v1.1", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"tls-min-v1.2", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"tls-min-v1.3", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"trace", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"trace-deprecation", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"trace-env", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"trace-env-js-stack", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"trace-env-native-stack", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_tracing},
    {"trace-event-categories", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"trace-event-file-pattern", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"trace-events-enabled", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"trace-exit", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"trace-gc", JS_OPTION_EITHER, false, JS_OPTION_REFUSED, no_tracegc},
    {"trace-promises", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_tracing},
    {"trace-require-module", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"trace-sigint", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_tracing},
    {"trace-sync-io", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_tracing},
    {"trace-tls", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_ssl_trace},
    {"trace-uncaught", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_tracing},
    {"trace-warnings", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"track-heap-objects", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_heap},
    {"turbo-fast-api-calls", JS_OPTION_EITHER, false, JS_OPTION_HINT, NULL},
    {"unhandled-rejections", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"use-bundled-ca", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"use-env-proxy", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_proxy},
    {"use-largepages", JS_OPTION_VALUE, true, JS_OPTION_DONE, NULL},
    {"use-openssl-ca", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"use-system-ca", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"v8-options", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"v8-pool-size", JS_OPTION_VALUE, true, JS_OPTION_HINT, NULL},
    {"verify-base-objects", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"version", JS_OPTION_FLAG, false, JS_OPTION_DONE, NULL},
    {"vfs-load", JS_OPTION_VALUE, false, JS_OPTION_REFUSED, no_vfs},
    {"vfs-mount", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_vfs},
    {"virtual-time", JS_OPTION_EITHER, false, JS_OPTION_DONE, NULL},
    {"warnings", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"watch", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_watch},
    {"watch-kill-signal", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_watch},
    {"watch-path", JS_OPTION_VALUE, true, JS_OPTION_REFUSED, no_watch},
    {"watch-preserve-output", JS_OPTION_FLAG, true, JS_OPTION_REFUSED, no_watch},
    {"watchdog", JS_OPTION_VALUE, false, JS_OPTION_DONE, NULL},
    {"webstorage", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
    {"worker-snapshot", JS_OPTION_FLAG, true, JS_OPTION_HINT, NULL},
    {"zero-fill-buffers", JS_OPTION_FLAG, true, JS_OPTION_DONE, NULL},
};

enum { TABLE_COUNT = sizeof table / sizeof *table };

const struct js_option *js_option_find(const char *name, size_t length) {
  size_t low = 0, high = TABLE_COUNT;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strncmp(table[middle].name, name, length);
    if (order == 0 && table[middle].name[length] != 0)
      order = 1;
    if (order == 0)
      return &table[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const struct js_option *js_option_at(size_t index) {
  return index < TABLE_COUNT ? &table[index] : NULL;
}

/* ---- what is printed of the table ---- */

/* In the format of V8's list of options, which programs parse. */
static const char engine_help_text[] =
    "Options of V8 that may be given. The engine is another one: those with an effect say which.\n"
    "\n"
    "Options:\n"
    "  --expose-gc (a global function gc)\n"
    "  --allow-natives-syntax (no effect)\n"
    "  --disallow-code-generation-from-strings (eval and new Function throw)\n"
    "  --interpreted-frames-native-stack (no effect)\n"
    "  --jitless (interpret; no executable memory is made)\n"
    "  --max-old-space-size (the most that the heap may hold, in MB)\n"
    "  --max-semi-space-size (no effect)\n"
    "  --single-threaded (no effect)\n"
    "  --stack-size (no effect)\n"
    "  --stack-trace-limit (frames in an error's stack)\n";

void js_help_print_engine(void) {
  fputs(engine_help_text, stdout);
}

/* What a shell completes: the names of all options that are accepted, and of files. */
void js_help_print_completion(void) {
  fputs("_rota_complete() {\n  local cur_word options\n  cur_word=\"${COMP_WORDS[COMP_CWORD]}\"\n"
        "  if [[ \"${cur_word}\" == -* ]] ; then\n    COMPREPLY=( $(compgen -W '",
        stdout);
  const struct js_option *option;
  for (size_t i = 0; (option = js_option_at(i)) != NULL; i++)
    if (option->effect != JS_OPTION_REFUSED)
      printf("--%s ", option->name);
  fputs("' -- \"${cur_word}\") )\n    return 0\n  else\n    COMPREPLY=( $(compgen -f \"${cur_word}\") )\n"
        "    return 0\n  fi\n}\ncomplete -o filenames -o nospace -o bashdefault -F _rota_complete rota\n",
        stdout);
}
