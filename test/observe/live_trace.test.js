'use strict';
// rota attach trace and timeline for official Nodes that nothing prepared: callbacks are exchanged, recorded, and put back.

const { assert, build, finish, mustRun, root, rota, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const net = require('net');
const path = require('path');
const { attach, belongings, freePort, leavesNothing, nodes, sleep, start, startOf, until, versionOf, withProcess, write } = require('./attached.js');

const node = nodes[0];
const addon = path.join(scratch, 'callbacks.node');
mustRun(process.env.CC || 'cc', ['-shared', '-fPIC', '-D_GNU_SOURCE', '-I', root, '-I', path.join(root, 'include'), path.join(__dirname, 'callbacks.c'), '-o', addon]);

// Says on request which of its callbacks are the agent's.
const preamble = `
  const module_ = { exports: {} };
  process.dlopen(module_, ${JSON.stringify(addon)});
  const idle = 6; // Node starts and stops its own as it likes
  const callbacks = () => {
    const ranges = require('fs').readFileSync('/proc/self/maps', 'utf8').split('\\n').filter((line) => line.includes('rota-agent.node'))
      .map((line) => line.split(' ')[0].split('-').map((word) => parseInt(word, 16)));
    const all = module_.exports().split('\\n').map((line) => line.split(' '));
    const own = (word) => ranges.some(([begin, end]) => parseInt(word, 16) >= begin && parseInt(word, 16) < end);
    const exchanged = all.filter(([type, ...words]) => words.some(own)).map(([type]) => type);
    return JSON.stringify({ exchanged, all: exchanged.length > 0 ? [] : all.map((words) => words.join(' ')).filter((line) => !line.startsWith(idle + ' ')).sort() });
  };
`;
const server = write('server.js', `${preamble}
  const http = require('http'), fs = require('fs');
  function burn(ms) { const end = Date.now() + ms; while (Date.now() < end); }
  function parseReport() { burn(40); }
  http.createServer(function onRequest(request, response) {
    if (request.url === '/slow') parseReport();
    if (request.url === '/file') return fs.readFile(__filename, () => response.end('ok'));
    response.end(request.url === '/callbacks' ? callbacks() : 'ok');
  }).listen(0, '127.0.0.1', function () {
    setInterval(function slowTimer() { burn(30); setImmediate(() => {}); }, 200);
    console.log(this.address().port);
  });
`);

const get = async (port, where = '/') => (await fetch(`http://127.0.0.1:${port}${where}`)).text();
const eventsOf = (file) => JSON.parse(fs.readFileSync(path.join(scratch, file), 'utf8'));
const named = (events, name) => events.filter((event) => event.cat === 'call' && event.name === name);

// Until state.isOver; a response that is not right, or missing, is told by `load`.
function ask(port, state) {
  const load = (async () => {
    for (; !state.isOver; state.asked++) assert.strictEqual(await get(port, ['/', '/slow', '/file'][state.asked % 3]), 'ok');
  })();
  load.catch(() => {}); // a test that has failed ends its process
  return load;
}

// The handles of the session are closed one iteration after the command.
async function isRestored(port) {
  let found;
  for (let tries = 0; tries < 100; tries++, await sleep(50)) {
    found = JSON.parse(await get(port, '/callbacks'));
    if (found.exchanged.length === 0) return;
  }
  assert.fail(`callbacks of the agent are left: ${found.exchanged}`);
}

function checkTrace(events, asked) {
  const calls = events.filter((event) => event.cat === 'call');
  assert.ok(named(events, 'onRequest').length > 0 && asked > 0);
  for (const call of named(events, 'onRequest')) assert.ok(call.dur > 500 && call.args.file.endsWith('server.js') && call.args.phase === 'poll' && call.args.on === 'tcp');
  assert.ok(named(events, 'slowTimer').every((call) => call.args.phase === 'timers' && call.dur > 25000));
  assert.ok(named(events, 'slowTimer').length >= 3);
  for (const name of ['(data to read)', '(check: setImmediate)', '(results of the thread pool)']) assert.ok(named(events, name).length > 0, name);
  const stacks = events.filter((event) => event.cat === 'sample').map((event) => event.args.stack.join(' < '));
  assert.ok(stacks.some((stack) => /^onRequest \(.*server\.js:\d+\) < .*parseReport \(.*\) < burn \(.*server\.js:\d+\)$/.test(stack)), stacks.join('\n'));
  // Callbacks of one loop do not overlap, and lie within their iteration.
  calls.sort((x, y) => x.ts - y.ts);
  for (let i = 1; i < calls.length; i++) assert.ok(calls[i].ts >= calls[i - 1].ts + calls[i - 1].dur - 0.01);
  const iterations = events.filter((event) => event.cat === 'iteration');
  for (const { ts, dur, args } of iterations) {
    const inside = calls.filter((call) => call.ts >= ts && call.ts + call.dur <= ts + dur + 0.01);
    assert.strictEqual(inside.length, args.calls);
    assert.ok(inside.reduce((sum, call) => sum + call.dur, 0) <= dur - args.waited_us + 0.1);
  }
}

for (const program of nodes)
  test(`${versionOf(program)}: a trace and a page, and all callbacks are put back`, () => withProcess(program, [], [server], async (id, { child }) => {
    const port = child.said.trim(), state = { asked: 0 };
    await get(port, '/file');
    const before = belongings(id);
    const trace = start('attach', id, 'trace', '--time=1.5', '-o', 'trace.json'), load = ask(port, state);
    const seen = new Set();
    for (let tries = 0; tries < 200 && !['pool', '12', '13'].every((type) => seen.has(type)); tries++) {
      for (const type of JSON.parse(await get(port, '/callbacks')).exchanged) seen.add(type);
      await sleep(10);
    }
    assert.ok(['pool', '12', '13'].every((type) => seen.has(type)), [...seen].join(' '));
    assert.strictEqual((await trace.done).status, 0, trace.stderr);
    const events = eventsOf('trace.json');
    checkTrace(events, state.asked);
    assert.strictEqual(events.at(-1).name, 'rota_end');
    const page = await attach(id, 'timeline', '--time=0.5', '-o', 'page.html');
    assert.strictEqual(page.status, 0, page.stderr);
    assert.match(fs.readFileSync(path.join(scratch, 'page.html'), 'utf8'), /slowTimer/);
    state.isOver = true;
    await load;
    await leavesNothing(id, before);
    await isRestored(port);
  }));

test('each callback is what it was before', () => withProcess(node, [], [write('quiet.js', `${preamble}
  const server = require('net').createServer((socket) => socket.resume()).listen(0, '127.0.0.1', () => require('net').connect(server.address().port, '127.0.0.1').resume());
  console.log('ready');
  setInterval(() => console.log(callbacks()), 50);
`)], async (id, { child }) => {
  const last = () => child.said.split('\n').filter((line) => line.endsWith('}')).map((line) => JSON.parse(line)).at(-1);
  await until('handles', () => child.said.split('\n').length > 10);
  const { all } = last();
  for (let round = 0; round < 3; round++) {
    const trace = start('attach', id, 'trace', '--time=60', '-o', 'quiet.json');
    await until('exchanged', () => last().exchanged.length > 4);
    trace.client.kill(['SIGKILL', 'SIGINT', 'SIGTERM'][round]);
    await until('put back', () => last().exchanged.length === 0);
    const after = [...last().all]; // Node may have made more by itself
    for (const line of all) assert.ok(after.includes(line) && after.splice(after.indexOf(line), 1), `${line} is missing in ${last().all.join(', ')}`);
  }
}));

test('the command is killed while callbacks are exchanged', () => withProcess(node, [], [server], async (id, { child }) => {
  const port = child.said.trim(), state = { asked: 0 };
  await get(port, '/file');
  const before = belongings(id), load = ask(port, state);
  for (let round = 0; round < 3; round++) {
    const trace = start('attach', id, 'trace', '--time=60', '-o', 'killed.json');
    await until('exchanged', () => fs.existsSync(path.join(scratch, 'killed.json')) && fs.statSync(path.join(scratch, 'killed.json')).size > 0);
    trace.client.kill('SIGKILL');
    await trace.done;
    await isRestored(port);
    fs.rmSync(path.join(scratch, 'killed.json'));
  }
  state.isOver = true;
  await load;
  await leavesNothing(id, before);
  await isRestored(port);
}));

test('Ctrl-C and rota detach end it, and the file is whole', () => withProcess(node, [], [server], async (id, { child }) => {
  for (const how of ['SIGINT', 'detach']) {
    const trace = start('attach', id, 'trace', '--time=60', '-o', 'short.json');
    await until('events', () => fs.existsSync(path.join(scratch, 'short.json')) && fs.readFileSync(path.join(scratch, 'short.json'), 'utf8').includes('slowTimer'));
    if (how === 'detach') assert.strictEqual((await start('detach', id).done).status, 0);
    else trace.client.kill('SIGINT');
    assert.strictEqual((await trace.done).status, how === 'detach' ? 1 : 0, trace.stderr);
    assert.strictEqual(eventsOf('short.json').at(-1).name === 'rota_end', how !== 'detach');
    assert.ok(named(eventsOf('short.json'), 'slowTimer').length > 0);
    fs.rmSync(path.join(scratch, 'short.json'));
    await isRestored(child.said.trim());
  }
}));

test('a process that ends while it is traced', async () => {
  const sign = path.join(scratch, 'end'), file = path.join(scratch, 'ended.json');
  for (const end of [`process.exit(3)`, `process.kill(process.pid, 'SIGKILL')`, `process.abort()`, `null.x`]) {
    const program = write('ends.js', `console.log('ready'); setInterval(() => { if (require('fs').existsSync(${JSON.stringify(sign)})) { ${end} } }, 5);`);
    await withProcess(node, [], [program], async (id, { ended }) => {
      const trace = start('attach', id, 'trace', '--time=60', '-o', 'ended.json');
      await until('events', () => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes('(timers)'));
      fs.writeFileSync(sign, '');
      await trace.done;
      assert.match(trace.stderr, /it has ended/);
      assert.strictEqual(trace.status, 1);
      assert.ok(named(eventsOf('ended.json'), '(timers)').length > 0);
      assert.ok([3, 1, 'SIGKILL', 'SIGABRT'].includes(await ended));
    });
    fs.rmSync(sign);
    fs.rmSync(file);
  }
});

// Each round of it goes through what a program can do to its handles while their callbacks are the agent's; a byte that is lost is told.
const odd = write('odd.js', `${preamble}
  const net = require('net'), http = require('http'), https = require('https'), fs = require('fs'), dgram = require('dgram'), { spawn } = require('child_process');
  const { once } = require('events'), assert = require('assert'), { Worker } = require('worker_threads');
  const options = { key: fs.readFileSync(process.argv[2]), cert: fs.readFileSync(process.argv[3]), rejectUnauthorized: false };
  const big = Buffer.alloc(300000, 'abcdefghij');
  const read = async (stream) => { let text = ''; for await (const chunk of stream) text += chunk; return text; };
  const listen = async (server) => { server.listen(0, '127.0.0.1'); await once(server, 'listening'); return server.address().port; };
  const rounds = {
    async closedInItsOwnCallback() {
      const server = net.createServer((socket) => socket.on('data', () => socket.destroy()).on('error', () => {}));
      const client = net.connect(await listen(server), '127.0.0.1', () => client.write('x')).on('error', () => {});
      await once(client, 'close');
      server.close();
    },
    async stopsAndStarts() {
      const server = net.createServer((socket) => { socket.end(big); });
      const client = net.connect(await listen(server), '127.0.0.1');
      let length = 0;
      client.on('data', (data) => { length += data.length; client.pause(); setImmediate(() => client.resume()); });
      await once(client, 'end');
      assert.strictEqual(length, big.length);
      server.close();
    },
    async upgrades() {
      const server = http.createServer().on('upgrade', (request, socket) => {
        socket.removeAllListeners();
        socket.write('HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: echo\\r\\n\\r\\n');
        socket.on('error', () => {}).pipe(socket);
      });
      const request = http.get({ port: await listen(server), host: '127.0.0.1', headers: { Connection: 'Upgrade', Upgrade: 'echo' } });
      const [, socket] = await once(request, 'upgrade');
      socket.end('through the upgrade');
      assert.strictEqual(await read(socket), 'through the upgrade');
      server.close();
    },
    async tls() {
      const server = https.createServer(options, (request, response) => request.pipe(response));
      const request = https.request({ ...options, port: await listen(server), host: '127.0.0.1', method: 'POST', agent: false });
      request.end(big);
      const [response] = await once(request, 'response');
      assert.strictEqual(await read(response), String(big));
      server.close();
    },
    async datagrams() {
      const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      socket.send('datagram', socket.address().port, '127.0.0.1');
      assert.strictEqual(String((await once(socket, 'message'))[0]), 'datagram');
      socket.close();
    },
    async children() {
      const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.end('through a child');
      const [text, [code]] = await Promise.all([read(child.stdout), once(child, 'close')]);
      assert.deepStrictEqual([text, code], ['through a child', 0]);
    },
    async signals() {
      const seen = once(process, 'SIGWINCH');
      process.kill(process.pid, 'SIGWINCH');
      await seen;
    },
    async files() {
      const watcher = fs.watch(process.argv[4]), seen = once(watcher, 'change');
      await fs.promises.writeFile(process.argv[4] + '/file', 'text');
      await seen;
      watcher.close();
      assert.strictEqual(await fs.promises.readFile(process.argv[4] + '/file', 'utf8'), 'text');
    },
    async workers() {
      const worker = new Worker('require("worker_threads").parentPort.once("message", (m) => { require("worker_threads").parentPort.postMessage(m * 2); })', { eval: true });
      worker.postMessage(21);
      assert.strictEqual((await once(worker, 'message'))[0], 42);
      await worker.terminate();
    },
  };
  let count = 0;
  setInterval(() => {}, 3);
  const steady = dgram.createSocket('udp4').bind(0, '127.0.0.1', () => setInterval(() => steady.send('x', steady.address().port, '127.0.0.1'), 20));
  setInterval(() => console.log('callbacks ' + callbacks()), 100);
  (async () => {
    for (;;) {
      for (const [name, round] of Object.entries(rounds)) await Promise.race([round(), new Promise((_, fail) => setTimeout(fail, 20000, new Error(name + ' hangs')).unref())]);
      console.log('right ' + ++count);
    }
  })().catch((error) => { console.error(error); console.log('wrong ' + error); process.exit(9); });
`);

for (const program of nodes)
  test(`${versionOf(program)}: handles that are closed, stopped, upgraded, and reused while they are traced`, async () => {
    const [key, certificate, folder] = ['key.pem', 'certificate.pem', 'watched'].map((name) => path.join(scratch, name));
    fs.mkdirSync(folder, { recursive: true });
    mustRun('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]);
    await withProcess(program, [], [odd, key, certificate, folder], async (id, { child }) => {
      const rounds = () => Number([...child.said.matchAll(/^right (\d+)/gm)].at(-1)?.[1] ?? 0);
      const isExchanged = () => {
        const [, last] = [...child.said.matchAll(/^callbacks (\{.*\})$/gm)].at(-1) ?? [];
        return last !== undefined && JSON.parse(last).exchanged.length > 0;
      };
      const seen = new Set(), wanted = ['tcp', 'udp', 'timer', 'async', 'signal', 'process', 'fs_event', 'pipe'];
      const isAllSeen = () => wanted.every((type) => seen.has(type));
      // A callback of a new handle may be missing.
      for (let times = 0; times < 3 || (times < 12 && !isAllSeen()); times++) {
        const trace = start('attach', id, 'trace', '--time=60', '-o', 'odd.json');
        await until('it is traced', () => isExchanged() || child.exitCode !== null);
        const before = rounds();
        await until('rounds', () => rounds() > before + 2 || child.exitCode !== null);
        trace.client.kill('SIGINT');
        await trace.done;
        assert.strictEqual(trace.status, 0, trace.stderr + child.said.slice(-500));
        for (const event of eventsOf('odd.json')) if (event.cat === 'call') seen.add(event.args.on);
      }
      assert.ok(isAllSeen(), [...seen].join(' '));
      child.said = child.said.slice(-10);
      await until('nothing of the agent', () => [...child.said.matchAll(/^callbacks (.*)$/gm)].some(([, text]) => text.endsWith('}') && JSON.parse(text).exchanged.length === 0));
      assert.ok(!child.said.includes('wrong') && child.exitCode === null, child.said);
    });
  });

const several = write('several.js', `
  const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); };
  function first() { burn(30); }
  const second = { ['\\x1b[2Jsecond']() { burn(60); } }['\\x1b[2Jsecond'];
  setInterval(() => { setImmediate(first); setImmediate(second); }, 200);
  console.log('ready');
`);

test('what has called several functions bears the name of none, and control characters stay in the program', () => withProcess(node, [], [several], async (id, { child }) => {
  await until('ready', () => child.said.endsWith('\n'));
  assert.strictEqual((await attach(id, 'trace', '--time=2', '-o', path.join(scratch, 'several.json'))).status, 0);
  const long = eventsOf('several.json').filter((event) => event.cat === 'call' && event.dur > 80000);
  assert.ok(long.length >= 3);
  // On a busy machine samples may have come in one of the two only.
  assert.ok(long.some((call) => call.name === '(check: setImmediate)'), long.map((call) => call.name).join(' '));
  const { stdout } = await attach(id, 'stats', '--time=1');
  assert.match(stdout, /blocked/);
  assert.ok(!stdout.includes('\x1b'), JSON.stringify(stdout));
}));

test('metrics: a slow client has two seconds', () => withProcess(node, [], [server], async (id, { child }) => {
  await until('ready', () => child.said.endsWith('\n'));
  const metrics = start('attach', id, '--metrics=0');
  await until('served', () => metrics.stderr.includes('/metrics, until Ctrl-C'));
  const socket = net.connect(Number(/:(\d+)\/metrics/.exec(metrics.stderr)[1]), '127.0.0.1').on('error', () => {}).resume();
  const more = setInterval(() => socket.write('a'), 50), began = Date.now();
  await new Promise((done) => { socket.on('close', done); setTimeout(done, 15000).unref(); });
  clearInterval(more);
  socket.destroy();
  assert.ok(Date.now() - began < 14000);
  metrics.client.kill('SIGINT');
  await metrics.done;
}));

test('metrics: served by the command, until it ends', () => withProcess(node, [], [server], async (id, { child }) => {
  const port = child.said.trim(), before = belongings(id), taken = await freePort();
  assert.match((await attach(id, '--metrics=otlp')).stderr, /bad argument: --metrics=otlp/);
  for (const end of ['SIGINT', 'SIGKILL', 'detach']) {
    const metrics = start('attach', id, `--metrics=127.0.0.1:${taken}`);
    await until('served', () => metrics.stderr.includes('/metrics, until Ctrl-C'));
    if (end === 'SIGINT') assert.match((await attach(id, `--metrics=127.0.0.1:${taken}`)).stderr, /127\.0\.0\.1 port \d+: Address already in use/);
    await sleep(500);
    const response = await fetch(`http://127.0.0.1:${taken}/metrics`), text = await response.text();
    assert.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
    const value = (name) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.*)$`, 'm').exec(text)[1]);
    assert.ok(value('rota_loop_iterations_total') > 5 && value('rota_loop_timer_lateness_seconds_count') > 3);
    assert.match(text, new RegExp(`^nodejs_eventloop_time_seconds_total\\{pid="${id}",loop="main",nodejs_eventloop_state="active"\\} 0\\.\\d`, 'm'));
    assert.match(text, /^nodejs_active_handles\{.*type="tcp"\} [1-9]/m);
    assert.match(text, /le="0\.0001"\} .*[^]*le="10\.0"\} /);
    for (const line of text.trim().split('\n')) assert.match(line, /^# (HELP|TYPE) [a-z_]+ .+$|^[a-z_]+\{([a-z_]+="[^"]*",?)+\} \d+(\.\d{9})?$/);
    assert.strictEqual((await fetch(`http://127.0.0.1:${taken}/other`)).status, 404);
    assert.strictEqual((await fetch(`http://127.0.0.1:${taken}/metrics`, { method: 'POST' })).status, 405);
    if (end === 'detach') assert.strictEqual((await start('detach', id).done).status, 0);
    else metrics.client.kill(end);
    assert.strictEqual((await metrics.done).status, { SIGINT: 0, detach: 1 }[end] ?? null);
    await leavesNothing(id, before);
    assert.strictEqual(await get(port), 'ok');
  }
}));

// The agent is linked anew, with one of libuv's functions replaced: to it this libuv is another one.
const objects = path.join(build, 'obj');
if (fs.existsSync(path.join(objects, 'inject/agent')))
  test('an unknown libuv, or an unknown layout of handles: nothing is exchanged', async () => {
    const copy = path.join(scratch, 'copy');
    for (const name of ['bin/' + path.basename(rota), 'lib']) fs.cpSync(path.join(build, name), path.join(copy, name), { recursive: true, filter: (file) => !file.endsWith('.a') });
    const parts = [...fs.readdirSync(path.join(objects, 'inject/agent')).map((name) => `inject/agent/${name}`), 'inject/names/v8.o', 'inject/names/source_map.o', 'observe/stats/histogram.o'];
    const replaced = {
      uv_version: ['unsigned int __wrap_uv_version(void) { return 1 << 16 | 53 << 8; }', /of a version whose handles rota does not know/],
      uv_handle_size: ['unsigned long __wrap_uv_handle_size(int type) { (void)type; return 256; }', /handles are not as rota knows them/],
      uv_read_start: ['int __wrap_uv_read_start(void) { return 0; }', /handles are not as rota knows them/],
    };
    for (const [name, [text, pattern]] of Object.entries(replaced)) {
      const linked = path.join(copy, 'lib', 'rota-agent.node');
      fs.rmSync(linked); // the process may have it in memory
      mustRun(process.env.CC || 'cc', ['-shared', '-Wl,-z,now', '-Wl,-z,nodelete', `-Wl,--wrap=${name}`, '-o', linked, write('wrap.c', text),
        ...parts.filter((part) => part.endsWith('.o')).map((part) => path.join(objects, part)), '-ldl']);
      await withProcess(node, [], [server], async (id, { child }) => {
        const trace = await startOf(path.join(copy, 'bin', path.basename(rota)), 'attach', id, 'trace', '--time=30', '-o', 'refused.json').done;
        assert.match(trace.stderr, pattern);
        assert.strictEqual(trace.status, 1);
        assert.ok(!fs.existsSync(path.join(scratch, 'refused.json')));
        assert.match((await startOf(path.join(copy, 'bin', path.basename(rota)), 'attach', id, 'why').done).stdout, /kept alive by/);
        await isRestored(child.said.trim());
      });
    }
  });

test('a loop that does not come round has no trace, and that is said', () =>
  withProcess(node, [], [write('spin.js', `console.log('ready'); setTimeout(function forEver() { for (;;); }, 20)`)], async (id) => {
    const before = belongings(id);
    const trace = await attach(id, 'trace', '--time=1', '-o', 'spin.json');
    assert.match(trace.stderr, /its loop did not come round before the end/);
    assert.ok(!fs.existsSync(path.join(scratch, 'spin.json')));
    assert.strictEqual(trace.status, 1);
    await leavesNothing(id, before);
  }));

finish();
