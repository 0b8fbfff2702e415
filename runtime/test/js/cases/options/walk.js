'use strict';

// All options that the help of Node 26 lists, with those that it takes without listing them: each is shown by a case of test/js, or is a hint that changes
// nothing (runtime/doc/OPTIONS.md), or is refused with the exit code 9 and a reason. And NODE_OPTIONS takes what Node's takes.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

// name[=value that it takes]; -: NODE_OPTIONS may not have it
const listed = `abort-on-uncaught-exception addons allow-addons allow-child-process allow-ffi allow-fs-read=/ allow-fs-vfs allow-fs-write=/ allow-inspector allow-net
  allow-openssl-store allow-wasi allow-worker async-context-frame -bench bench-isolation=none bench-name-pattern=a bench-reporter=tap bench-reporter-destination=stdout
  bench-samples=1 bench-warmup=1 -build-sea=a -build-snapshot -build-snapshot-config=a -check -completion-bash conditions=a cpu-prof cpu-prof-dir=a cpu-prof-interval=1
  cpu-prof-name=a debug-port=9999 deprecation diagnostic-dir=/tmp disable-proto=delete disable-sigusr1 disable-warning=a disable-wasm-trap-handler
  disallow-code-generation-from-strings dns-result-order=verbatim enable-etw-stack-walking enable-fips enable-fips-indicator-events enable-network-family-autoselection
  enable-source-maps entry-url -env-file=/dev/null -env-file-if-exists=/dev/null -eval=1 experimental-addon-modules experimental-bench -experimental-config-file=a
  -experimental-default-config-file=a experimental-detect-module experimental-eventsource experimental-ffi experimental-global-navigator experimental-import-meta-resolve
  experimental-import-text -experimental-inspector-network-resource experimental-loader=a -experimental-network-inspection experimental-package-map=a
  experimental-print-required-tla experimental-repl-await experimental-require-module -experimental-sea-config=a experimental-sqlite -experimental-storage-inspection
  experimental-stream-iter experimental-strip-types -experimental-test-coverage experimental-test-isolation=none -experimental-test-module-mocks -experimental-test-tag-filter=a
  experimental-vfs experimental-vm-modules experimental-web-worker experimental-websocket experimental-webstorage -experimental-worker-inspection expose-gc
  extra-info-on-fatal-exception force-async-hooks-checks force-context-aware force-fips force-node-api-uncaught-exceptions-policy frozen-intrinsics global-search-paths
  heap-prof heap-prof-dir=a heap-prof-interval=1 heap-prof-name=a heapsnapshot-near-heap-limit=1 heapsnapshot-signal=SIGUSR2 -help icu-data-dir=a import=a input-type=module
  insecure-http-parser inspect inspect-brk inspect-port=9999 inspect-publish-uid=http inspect-wait -interactive interpreted-frames-native-stack jitless loader=a
  localstorage-file=/tmp/a max-http-header-size=1000 max-old-space-size=100 max-old-space-size-percentage=50 max-semi-space-size=1 network-family-autoselection
  network-family-autoselection-attempt-timeout=100 node-memory-debug node-snapshot openssl-config=/dev/null openssl-legacy-provider openssl-shared-config pending-deprecation
  permission permission-audit preserve-symlinks preserve-symlinks-main -print=1 -prof -prof-process redirect-warnings=/tmp/a report-compact report-dir=/tmp report-directory=/tmp
  report-exclude-env report-exclude-network report-filename=a report-on-fatalerror report-on-signal report-signal=SIGUSR2 report-uncaught-exception require=fs require-module -run=a
  secure-heap=2 secure-heap-min=2 snapshot-blob=a stack-trace-limit=5 strip-types -test -test-concurrency=1 test-coverage-branches=1 test-coverage-exclude=a test-coverage-functions=1
  test-coverage-include=a test-coverage-include-all test-coverage-lines=1 -test-force-exit test-global-setup=a test-isolation=none test-name-pattern=a test-only test-random-seed=1
  test-randomize test-reporter=tap test-reporter-destination=stdout test-rerun-failures=a test-shard=1/1 test-skip-pattern=a -test-timeout=1 -test-update-snapshots throw-deprecation
  title=a tls-cipher-list=a tls-keylog=/tmp/a tls-max-v1.2 tls-max-v1.3 tls-min-v1.0 tls-min-v1.1 tls-min-v1.2 tls-min-v1.3 trace-deprecation trace-env trace-env-js-stack
  trace-env-native-stack trace-event-categories=a trace-event-file-pattern=a trace-events-enabled trace-exit trace-promises trace-require-module=all trace-sigint trace-sync-io trace-tls
  trace-uncaught trace-warnings track-heap-objects unhandled-rejections=warn use-bundled-ca use-env-proxy use-largepages=off use-openssl-ca use-system-ca -v8-options v8-pool-size=1
  -version -vfs-load=a vfs-mount=a warnings watch watch-kill-signal=SIGTERM watch-path=/tmp watch-preserve-output webstorage worker-snapshot zero-fill-buffers`.split(/\s+/);
