'use strict';
// Node's official binaries in virtual time: the clocks that V8 and addons get from the C library agree with the loop's clock, and threads
// without a loop are left alone.

const { assert, build, finish, mustRun, root, rota, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { compiler, compilerFlags, isMusl, library: parts, nodes: given } = require('./nodes.js');
const nodes = [...given];

const run = (node, code, ...options) => mustRun(rota, ['run', ...(options.length > 0 ? options : ['--virtual-time']), '--', node, '-e', code], { timeout: 100000 }).stdout;
const day = 86400e3;

// Debian's loads libuv.so.1, where it is installed.
const loads = (node) => fs.existsSync(node) && /libuv\.so\.1/.test(mustRun('ldd', [fs.realpathSync(node)]).stdout);
const debian = ['/usr/bin/node', '/usr/bin/nodejs'].find(loads);
if (debian !== undefined && !isMusl) nodes.push(debian);

for (const node of nodes) {
  const version = mustRun(node, ['-p', 'process.version']).stdout.trim();
  const title = (text) => `${version}: ${text}`;

  test(title('all clocks agree after a day, from the first look on'), () => {
    const output = run(node, `
      const vm = require('vm'), { performance } = require('perf_hooks');
      const context = vm.createContext();
      const look = () => [Date.now(), +new Date(), Date.parse(Date()), vm.runInContext('Date.now()', context), performance.timeOrigin + performance.now(),
        Number(process.hrtime.bigint()) / 1e6, process.hrtime()[0] * 1e3, process.uptime() * 1e3, performance.now()];
      const first = look();
      console.log(Math.floor(first[7] / 1000), Math.floor(first[8] / 1000), Math.abs(first[0] - first[4]) < 2);
      setTimeout(() => console.log(look().map((value, i) => Math.round((value - first[i]) / 1000)).join(' ')), ${day});`);
    assert.strictEqual(output, `0 0 true\n${Array(9).fill(86400).join(' ')}\n`);
  });

  test(title('timers in order, each at its time'), () => {
    const output = run(node, `
      const began = Date.now();
      let hours = 0;
      const every = setInterval(() => { if (++hours === 24) clearInterval(every); }, 3600e3);
      for (const ms of [30, 10, 20, 10]) setTimeout(() => console.log(ms, Date.now() - began), ms);
      setTimeout(() => console.log('noon', hours, Date.now() - began), 12 * 3600e3 + 1);
      process.on('exit', () => console.log(hours, Date.now() - began));`);
    assert.strictEqual(output, `10 10\n10 10\n20 20\n30 30\nnoon 12 ${day / 2 + 1}\n24 ${day}\n`);
  });

  test(title('the day begins where it is told to; a loop that only looks ends'), () => {
    assert.strictEqual(run(node, `
      console.log(new Date().toISOString());
      const end = Date.now() + 50, tick = performance.now() + 50;
      while (Date.now() < end);
      while (performance.now() < tick);
      console.log(new Date().toISOString().slice(0, 19));`, '--virtual-time=from=2031-02-03T04:05:06Z'), '2031-02-03T04:05:06.000Z\n2031-02-03T04:05:06\n');
  });

  test(title('a worker has the same time, and is waited for while it starts'), () => {
    const output = run(node, `
      const { Worker } = require('worker_threads');
      const began = Date.now();
      const late = setTimeout(() => console.log('never'), ${2 * day});
      new Worker(\`
        const { parentPort, workerData } = require('worker_threads');
        const first = Date.now();
        setTimeout(() => parentPort.postMessage([first - workerData, Date.now() - first]), ${day});\`, { eval: true, workerData: began })
        .on('message', (message) => { console.log(message.join(' '), Date.now() - began); clearTimeout(late); });`);
    // A millisecond may begin between two looks of the same moment.
    const parts = output.trim().split(' ').map(Number);
    assert.ok([0, day, day].every((value, i) => Math.abs(parts[i] - value) <= 1), output);
  });

  test(title('time stands still while a message is under way'), () => {
    const output = run(node, `
      const { Worker } = require('worker_threads');
      const began = Date.now();
      let days = 0, late;
      function wait() {
        clearTimeout(late);
        late = setTimeout(() => {}, ${1.5 * day});
        if (Date.now() - began === days * ${day} && days < 100) return;
        console.log(days, Date.now() - began);
        process.exit();
      }
      wait();
      new Worker('setInterval(() => require("worker_threads").parentPort.postMessage(0), ${day})', { eval: true }).on('message', () => { days++; wait(); });`);
    assert.strictEqual(output, `100 ${100 * day}\n`);
  });

  test(title('Atomics.wait: time jumps to its end; a notification comes before'), () => {
    const output = run(node, `
      const { Worker } = require('worker_threads');
      const shared = new Int32Array(new SharedArrayBuffer(8));
      const began = Date.now();
      console.log(Atomics.wait(shared, 0, 0, ${day}), Date.now() - began);
      const worker = new Worker(\`Atomics.store(require('worker_threads').workerData, 1, 1); Atomics.notify(require('worker_threads').workerData, 1);\`,
        { eval: true, workerData: shared });
      console.log(Atomics.wait(shared, 1, 0, ${30 * day}), Date.now() - began < ${2 * day});`);
    assert.strictEqual(output, `timed-out ${day}\nok true\n`);
  });

  test(title('children have it, too; they are waited for'), () => {
    const output = run(node, `
      const child = require('child_process');
      const began = Date.now();
      setTimeout(() => console.log('an hour later', Date.now() - began), 3600e3);
      child.execFile(process.execPath, ['-e', 'const a = Date.now(); setTimeout(() => console.log(Date.now() - a), ${day})'], (error, stdout) => console.log('child', stdout.trim()));`);
    assert.strictEqual(output, `child ${day}\nan hour later 3600000\n`);
  });
}

test('a year of timers every half a minute is a matter of seconds', () => {
  const before = process.hrtime.bigint();
  const output = run(nodes[0], `
    let count = 0;
    const began = Date.now();
    const every = setInterval(() => { if (++count === 2 * 60 * 24 * 365) { clearInterval(every); console.log((Date.now() - began) / ${day}); } }, 30e3);`);
  assert.strictEqual(output, '365\n');
  console.log(`    ${Number(process.hrtime.bigint() - before) / 1e9} s`);
});

// A thread of the program's own waits in real time by the kernel's clock, and must not see another one.
const where = isMusl ? [`-Wl,-rpath,${parts}`] : []; // LD_LIBRARY_PATH names it where musl is the only C library
const clocks = path.join(scratch, 'clocks');
mustRun(compiler, [...compilerFlags, '-O2', '-Wall', '-Wextra', '-Werror', `-I${root}/include`, path.join(__dirname, 'clocks.c'), `-L${parts}`, '-l:libuv.so.1', ...where, '-lpthread', '-o', clocks]);
const clocksAgree = 'looks\nlooks\nsleeps\nwaits\nelsewhere\nprocessor time\n';
test('threads without a loop, sleeps and waits of C', () => {
  assert.strictEqual(mustRun(rota, ['run', '--virtual-time=from=2031-01-01', '--', clocks]).stdout, clocksAgree);
});

// When V8 first waits for a lock depends on its threads: the program's time and its jobs must not.
// Their names are taken out of a copy of this machine's C library. rota's thread that writes a trace waits by such a clock, where it can.
if (!isMusl) test('a C library of before 2.30, which has no waits by a clock that the caller chooses', () => {
  const older = path.join(scratch, 'older');
  fs.mkdirSync(older);
  for (const file of process.report.getReport().sharedObjects.filter((name) => /\/lib(c|pthread)\.so\.\d$/.test(name))) {
    const text = fs.readFileSync(file, 'latin1').replace(/\0(?:sem|pthread_cond)_clockwait(?=\0)/g, (name) => `\0X${name.slice(2)}`);
    fs.writeFileSync(path.join(older, path.basename(file)), text, { encoding: 'latin1', mode: 0o755 });
  }
  const env = { ...process.env, LD_LIBRARY_PATH: older };
  const asks = path.join(scratch, 'asks');
  fs.writeFileSync(`${asks}.c`, '#include <semaphore.h>\n#include <time.h>\n#pragma weak sem_clockwait\nint main(void) { return sem_clockwait != NULL; }\n');
  mustRun('gcc', ['-D_GNU_SOURCE', `${asks}.c`, '-pthread', '-o', asks]);
  mustRun(asks, [], { env });
  assert.strictEqual(mustRun(rota, ['run', '--virtual-time=from=2031-01-01', '--', clocks], { env }).stdout, clocksAgree);
  for (const options of [[], ['--virtual-time']]) {
    const file = path.join(scratch, 'older.json');
    mustRun(rota, ['trace', '-o', file, ...options, '--', nodes[0], '-e', 'setTimeout(function late() {}, 2500)'], { env });
    assert.match(fs.readFileSync(file, 'utf8'), /"name":"late"/);
  }
});

test("the engine's measure of the processor is real, and nothing of the program moves", () => {
  const file = path.join(scratch, 'measuring');
  mustRun(compiler, ['-O2', '-Wall', '-Wextra', '-Werror', '-rdynamic', `-I${root}/include`, path.join(__dirname, 'measuring.c'), `-L${parts}`, '-l:libuv.so.1', ...where, '-o', file]);
  assert.strictEqual(mustRun(rota, ['run', '--', file], { env: { ...process.env, ROTA_SCHEDULE_SEED: '3' } }).stdout,
    'measured 8 ms, passed nothing, done 0; then 1 hour, done 1\n');
});

// The request comes only when the parent has computed for a while: a worker that ran ahead of it would answer 408.
test("a cluster's worker does not run ahead of its parent", () => {
  const file = path.join(scratch, 'cluster.js');
  fs.writeFileSync(file, `
    const cluster = require('cluster'), net = require('net'), http = require('http');
    if (cluster.isPrimary) {
      cluster.fork().on('message', (port) => {
        const socket = net.connect(port, '127.0.0.1');
        socket.on('connect', () => setImmediate(() => setImmediate(() => { // the connection was handed on
          for (let i = 0, x = 0; i < 2e8; i++) x ^= i * 7;
          socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n');
        })));
        socket.on('data', (data) => {
          console.log(String(data).split('\\r\\n')[0]);
          socket.destroy();
          cluster.disconnect();
        });
      });
    } else {
      const server = http.createServer((request, response) => response.end('x')).listen(0, '127.0.0.1', () => process.send(server.address().port));
    }`);
  for (const node of nodes.slice(0, 2))
    assert.strictEqual(mustRun(rota, ['run', '--virtual-time', '--', node, file], { timeout: 100000 }).stdout, 'HTTP/1.1 200 OK\n');
});

// As jemalloc does. The first read of the clock on a thread must not allocate, or it recurses forever; nor must the search for a function
// that the C library lacks.
if (!isMusl) test('a malloc that reads the clock', () => {
  const library = path.join(scratch, 'malloc.so');
  fs.writeFileSync(`${library}.c`, '#include <stddef.h>\n#include <time.h>\nvoid *__libc_malloc(size_t size);\n' +
    'void *malloc(size_t size) { struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); return __libc_malloc(size); }\n');
  mustRun('gcc', ['-O2', '-shared', '-fPIC', `${library}.c`, '-o', library]);
  for (const node of nodes)
    for (const libraries of ['', path.join(scratch, 'older')]) {
      const code = 'new (require("worker_threads").Worker)("setTimeout(() => console.log(1), 864e5)", { eval: true })';
      const command = 'LD_LIBRARY_PATH="$0" LD_PRELOAD="$1" exec "$2" run --virtual-time -- "$3" -e "$4"';
      assert.strictEqual(mustRun('/bin/sh', ['-c', command, libraries, library, rota, node, code]).stdout, '1\n');
    }
});

test('it is not there unless it is asked for', () => {
  for (const [options, wanted] of [[[], false], [['--virtual-time'], true]]) {
    const { stdout } = mustRun(rota, ['run', ...options, '--', nodes[0], '-p', 'require("fs").readFileSync("/proc/self/maps", "utf8").includes("librota-clock.so")']);
    assert.strictEqual(stdout, `${wanted}\n`);
  }
});

finish();
