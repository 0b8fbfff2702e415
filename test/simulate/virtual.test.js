'use strict';
// Virtual time in the runtime: every clock shows it, and what takes real time is waited for.

const { assert, finish, mustRun, rota, run, test } = require('../page/harness.js');

const inTime = (code, ...options) => mustRun(rota, [...(options.length > 0 ? options : ['--virtual-time']), '-e', code], { timeout: 100000 }).stdout;

test('a day of timers takes a moment, in order', () => {
  const began = Date.now();
  const output = inTime(`
    const began = performance.now();
    let hours = 0, seconds = 0;
    const every = setInterval(() => { if (++hours === 24) { clearInterval(every); clearInterval(each); } }, 3600e3);
    const each = setInterval(() => seconds++, 1000);
    for (const ms of [30, 10, 20, 10]) setTimeout(() => console.log(ms), ms);
    setTimeout(() => console.log('noon', hours), 12 * 3600e3 + 1);
    process.on('exit', () => console.log(hours, seconds, Math.round(performance.now() - began)));`);
  assert.strictEqual(output, '10\n10\n20\n30\nnoon 12\n24 86399 86400000\n');
  assert(Date.now() - began < 60000);
});

test('all clocks agree', () => {
  const output = inTime(`
    const timers = require('timers/promises');
    const before = { day: Date.now(), now: performance.now(), hr: process.hrtime(), big: process.hrtime.bigint(), up: process.uptime() };
    AbortSignal.timeout(3600e3).addEventListener('abort', async () => {
      await timers.setTimeout(3600e3);
      const pair = process.hrtime(before.hr);
      console.log([Date.now() - before.day, +new Date() - before.day, performance.now() - before.now, pair[0] * 1e3 + pair[1] / 1e6,
        Number(process.hrtime.bigint() - before.big) / 1e6, (process.uptime() - before.up) * 1e3].map(Math.round).join(' '));
      clearInterval(alive);
    });
    const alive = setInterval(() => {}, 1e6);`);
  assert.strictEqual(output, `${Array(6).fill(7200000).join(' ')}\n`);
});

test('the day begins where it is told to, and Date is still a Date', () => {
  assert.strictEqual(inTime(`
    class Mine extends Date {}
    console.log(new Date().toISOString(), new Mine().getFullYear(), Date().slice(0, 15), new Date(2020, 1, 2).getMonth(), Date.UTC(1970, 0), Date.length,
      new Date() instanceof Date, new Date().constructor === Date, Object.prototype.toString.call(new Date()), JSON.stringify(new Date(0)));`,
  '--virtual-time=from=2031-02-03T04:05:06Z').trim(),
  '2031-02-03T04:05:06.000Z 2031 Mon Feb 03 2031 1 0 7 true true [object Date] "1970-01-01T00:00:00.000Z"');
});

test('contexts of vm have the same time', () => {
  assert.strictEqual(inTime(`
    const vm = require('vm');
    setTimeout(() => {
      const context = vm.createContext({ print: console.log });
      vm.runInContext('print(new Date().toISOString(), Date.now() === +new Date(), Date().slice(0, 15), new Date(0).getTime(), new Date() instanceof Date, new Date().constructor === Date)', context);
      console.log(vm.runInNewContext('Date') === Date, vm.runInContext('Date.prototype', context) === Date.prototype, vm.runInThisContext('Date') === Date);
      const own = vm.createContext({ Date: class Mine { static now() { return 5; } } });
      console.log(vm.runInContext('Date.now()', own), new (vm.runInNewContext('class Mine extends Date {}; Mine'))().getFullYear());
    }, 86400e3);`, '--virtual-time=from=2031-02-03T04:05:06Z'),
  '2031-02-04T04:05:06.000Z true Tue Feb 04 2031 0 true true\nfalse false true\n5 2031\n');
});

test('a year of timers every half a minute is a matter of seconds, with a large heap, too', () => {
  const began = process.hrtime.bigint();
  const [count, seconds] = inTime(`
    const heap = Array.from({ length: 1e5 }, (_, i) => ({ i, text: 'x' + i }));
    let n = 0;
    const every = setInterval(() => { if (++n === 365 * 24 * 120) clearInterval(every); }, 30000);
    process.on('exit', () => console.log(n, heap.length && process.cpuUsage().user / 1e6));`).split(' ').map(Number);
  assert.strictEqual(count, 1051200);
  // Of the processor, as others may use it, too: about one second.
  assert(seconds < 5, `${seconds} s, in ${process.hrtime.bigint() - began} ns`);
});

test('by hand', () => {
  assert.strictEqual(inTime(`
    const order = [];
    for (const ms of [10, 20, 30]) setTimeout(() => order.push(ms), ms);
    const rounds = (n, then) => setImmediate(() => n === 0 ? then() : rounds(n - 1, then));
    rounds(100, () => {
      order.push('moved');
      process.rota.advance(25);
      rounds(2, () => {
        order.push('again');
        process.rota.advance(5);
        process.on('exit', () => console.log(order.join()));
      });
    });`, '--virtual-time=by-hand'), 'moved,10,20,again,30\n');
  const refused = run(rota, ['-e', 'process.rota.advance(5)']);
  assert(refused.status === 1 && refused.stderr.includes('Only virtual time can be moved'));
});

test('files, children, workers and servers take their time', () => {
  assert.strictEqual(inTime(`
    const { exec } = require('child_process');
    const { Worker } = require('worker_threads');
    const http = require('http');
    const order = [];
    const note = (what) => { order.push(what); if (order.length === 6) console.log(order.join()); };
    require('fs').readFile('/proc/self/stat', () => note('file'));
    exec('sleep 0.05', () => {
      note('child');
      new Worker('setTimeout(() => require("worker_threads").parentPort.postMessage(1), 500)', { eval: true }).on('message', () => note('worker'));
      setTimeout(() => note('400'), 400);
      setTimeout(() => note('900'), 900);
      const server = http.createServer((req, res) => setTimeout(() => res.end('x'), 3600e3)).listen(0, () => {
        http.get({ port: server.address().port }, (res) => res.resume().on('end', () => { note('http'); server.close(); server.closeAllConnections(); }));
      });
    });`), 'file,child,400,worker,900,http\n');
});

test('what is not understood is refused', () => {
  for (const option of ['--virtual-time=tomorrow', '--virtual-time=grace=x', '--schedule-seed=x', '--schedule-replay=/nowhere', '--schedule-seed=1 --schedule-without=x']) {
    const refused = run(rota, [...option.split(' '), '-e', '1']);
    assert.strictEqual(refused.status, 9, option);
    assert.match(refused.stderr, /^rota: /);
  }
});

finish();