const accepted = `experimental-abortcontroller experimental-dtls experimental-fetch experimental-global-customevent experimental-global-webcrypto experimental-json-modules
  experimental-modules experimental-quic experimental-report experimental-specifier-resolution=node es-module-specifier-resolution=node experimental-top-level-await
  experimental-wasi-unstable-preview1 experimental-wasm-modules experimental-worker http-parser=legacy napi-modules debug-arraybuffer-allocations verify-base-objects perf-basic-prof
  perf-basic-prof-only-functions perf-prof perf-prof-unwinding-info max-heap-size=100 experimental-shadow-realm -expose-internals -harmony -stack-size=900 -random-seed=1
  -allow-natives-syntax -single-threaded -trace-gc -security-revert=a`.split(/\s+/);

const hints = new Set(`async-context-frame disable-wasm-trap-handler enable-etw-stack-walking force-async-hooks-checks interpreted-frames-native-stack max-semi-space-size node-memory-debug
  node-snapshot worker-snapshot v8-pool-size debug-arraybuffer-allocations verify-base-objects harmony stack-size allow-natives-syntax single-threaded`.split(/\s+/));
const ignored = new Set(accepted.slice(0, 17).map((each) => each.split('=')[0])); // by Node itself

// ---- where each is shown ----

const isRota = process.versions.rota !== undefined;
const place = fs.mkdtempSync(path.join(require('os').tmpdir(), 'walk-')); // some leave files
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));
const root = path.join(__dirname, '..', '..', '..');
let texts = '';
if (isRota) {
  const read = (directory) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) read(file);
      else if (/\.(?:m?js|py|sh)$/.test(entry.name) && file !== __filename) texts += fs.readFileSync(file, 'utf8');
    }
  };
  for (const name of ['js/cases', 'repl', 'napi', 'js/support'].filter((each) => fs.existsSync(path.join(root, each)))) read(path.join(root, name));
}
texts += ' --help'; // above
const isShown = (name) => new RegExp(`--(?:no-)?${name.replaceAll('.', '\\.')}(?![a-z0-9-])`).test(texts);

// ---- the walk ----

// Nothing runs: the help is printed when the options have been read.
function answer(options, environment) {
  const { status, stderr } = spawnSync(process.execPath, [...options, '--help'], { encoding: 'utf8', cwd: place, env: { ...process.env, NODE_OPTIONS: environment }, timeout: 20000 });
  return { status, stderr };
}

let refused = 0;
for (const each of [...listed, ...accepted]) {
  const command = each.startsWith('-');
  const word = `--${command ? each.slice(1) : each}`;
  const name = word.slice(2).split('=')[0];
  if (!isRota && /^(?:inspect|watch)/.test(name)) continue; // it would wait for somebody
  const plain = isRota ? answer([word]) : {};
  const variable = answer([], word);
  const isForbidden = / is not allowed in NODE_OPTIONS/.test(variable.stderr);
  if (isForbidden !== command) console.log(name, 'in NODE_OPTIONS:', variable.stderr);
  if (!isRota) continue;
  const isRefused = plain.status === 9 && plain.stderr.includes(`--${name} is not supported: `);
  if (isRefused) refused++;
  else if (plain.status !== 0) console.log(name, plain.status, plain.stderr);
  if (!isRefused && !hints.has(name) && !ignored.has(name) && !isShown(name)) console.log(name, 'is accepted, and shown nowhere');
  if (isRefused && (hints.has(name) || ignored.has(name))) console.log(name, 'is no hint');
  if (isRefused && !command && !/ is not supported: /.test(variable.stderr)) console.log(name, 'is refused, but not in NODE_OPTIONS', variable.stderr);
}
if (isRota && refused < 50) console.log('only', refused, 'are refused');
console.log(listed.length, accepted.length, 'options, walked');
