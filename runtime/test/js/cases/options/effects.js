'use strict';

// What options do, each shown by a line of code: together with the other cases, all that are accepted are shown (walk.js looks for that).
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const support = path.join(__dirname, 'support');
const place = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'options-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));
fs.symlinkSync(path.join(support, 'preload.js'), path.join(place, 'link.js'));

const md4 = "try { console.log(require('crypto').createHash('md4').update('').digest('hex').slice(0, 8)); } catch (error) { console.log(error.code); }";
const versions = "const { DEFAULT_MIN_VERSION: a, DEFAULT_MAX_VERSION: b } = require('tls'); console.log(a, b)";
const stack = 'const found = String(new Error().stack); process.emitWarning("old", "DeprecationWarning", "DEP1")';
const bothLines = (text) => text.split('\n').slice(0, 2).join(' / ');

// [options..., { code, script, env, show, input }]
const effects = [
  [['--check', path.join(support, 'preload.js')]],
  [['--print', '1 + 1']],
  [['--eval', 'console.log(3)']],
  [['--version']],
  [['--interactive'], { input: '1 + 1\n.exit\n', show: (out) => out.includes('2') }],
  [['--interactive', '--no-experimental-repl-await'], { input: 'await 5\n.exit\n', show: (out) => /Syntax/.test(out) }],
  [['--completion-bash'], { show: (out) => /--permission\b/.test(out) && /complete -o filenames/.test(out) }],
  [['--no-addons'], { code: "try { process.dlopen({ exports: {} }, '/none.node'); } catch (error) { console.log(error.code); }" }],
  [['--permission', '--allow-fs-vfs'], { code: "console.log(process.permission.has('fs.read'))" }],
  [['--inspect-port=9777'], { code: 'console.log(process.debugPort)' }],
  [['--debug-port', 'localhost:9778'], { code: 'console.log(process.debugPort)' }],
  [['--inspect-port=80'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--diagnostic-dir', place], { code: 'process.report.writeReport("diagnosed.json")', show: () => fs.existsSync(path.join(place, 'diagnosed.json')) }],
  [['--disable-sigusr1'], { code: "process.kill(process.pid, 'SIGUSR1'); setTimeout(() => {}, 200)", show: (out, stderr, status, signal) => signal }],
  [['--disable-warning=DEP1', '--disable-warning=Kind'], { code: `${stack}; process.emitWarning('x', 'Kind'); process.emitWarning('shown')`, show: (out, stderr) => stderr.split('\n')[0].replace(/\d+/, 'PID') }],
  [['--enable-fips'], { show: (out, stderr) => bothLines(stderr).replace(process.execPath, 'EXEC') }],
  [['--force-fips'], { show: (out, stderr) => bothLines(stderr).replace(process.execPath, 'EXEC') }],
  [['--force-fips=none'], { show: (out, stderr) => bothLines(stderr).replace(process.execPath, 'EXEC') }],
  [['--no-enable-network-family-autoselection'], { code: "console.log(require('net').getDefaultAutoSelectFamily())" }],
  [['--no-network-family-autoselection'], { code: "console.log(require('net').getDefaultAutoSelectFamily())" }],
  [['--network-family-autoselection-attempt-timeout=123'], { code: "console.log(require('net').getDefaultAutoSelectFamilyAttemptTimeout())" }],
  [['--entry-url', '--no-warnings', 'data:text/javascript,console.log(import.meta.url.slice(0,5))']],
  [['--entry-url', '--no-warnings', './preload.mjs?query'], { cwd: support }],
  [['--env-file', path.join(support, 'variables.env')], { code: 'console.log(process.env.FROM_FILE, process.title, process.noDeprecation)' }],
  [['--env-file-if-exists=/none', `--env-file=${path.join(support, 'permission.env')}`], { code: "try { require('fs').readFileSync('/etc/passwd'); } catch (error) { console.log(error.code); }" }],
  [['--env-file=/none'], { show: (out, stderr) => stderr.split(': ').slice(1).join(': ').trim() }],
  [['--experimental-eventsource'], { code: 'console.log(typeof EventSource)' }],
  [['--no-experimental-detect-module', path.join(support, 'ambiguous.js')], { show: (out, stderr) => /SyntaxError: .*/.exec(stderr)?.[0] }],
  [['--experimental-detect-module', path.join(support, 'ambiguous.js')]],
  [['--experimental-import-meta-resolve', path.join(support, 'meta.mjs')]],
  [[path.join(support, 'meta.mjs')], { show: (out) => out.slice(-4) }],
  [['--experimental-import-text', path.join(support, 'text.mjs')]],
  [['--experimental-loader', path.join(support, 'loader.mjs'), '--no-warnings'], { code: "import('virtual:thing').then((all) => console.log(all.default))" }],
  [['--loader', path.join(support, 'loader.mjs'), '--no-warnings'], { code: "import('virtual:thing').then((all) => console.log(all.default))" }],
  [['--no-experimental-sqlite'], { code: "try { require('node:sqlite'); } catch (error) { console.log(error.code); }" }],
  [['--experimental-vm-modules', '--no-warnings'], { code: "new (require('vm').Script)('import(1)', { importModuleDynamically: () => import('node:os') }).runInThisContext().then((all) => console.log(typeof all.cpus))" }],
  [['--no-experimental-webstorage'], { code: 'console.log(typeof Storage)' }],
  [['--webstorage', '--no-warnings'], { code: 'console.log(typeof Storage)' }],
  [['--no-experimental-global-navigator'], { code: 'console.log(typeof navigator)' }],
  [['--no-extra-info-on-fatal-exception'], { code: 'throw new Error("x")', show: (out, stderr) => /Node\.js v/.test(stderr) }],
  [['--abort-on-uncaught-exception'], { code: 'throw new Error("x")', show: (out, stderr, status, signal) => /Error: x/.test(stderr) && signal !== null && status === null }],
  [['--no-global-search-paths'], { code: "try { require('somewhere'); } catch (error) { console.log(error.code); }", env: { NODE_PATH: path.join(support, 'path') } }],
  [['--global-search-paths'], { code: "console.log(require('somewhere'))", env: { NODE_PATH: path.join(support, 'path') } }],
  [['--max-old-space-size=128', '--max-old-space-size-percentage=50', '--force-context-aware', '--force-node-api-uncaught-exceptions-policy'], { code: 'console.log(1)' }],
  [['--max-old-space-size-percentage=x'], { show: (out, stderr) => stderr.split(': ').slice(1).join(': ').trim() }],
  [['--openssl-legacy-provider'], { code: md4 }],
  [['--no-openssl-legacy-provider'], { code: md4 }],
  [[`--openssl-config=${path.join(support, 'legacy.cnf')}`], { code: md4 }],
  [[`--openssl-config=${path.join(support, 'legacy.cnf')}`, '--openssl-shared-config'], { code: md4 }],
  [[], { code: md4, env: { OPENSSL_CONF: path.join(support, 'legacy.cnf') } }],
  [[`--openssl-config=${path.join(support, 'loader.mjs')}`], { show: (out, stderr, status) => [/OpenSSL configuration error:/.test(stderr), status] }],
  [['--pending-deprecation'], { code: "require('crypto').createHash('sha1'); new Buffer(1)", show: (out, stderr) => /DEP0005/.test(stderr) }],
  [['--preserve-symlinks', '--preserve-symlinks-main', path.join(place, 'link.js')]],
  [['--redirect-warnings', path.join(place, 'warnings')], { code: 'process.emitWarning("told")', show: (out, stderr) => [stderr, fs.readFileSync(path.join(place, 'warnings'), 'utf8').includes('told')] }],
  [['--report-compact', '--report-dir', place, '--report-filename=made.json', '--report-exclude-env', '--report-exclude-network', '--report-uncaught-exception', '--no-warnings'],
    { code: 'throw new Error("x")', show: () => {
      const text = fs.readFileSync(path.join(place, 'made.json'), 'utf8');
      const report = JSON.parse(text);
      return [text.trim().includes('\n'), 'environmentVariables' in report, 'networkInterfaces' in report.header, report.header.trigger];
    } }],
  [['--report-on-signal', '--report-signal=SIGUSR2', `--report-directory=${place}`, '--report-filename', 'signal.json'],
    { code: "process.kill(process.pid, 'SIGUSR2'); setTimeout(() => {}, 300)", show: () => JSON.parse(fs.readFileSync(path.join(place, 'signal.json'), 'utf8')).header.event }],
  [['--no-require-module'], { code: `try { require(${JSON.stringify(path.join(support, 'preload.mjs'))}); } catch (error) { console.log(error.code); }` }],
  [['--run', 'tell'], { cwd: path.join(support, 'package') }],
  [['--run=tell', '--', 'a b'], { cwd: path.join(support, 'package') }],
  [['--run', 'fail'], { cwd: path.join(support, 'package') }],
  [['--run', 'none'], { cwd: path.join(support, 'package'), show: (out, stderr) => stderr.split('\n')[0].replace(support, '') }],
  [['--secure-heap=65536', '--secure-heap-min=2'], { code: "console.log(require('crypto').secureHeapUsed().total)" }],
  [['--secure-heap=3'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--throw-deprecation'], { code: stack, show: (out, stderr) => /DeprecationWarning: old/.test(stderr) }],
  [['--trace-deprecation'], { code: stack, show: (out, stderr) => /DeprecationWarning: old\n +at/.test(stderr) }],
  [['--tls-cipher-list=AES128-SHA'], { code: "console.log(require('tls').DEFAULT_CIPHERS)" }],
  [['--tls-min-v1.0'], { code: versions }], [['--tls-min-v1.1'], { code: versions }], [['--tls-min-v1.2'], { code: versions }], [['--tls-min-v1.3'], { code: versions }],
  [['--tls-max-v1.2'], { code: versions }], [['--tls-max-v1.3'], { code: versions }],
  [['--tls-min-v1.3', '--tls-max-v1.2'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--tls-keylog', path.join(place, 'keys')], { code: 'console.log(1)' }],
  [['--trace-env'], { code: 'process.env.ASKED_FOR; process.env.PUT = 1; delete process.env.PUT; "ASKED_FOR" in process.env', show: (out, stderr) => stderr.split('\n').filter((line) => /ASKED_FOR|PUT/.test(line)) }],
  [['--trace-env-js-stack'], { code: 'function inner() { process.env.ASKED_FOR; } inner()', show: (out, stderr) => [/get "ASKED_FOR"\n\n-----/.test(stderr), /1: inner/.test(stderr)] }],
  [['--trace-events-enabled', '--trace-event-file-pattern', path.join(place, 'trace.log')], { code: 'console.log(1)', show: (out) => [out, fs.existsSync(path.join(place, 'trace.log'))] }],
  [['--trace-require-module=all'], { code: `require(${JSON.stringify(path.join(support, 'preload.mjs'))})`, show: (out, stderr) => [out, /require/.test(stderr)] }],
  [['--trace-require-module=none'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--experimental-print-required-tla'], { code: 'console.log(1)' }],
  [['--use-bundled-ca'], { code: "console.log(require('tls').getCACertificates().length > 0)" }],
  [['--use-openssl-ca'], { code: 'console.log(1)' }], [['--use-system-ca'], { code: 'console.log(1)' }],
  [['--use-openssl-ca', '--use-bundled-ca'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--use-largepages=on'], { code: 'console.log(1)', show: (out, stderr) => [out, stderr.split(': ').at(-1)] }],
  [['--use-largepages=all'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--unhandled-rejections=other'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--input-type=other'], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--experimental-addon-modules', '--test-force-exit', '--test-isolation=none', '--experimental-test-isolation=none', `--test-global-setup=${path.join(support, 'preload.js')}`], { code: 'console.log(1)' }],
  [['--title'], { show: (out, stderr) => stderr.split(': ').at(-1) }], [['--title='], { show: (out, stderr) => stderr.split(': ').at(-1) }],
  [['--no-title'], { show: (out, stderr) => stderr.split(': ').at(-1) }], [['--none'], { show: (out, stderr) => stderr.replace(process.execPath, '') }],
  [['--no-warnings', '--warnings'], { code: 'process.emitWarning("shown")', show: (out, stderr) => /shown/.test(stderr) }],
  [['--warnings', '--no-warnings'], { code: 'process.emitWarning("shown")', show: (out, stderr) => /shown/.test(stderr) }],
  [['--expose_gc'], { code: 'console.log(typeof gc)' }],
  [['--jitless'], { code: "console.log(require('fs').readFileSync('/proc/self/maps', 'utf8').split('\\n').filter((line) => /^\\S+ ..x. \\S+ \\S+ 0 *$/.test(line)))" }],
  ...['--title="a b"', '--title="a', '--eval 1', '--none=1', 'word', '--no-deprecation', '-r', '--', '--random-seed=1', '--stack-size=900', '--test', '--security-revert=x', '--no-title'].map((text) =>
    [[], { code: 'console.log(process.title.includes("a b"))', env: { NODE_OPTIONS: text }, show: (out, stderr) => [text, out, stderr.split(': ').slice(1).join(': ').trim()] }]),
];

function perform([options, { code, cwd = place, env, input, show = (out) => out } = {}]) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, code === undefined ? options : [...options, '-e', code], { cwd, env: { ...process.env, NODE_OPTIONS: undefined, ...env } });
    let out = '', err = '';
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { err += data; });
    child.stdin.on('error', () => {}).end(input ?? '');
    child.on('close', (status, signal) => {
      let shown;
      try {
        shown = show(out, err, status, signal);
      } catch (error) {
        shown = error.message;
      }
      resolve([options.map((each) => each.replace(support, 'SUPPORT').replace(place, 'PLACE')).join(' '), typeof shown === 'string' ? shown.trim() : shown, status]);
    });
  });
}

(async () => {
  const waiting = effects.map((effect, i) => [i, effect]);
  const lines = [];
  await Promise.all(Array.from({ length: 4 }, async () => {
    for (let next; (next = waiting.shift()) !== undefined;) lines[next[0]] = await perform(next[1]);
  }));
  for (const [options, shown, status] of lines) console.log(options, '->', shown, status);
})();
