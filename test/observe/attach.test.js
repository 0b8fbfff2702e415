'use strict';
// rota attach: statistics, what keeps a loop alive, and traces of running processes, and the errors for those that cannot be attached to.

const { assert, build, finish, root, rota, run, scratch, mustRun, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { spawn, spawnSync } = require('child_process');

const node = process.execPath;
const script = path.join(scratch, 'server.js');
fs.writeFileSync(script, `
  require('net').createServer(function onConnection() {}).listen(0, '127.0.0.1');
  const fs = require('fs');
  let n = 0;
  setInterval(function beat() {
    fs.stat('/', function onStat() {});
    if (++n === 1 && process.argv[2] !== 'block') console.log('ready');
  }, 5);
  if (process.argv[2] === 'block') setTimeout(function burn() { console.log('ready'); const end = Date.now() + 60000; while (Date.now() < end); }, 20);
  if (process.argv[2] === 'end') process.on('SIGTERM', () => process.exit(3));
`);

const source = path.join(scratch, 'small.c');
fs.writeFileSync(source, `
  #include <stdio.h>
  #include <uv.h>
  static void on_beat(uv_timer_t *timer) { static int n; (void)timer; if (n++ == 0) { puts("ready"); fflush(stdout); } }
  int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_beat, 5, 5);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
  }
`);
mustRun('gcc', ['-g', `-I${root}/include`, source, `-L${build}/lib`, '-l:libuv.so.1', '-o', path.join(scratch, 'small')]);

// A process that has said that it is ready; it is ended with the test.
async function withProcess(command, env, use) {
  const child = spawn(command[0], command.slice(1), { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  try {
    await new Promise((resolve, reject) => {
      child.stdout.once('data', resolve);
      child.once('exit', () => reject(new Error('it has ended')));
    });
    return await use(child.pid, child, ended);
  } finally {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
    await ended;
  }
}

const attach = (...args) => run(rota, ['attach', ...args.map(String)]);

function callsOf(file) {
  const events = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.ok(events.some((event) => event.name === 'rota_end'), 'the file is whole');
  return events.filter((event) => event.cat === 'call');
}

const kinds = [
  { what: 'the runtime', command: [rota, '--attach', script], env: {}, alive: /interval beat \(.*server\.js:5\), every 5 ms, due in/, listens: true,
    calls: { beat: 5, onStat: 6 } },
  { what: 'the official Node', command: [rota, 'run', '--attach', '--', node, script], env: {}, alive: /node::Environment::RunTimers/, listens: true,
    calls: { beat: 5, onStat: 6 } },
  { what: 'a program in C', command: [path.join(scratch, 'small')], env: { ROTA_ATTACH: '1', LD_LIBRARY_PATH: `${build}/lib` }, alive: /timer .* every 5 ms/,
    listens: false, calls: { on_beat: 4 } },
];

for (const { what, command, env, alive, listens, calls } of kinds) {
  test(`statistics, what keeps it alive, and a trace of ${what}, twice`, () => withProcess(command, env, (id) => {
    for (let round = 0; round < 2; round++) {
      const why = attach(id, 'why');
      assert.strictEqual(why.status, 0, why.stderr);
      assert.match(why.stdout, alive);
      if (listens) assert.match(why.stdout, /listening on 127\.0\.0\.1/);
      const stats = attach(id, '--time=0.3');
      assert.strictEqual(stats.status, 0, stats.stderr);
      assert.match(stats.stdout, new RegExp(`statistics of process ${id}, `));
      assert.match(stats.stdout, /timer lateness +\d+/);
      const file = path.join(scratch, 'attached.json');
      const trace = attach(id, 'trace', '--time=0.5', '-o', file);
      assert.strictEqual(trace.status, 0, trace.stderr);
      const found = callsOf(file);
      for (const [name, line] of Object.entries(calls)) {
        const named = found.filter((call) => call.name === name);
        assert.ok(named.length >= 3, `${name} in ${[...new Set(found.map((call) => call.name))]}`);
        assert.strictEqual(named[0].args.line, line);
      }
      // Nothing is observed any more: the next trace starts from scratch.
      fs.rmSync(file);
    }
  }));
}

test('a page of a process', () => withProcess(kinds[0].command, {}, (id) => {
  const page = path.join(scratch, 'attached.html');
  const result = attach(id, 'timeline', '--time=0.3', '-o', page);
  assert.strictEqual(result.status, 0, result.stderr);
  assert.ok(fs.readFileSync(page, 'utf8').startsWith('<!doctype html>'));
}));

test('a loop that is blocked is said to be, and where', async () => {
  for (const command of [kinds[0].command, kinds[1].command]) {
    await withProcess([...command, 'block'], {}, (id) => {
      // A thread that gets no processor cannot tell its stack: then it is asked again.
      let why;
      for (let tries = 0; tries < 10; tries++) {
        why = attach(id, 'why');
        assert.strictEqual(why.status, 0, why.stderr);
        assert.match(why.stderr, new RegExp(`a loop does not answer: a callback blocks it\\. Thread ${id} is at:\n {4}(#0|it waits|\\(it did not answer)`));
        if (!why.stderr.includes('(it did not answer')) break;
      }
      assert.match(why.stderr, /is at:\n {4}(#0|it waits)/);
    });
  }
});

test('without a free descriptor the client waits, and the process does not spin', async () => {
  const full = path.join(scratch, 'full.js');
  fs.writeFileSync(full, `
    const fs = require('fs');
    const held = [];
    console.log('ready');
    try { for (;;) held.push(fs.openSync('/dev/null')); } catch {}
    setTimeout(() => held.forEach((fd) => fs.closeSync(fd)), 2000);
    setInterval(() => {}, 1000);
  `);
  await withProcess(['sh', '-c', 'ulimit -n 64; exec "$0" "$@"', rota, '--attach', full], {}, (id) => {
    const why = attach(id, 'why');
    assert.strictEqual(why.status, 0, why.stderr);
    const fields = fs.readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    assert.ok(ticks < 100, `${ticks} hundredths of a second of processor time`);
  });
});

test('a process that is stopped, and one that ends meanwhile', () => withProcess([...kinds[0].command, 'end'], {}, async (id, child, ended) => {
  child.kill('SIGSTOP');
  assert.match(attach(id, 'why').stderr, /it is stopped, by a signal or a debugger/);
  child.kill('SIGCONT');
  const file = path.join(scratch, 'cut.json');
  const client = spawn(rota, ['attach', `${id}`, 'trace', '--time=60', '-o', file]);
  let text = '';
  client.stderr.on('data', (data) => (text += data));
  const done = new Promise((resolve) => client.once('exit', resolve));
  while (!fs.existsSync(file) || fs.statSync(file).size < 2000) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGTERM');
  assert.strictEqual(await ended, 3);
  assert.strictEqual(await done, 1);
  assert.match(text, /it has ended\n.*what was traced so far is in/);
  assert.ok(callsOf(file).some((call) => call.name === 'beat'));
}));

test('Ctrl-C ends a trace, and the file is whole', () => withProcess(kinds[0].command, {}, async (id) => {
  const file = path.join(scratch, 'interrupted.json');
  const client = spawn(rota, ['attach', `${id}`, 'trace', '--time=60', '-o', file]);
  const done = new Promise((resolve) => client.once('exit', resolve));
  while (!fs.existsSync(file) || fs.statSync(file).size < 2000) await new Promise((resolve) => setTimeout(resolve, 20));
  client.kill('SIGINT');
  assert.strictEqual(await done, 0);
  assert.ok(callsOf(file).some((call) => call.name === 'beat'));
  assert.match(attach(id, 'why').stdout, /is alive/);
}));

test('what cannot be attached to is told from what was not started so', () => withProcess([rota, script], {}, (id) => {
  assert.match(attach(id).stderr, /it runs on librota, but was not started for attaching/);
  const other = spawn('sleep', ['600']);
  assert.match(attach(other.pid).stderr, /it is not Node, and does not run on librota/);
  other.kill();
  assert.match(attach(id, 'stack').stderr, /it runs on librota, but was not started for attaching/);
  assert.match(attach(4194303).stderr, /there is no such process/);
  assert.strictEqual(attach().status, 9);
  assert.match(attach(id, 'nonsense').stderr, /bad argument: nonsense/);
  assert.match(attach(id, '--time=soon').stderr, /bad argument: --time=soon/);
  assert.match(attach('--help').stdout, /^Usage: rota attach/);
}));

test('while it writes a trace of its own, there is no second one', () =>
  withProcess([rota, '--attach', `--trace=${path.join(scratch, 'own.json')}`, script], {}, (id) => {
    assert.match(attach(id, 'trace', '--time=0.1', '-o', path.join(scratch, 'second.json')).stderr, /it writes a trace already/);
    assert.ok(!fs.existsSync(path.join(scratch, 'second.json')));
  }));

test('a thread and a descriptor, if it is asked for', async () => {
  const { command, env } = kinds[2], count = (id) => ['task', 'fd'].map((what) => fs.readdirSync(`/proc/${id}/${what}`).length);
  const [threads, descriptors] = await withProcess(command, { ...env, ROTA_ATTACH: '' }, count);
  assert.deepStrictEqual(await withProcess(command, env, count), [threads + 1, descriptors + 1]);
});

// The names of sockets of a process that wait for connections, as the kernel's table has them.
function namesOf(id) {
  const owned = new Set(fs.readdirSync(`/proc/${id}/fd`).map((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${id}/fd/${fd}`))?.[1];
    } catch {
      return undefined; // closed meanwhile
    }
  }));
  return fs.readFileSync('/proc/net/unix', 'utf8').split('\n').map((line) => line.trim().split(/ +/))
    .filter((row) => row[7]?.startsWith('@rota-attach.') && owned.has(row[6])).map((row) => row[7].slice(1));
}

// Packets of a client that checks nothing, as another program could send them.
const asks = (id) => `
import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
s.settimeout(20)
s.connect('\\0${namesOf(id)[0]}')
try:
    s.send(b'why')
    print(s.recv(65536).decode())
except OSError:
    print(s.recv(65536).decode())
`;

const isRoot = process.getuid() === 0;

test('another user is refused, on both sides', () => withProcess(kinds[0].command, {}, (id) => {
  if (!isRoot) return console.log('    skipped: only root can be somebody else');
  const options = { uid: 65534, gid: 65534, encoding: 'utf8', timeout: 60000, cwd: '/' };
  assert.match(spawnSync('python3', ['-c', asks(id)], options).stdout, /^-it belongs to another user/);
  assert.match(spawnSync('python3', ['-c', asks(id)], { ...options, uid: 0, gid: 0 }).stdout, /is alive|^!rota/);
  const result = spawnSync(rota, ['attach', `${id}`], options);
  if (result.status === 1) assert.match(result.stderr, /it belongs to another user/); // else it may not even be started by that user
  return undefined;
}));

test('who takes names like that of its socket neither blocks a process nor answers for it', () => withProcess(kinds[0].command, {}, async (id) => {
  assert.match(namesOf(id).join(), new RegExp(`^rota-attach\\.${id}\\.[0-9a-f]{16}$`));
  const taker = `
import socket, time
taken = []
for name in ['rota-attach.${id}', 'rota-attach.${id}.0000000000000000']:
    taken.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
    taken[-1].bind('\\0' + name)
    taken[-1].listen()
print('ready', flush=True)
time.sleep(600)
`;
  await withProcess(['python3', '-c', taker], {}, () => {
    assert.match(attach(id, 'why').stdout, /is alive/);
  });
}));

finish();
