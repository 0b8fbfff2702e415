'use strict';
// rota attach for official Nodes that nothing prepared: what it tells, what it refuses, and that it leaves nothing behind.

const { assert, build, finish, mustRun, rota, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const net = require('net');
const path = require('path');
const { spawn } = require('child_process');
const { attach, belongings, freePort, leavesNothing, nodes, sleep, start, startOf, until, versionOf, withProcess, write } = require('./attached.js');

const node = nodes[0];

// Blocks for 120 ms, rests, and says when it was ready.
const server = write('server.js', `
  const http = require('http');
  function burn(ms) { const end = Date.now() + ms; while (Date.now() < end); }
  function parseReport() { burn(120); }
  http.createServer(function onRequest(request, response) { response.end('ok'); }).listen(0, '127.0.0.1', function () {
    setInterval(function slowTimer() { parseReport(); }, 300);
    console.log(this.address().port);
  });
`);
const spin = write('spin.mjs', `
  import { setTimeout as later } from 'node:timers/promises';
  console.log('ready');
  await later(20);
  function forEver() { for (;;); }
  forEver();
`);
const rest = write('rest.js', `setInterval(() => {}, 1000); console.log('ready'); if (process.argv[2]) eval(process.argv[2]);`);

const answers = async (port) => assert.strictEqual(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'ok');

for (const program of nodes) {
  const version = versionOf(program);

  test(`${version}: what it does, what keeps it alive, what it runs, what blocks it`, () => withProcess(program, [], [server], async (id, { child }) => {
    await answers(child.said.trim());
    const before = belongings(id);
    const stats = await attach(id, '--time=1');
    assert.strictEqual(stats.status, 0, stats.stderr);
    assert.match(stats.stdout, new RegExp(`^rota: process ${id}: the loop was busy for [1-9][0-9.]* % of 1\\.`));
    assert.match(stats.stdout, /timer lateness +\d+/);
    assert.match(stats.stdout, /blocked \d+ times? for longer than 50 ms; the longest took \d+ ms(?: \(its thread [^)]*\))?, in:\n(?: {4}\(seen .*\n)? {4}at burn \(.*server\.js:3\)\n {4}at parseReport/);
    const why = await attach(id, 'why');
    assert.match(why.stdout, /tcp +listening on 127\.0\.0\.1:\d+\n/);
    assert.match(why.stdout, /1 TCPServerWrap/);
    const stack = await attach('--stack', id);
    assert.match(stack.stdout, /runs none of its program's JavaScript at this moment|runs at this moment:\n {4}at [^]*server\.js/);
    const watch = start('attach', id, 'watch');
    await until('a block', () => /the loop was blocked for \d+ ms(?: \(its thread [^)]*\))?:\n(?: {4}\(seen .*\n)? {4}at burn .*\n {4}at parseReport .*\n {4}at slowTimer .*\n/.test(watch.stdout));
    watch.client.kill('SIGINT');
    assert.strictEqual((await watch.done).status, 0);
    await leavesNothing(id, before);
    await answers(child.said.trim());
  }));

  test(`${version}: an endless loop in an ES module`, () => withProcess(program, [], [spin], async (id) => {
    const before = belongings(id);
    const stack = await attach(id, 'stack');
    assert.match(stack.stdout, /runs at this moment:\n {4}at forEver \(.*spin\.mjs:5\)\n/, stack.stderr);
    assert.match((await attach(id, '--time=0.5')).stdout, /busy for 100\.0 %[^]*the loop is blocked at this moment, so far for [^:]*:\n(?: {4}\(seen .*\n)? {4}at forEver/);
    assert.match((await attach(id, 'why')).stdout, /does not come round/);
    const watch = start('attach', id, 'watch');
    await until('the block', () => /the loop is blocked, so far for \d[^:]*:\n(?: {4}\(seen .*\n)? {4}at forEver/.test(watch.stdout));
    watch.client.kill('SIGKILL');
    await watch.done;
    await leavesNothing(id, before);
  }));
}

test('the command is killed, and nothing is left', () => withProcess(node, [], [server], async (id, { child }) => {
  const before = belongings(id);
  const watch = start('attach', id, 'watch');
  await until('a block', () => watch.stdout.includes('the loop was blocked'));
  assert.ok(belongings(id).threads > before.threads);
  watch.client.kill('SIGKILL');
  await leavesNothing(id, before);
  await answers(child.said.trim());
}));

test('two at once: the second is told of the first, and rota detach ends it', () => withProcess(node, [], [server], async (id) => {
  const watch = start('attach', id, 'watch');
  await until('a block', () => watch.stdout.includes('the loop was blocked'));
  const second = await attach(id, 'why');
  assert.match(second.stderr, new RegExp(`rota attach \\(process ${watch.client.pid}\\) is attached to it already; rota detach ends that`));
  assert.strictEqual((await start('detach', id).done).status, 0);
  assert.strictEqual((await watch.done).status, 1);
  assert.match(watch.stderr, /it was detached by rota detach/);
  assert.match((await start('detach', id).done).stderr, /nothing of rota is attached to it/);
  assert.match((await attach(id, 'why')).stdout, /kept alive by/);
}));

test('a process that ends meanwhile', async () => {
  for (const end of [`process.exit(3)`, `process.kill(process.pid, 'SIGKILL')`])
    await withProcess(node, [], [rest, `setTimeout(() => { ${end} }, 1500)`], async (id, { ended }) => {
      const watch = await attach(id, 'watch');
      assert.match(watch.stderr, /it has ended/);
      assert.strictEqual(watch.status, 1);
      assert.ok([3, 'SIGKILL'].includes(await ended));
    });
});

test('workers, and children of a cluster that share a port', async () => {
  const workers = `const { Worker } = require('worker_threads'); for (let i = 0; i < 3; i++) new Worker('setInterval(() => {}, 5)', { eval: true });`;
  for (const program of nodes)
    await withProcess(program, [], [rest, workers], async (id) => {
      const { stdout, stderr } = await attach(id, '--time=0.5');
      assert.match(stdout, /the loop was busy for/);
      assert.match(stderr, /^rota: this is the main thread's loop; 3 more are not looked at/);
    });
  await withProcess(node, [], [rest], async (id) => assert.strictEqual((await attach(id, '--time=0.5')).stderr, ''));
  const cluster = `const cluster = require('cluster'); cluster.setupPrimary({ execArgv: process.execArgv, exec: __filename, args: [] });
    const children = [cluster.fork(), cluster.fork()]; children.forEach((child) => child.on('online', () => console.log('child', child.process.pid, '.')))`;
  await withProcess(node, [], [rest, cluster], async (id, { child }) => {
    await until('children', () => (child.said.match(/child \d+ \./g) ?? []).length === 2);
    const ids = [...child.said.matchAll(/child (\d+) \./g)].map((match) => match[1]);
    await sleep(500);
    for (const each of ids) {
      const result = await attach(each, 'why');
      assert.match(result.stdout, /kept alive by/, result.stderr);
    }
    const before = [id, ...ids].map((each) => belongings(each).listening);
    const primary = await attach(id, 'why'); // Node would open the inspectors of both workers, and leave them open
    assert.match(primary.stderr, /the primary of a cluster.* process (\d+) is one/);
    assert.ok(ids.includes(primary.stderr.match(/process (\d+) is one/)[1]), primary.stderr);
    assert.deepStrictEqual([id, ...ids].map((each) => belongings(each).listening), before);
  });
});

test('an inspector that was open stays open', () => withProcess(node, ['--inspect'], [rest], async (id, { port }) => {
  const before = belongings(id);
  assert.match((await attach(id, 'why')).stdout, /kept alive by/);
  assert.match(await (await fetch(`http://127.0.0.1:${port}/json/version`)).text(), /node\.js/);
  await leavesNothing(id, before);
  assert.strictEqual(belongings(id).listening, before.listening);
}));

test('the port is another one than the command line shows, or is given in another way', async () => {
  const found = (options, args) => withProcess(node, options, args, async (id) => {
    const before = belongings(id);
    assert.match((await attach(id, 'why')).stdout, /kept alive by/);
    await leavesNothing(id, before);
  });
  const port = await freePort();
  await found([], [rest, `process.debugPort = ${port}`]);
  await found([`--inspect-port=${port}`], [rest, `process.title = 'a long name, of a server that has one, which overwrites all of its command line'`]);
  await found(['--inspect-port', String(port)], [rest]);
  await found([`--inspect_port=${port}`], [rest]);
});

test('a program that has replaced what rota calls', async () => {
  for (const text of ['globalThis.process = undefined', `require('timers').setImmediate = () => { throw new Error() }`,
    'process.dlopen = () => { throw { get message() { throw 1; } } }', 'Symbol.for = () => { throw new Error() }'])
    await withProcess(node, [], [rest, `setTimeout(() => { ${text}; console.log('changed') }, 1)`], async (id, { child }) => {
      await until('changed', () => child.said.includes('changed'));
      const before = belongings(id);
      const { status, stderr } = await attach(id, 'why');
      assert.ok(status === 0 || status === 1 && !/rota-attach:/.test(stderr), `${text}: ${status} ${stderr}`);
      await leavesNothing(id, before);
      assert.strictEqual(child.exitCode, null);
    });
});

test('why tells nothing of the way in', () => withProcess(node, [], [rest], async (id) => {
  const { stdout } = await attach(id, 'why');
  assert.match(stdout, /kept alive by 1 handle and 0 requests/);
  assert.doesNotMatch(stdout, /Immediate|idle/);
}));

test('processes that share a port: each waits for its turn', async () => {
  const port = await freePort(), count = 5;
  // A second installation does not know the lock of the first.
  const copy = path.join(scratch, 'copy');
  for (const name of ['bin/' + path.basename(rota), 'lib']) fs.cpSync(path.join(build, name), path.join(copy, name), { recursive: true, filter: (file) => !file.endsWith('.a') });
  const children = Array.from({ length: count }, () => spawn(node, [`--inspect-port=${port}`, rest], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))));
    const results = await Promise.all(children.map((child, i) => startOf(i % 2 ? rota : path.join(copy, 'bin', path.basename(rota)), 'attach', child.pid, 'why').done));
    for (const result of results) assert.match(result.stdout, /kept alive by/, result.stderr);
    for (const child of children) await until('closed', () => belongings(child.pid).listening === 0);
  } finally {
    children.forEach((child) => child.kill('SIGKILL'));
  }
});

test('what is refused before anything is sent', async () => {
  const refused = async (options, args, pattern) => withProcess(node, options, args, async (id, { child, port }) => {
    const result = await attach(id);
    assert.match(result.stderr, pattern);
    assert.strictEqual(result.status, 1);
    assert.strictEqual(belongings(id).listening, 0);
    assert.ok(child.exitCode === null && !child.said.includes('mine'), `port ${port}`);
  });
  await refused([], [rest, `process.on('SIGTERM', () => {}); process.on('SIGUSR1', () => console.log('mine')); process.on('SIGHUP', () => {})`],
    /its program handles SIGUSR1 itself/);
  await refused(['--disable-sigusr1'], [rest], /started with --disable-sigusr1/);
  await refused(['--no-addons'], [rest], /started with --no-addons/);
  await refused(['--permission', '--allow-fs-read=*'], [rest], /--permission and without --allow-addons/);
  await refused([], [rest, `const f = () => {}; process.on('SIGUSR1', f); process.off('SIGUSR1', f)`], /it does not handle SIGUSR1, which would end it/);
});

test('without descriptors or threads Node would end itself: that is refused', async () => {
  await withProcess(node, [], [rest], async (id) => {
    const set = (what, count) => mustRun('prlimit', ['--pid', `${id}`, `--${what}=${count}:`]);
    set('nofile', belongings(id).descriptors + 20);
    assert.match((await attach(id)).stderr, /it has nearly no descriptors left/);
    set('nofile', 1024);
    assert.match((await attach(id, 'why')).stdout, /kept alive by/);
  });
});

test('a port that is taken, a process that is stopped, and what is no Node', async () => {
  await withProcess(node, [], [rest], async (id, { child, port }) => {
    const taker = net.createServer().listen(port, '127.0.0.1');
    assert.match((await attach(id)).stderr, new RegExp(`port ${port}, which Node would open, is taken by another process`));
    taker.close();
    child.kill('SIGSTOP');
    assert.match((await attach(id)).stderr, /it is stopped, by a signal or a debugger/);
    child.kill('SIGCONT');
    assert.match((await attach(id, 'why')).stdout, /kept alive by/);
  });
  await withProcess(node, [], [rest], async (id, { child }) => {
    const before = belongings(id);
    const thread = fs.readdirSync(`/proc/${id}/task`).find((name) => name !== String(id));
    assert.match((await attach(thread)).stderr, new RegExp(`it is a thread of process ${id}`));
    await leavesNothing(id, before);
    assert.strictEqual(child.exitCode, null);
  });
  const other = spawn('sleep', ['600']);
  assert.match((await attach(other.pid)).stderr, /it is not Node, and does not run on librota/);
  other.kill();
});

test('native code that does not come back: that is said, and its inspector does not stay open', () =>
  withProcess(node, [], [rest, `setTimeout(() => { console.log('asleep'); require('child_process').execSync('sleep 9'); console.log('back'); }, 10)`],
    async (id, { child }) => {
      await until('asleep', () => child.said.includes('asleep'));
      const before = belongings(id);
      assert.match((await attach(id, 'stack')).stderr, /its inspector did not open within 5 s\. Either its main thread is in native code \(it waits in the kernel/);
      await until('back', () => child.said.includes('back'));
      await leavesNothing(id, before);
      const why = await attach(id, 'why');
      assert.match(why.stdout, /kept alive by/, why.stderr);
      await leavesNothing(id, before);
    }));

test('jobs of the pool, which no thread is made for', async () => {
  const jobs = `setInterval(() => require('fs').stat('/', () => {}), 10)`;
  await withProcess(node, [], [rest, jobs], async (id) => {
    const before = belongings(id);
    assert.match((await attach(id, '--time=1')).stdout, /pool: job waits +\d+ /);
    await leavesNothing(id, before);
  });
  await withProcess(node, [], [rest], async (id) => {
    const before = belongings(id);
    assert.doesNotMatch((await attach(id, '--time=1')).stdout, /pool: job waits/);
    await leavesNothing(id, before);
  });
});

test('a few rounds of test/observe/soak.js', async () => {
  const soak = spawn(process.execPath, [path.join(__dirname, 'soak.js'), '8'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  soak.stdout.on('data', (data) => (text += data));
  assert.strictEqual(await new Promise((resolve) => soak.once('close', resolve)), 0, text);
  assert.match(text, /8 rounds, \d+ responses, all right/);
});

finish();
