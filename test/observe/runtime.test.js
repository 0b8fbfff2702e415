'use strict';
// The instruments in the runtime: JavaScript in the trace, the watchdog, why a loop is alive, the statistics.

const { assert, build, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');

const trace = path.join(scratch, 'trace.json');
const backends = (process.env.BACKENDS || 'epoll uring').split(' ');

function program(text) {
  const file = path.join(scratch, 'program.js');
  fs.writeFileSync(file, text);
  return file;
}

function traced(text, backend, expected = 0) {
  const result = run(rota, [`--trace=${trace}`, program(text)], { env: { ...process.env, ...(backend && { ROTA_POLLER: backend }) } });
  assert.strictEqual(result.status, expected, result.stderr);
  return JSON.parse(fs.readFileSync(trace, 'utf8')).sort((a, b) => (a.ts ?? 0) - (b.ts ?? 0)); // threads take turns in the file
}

const calls = (events) => events.filter((event) => event.cat === 'call').sort((a, b) => a.ts - b.ts);

test('timers, immediates, file callbacks and events of sockets bear the program\'s names', () => {
  const events = traced(`
    const fs = require('fs'), net = require('net'), { EventEmitter } = require('events');
    setTimeout(function aTimeout() {}, 1);
    let n = 0;
    const interval = setInterval(function anInterval() { if (++n === 2) clearInterval(interval); }, 2);
    setImmediate(function anImmediate() {});
    fs.readFile(__filename, function onFile() {});
    fs.stat(__filename, function onStat() {});
    const server = net.createServer(function onConnection(socket) {
      socket.once('data', function onData() { socket.end('bye'); });
      server.close();
    }).listen(0, () => {
      const client = net.connect(server.address().port, function onConnected() { client.write('hello'); });
      client.on('data', function onAnswer() {});
    });
  `);
  const file = path.join(scratch, 'program.js');
  const lines = { aTimeout: 3, anInterval: 5, anImmediate: 6, onFile: 7, onStat: 8, onConnection: 9, onData: 10, onConnected: 13, onAnswer: 14 };
  const on = { aTimeout: 'timers', anInterval: 'timers', anImmediate: 'check', onFile: 'poll', onStat: 'poll', onConnection: 'poll', onData: 'poll' };
  for (const [name, line] of Object.entries(lines)) {
    const found = calls(events).filter((call) => call.name === name);
    assert.strictEqual(found.length, name === 'anInterval' ? 2 : 1, `${name} among ${calls(events).map((call) => call.name)}`);
    assert.strictEqual(found[0].args.file, file);
    assert.strictEqual(found[0].args.line, line);
    if (on[name]) assert.strictEqual(found[0].args.phase, on[name]);
  }
  assert.ok(calls(events).filter((call) => call.args.phase === 'timers').every((call) => call.args.late_us >= 0));
  assert.strictEqual(calls(events)[0].name, 'main script');
});

test('ticks and microtasks, counted', () => {
  const events = traced(`
    setTimeout(function both() {
      for (let i = 0; i < 5; i++) process.nextTick(function aTick() {});
      let p = Promise.resolve();
      for (let i = 0; i < 7; i++) p = p.then(() => {});
    }, 1);
  `);
  const call = calls(events).find(({ name }) => name === 'both');
  const drains = events.filter((event) => event.cat === 'drain' && event.ts >= call.ts && event.ts < call.ts + call.dur);
  assert.deepStrictEqual(drains.map((drain) => [drain.name, drain.args.count, drain.args.first]), [['ticks', 5, 'aTick'], ['microtasks', 7, undefined]]);
});

test('each timer and immediate is a callback of its own, with what it drained', () => {
  const events = traced(`
    function one() { process.nextTick(() => {}); }
    function two() { process.nextTick(() => {}); }
    function three() { process.nextTick(() => {}); }
    for (const f of [one, two, three]) {
      setTimeout(f, 5);
      setImmediate(f);
    }
  `);
  const names = (phase) => calls(events).filter((call) => call.args.phase === phase).map((call) => call.name);
  assert.deepStrictEqual(names('timers'), ['one', 'two', 'three']);
  assert.deepStrictEqual(names('check'), ['one', 'two', 'three']);
  for (const call of calls(events).filter((c) => c.args.phase === 'check')) {
    assert.strictEqual(events.filter((e) => e.cat === 'drain' && e.ts >= call.ts && e.ts + e.dur <= call.ts + call.dur + .01).length, 1);
  }
});

test('jobs of the pool by kind, with their time in the queue', () => {
  const events = traced(`
    require('crypto').pbkdf2('a', 'b', 1000, 32, 'sha1', () => {});
    require('zlib').gzip('text', () => {});
    require('dns').lookup('localhost', () => {});
    require('fs').stat(__filename, () => {});
  `);
  const jobs = events.filter((event) => event.cat === 'job');
  assert.deepStrictEqual([...new Set(jobs.map((job) => job.args.kind))].sort(), ['crypto', 'file', 'name', 'work']);
  for (const job of jobs) assert.ok(job.args.queue_us >= 0 && job.dur >= 0 && job.tid !== calls(events)[0].tid);
});

for (const backend of backends) {
  test(`file operations are ${backend === 'uring' ? 'spans of the ring' : 'jobs'} on ${backend}`, () => {
    const events = traced(`
      const fs = require('fs');
      fs.open(__filename, (e, fd) => fs.read(fd, Buffer.alloc(10), 0, 10, 0, () => fs.fsync(fd, () => fs.close(fd, () => {}))));
    `, backend);
    const begun = events.filter((event) => event.cat === 'operation' && event.ph === 'b');
    const ended = events.filter((event) => event.cat === 'operation' && event.ph === 'e');
    const jobs = events.filter((event) => event.cat === 'job');
    const wanted = ['open', 'read', 'fsync', 'close'];
    if (backend === 'epoll') {
      assert.deepStrictEqual(begun, []);
      assert.deepStrictEqual(jobs.map((job) => job.name), wanted);
      return;
    }
    // A sync must not be lost if the process ends: the pool does it.
    assert.deepStrictEqual(jobs.map((job) => job.name), ['fsync']);
    assert.deepStrictEqual(begun.map((event) => event.name), wanted.filter((name) => name !== 'fsync'));
    assert.deepStrictEqual(ended.map((event) => event.id), begun.map((event) => event.id));
    begun.forEach((event, i) => assert.ok(ended[i].ts >= event.ts));
  });
}

test('workers are threads of their own, with their phases, callbacks, ticks and jobs', () => {
  const events = traced(`
    const { Worker } = require('worker_threads');
    const code = \`
      setTimeout(function inWorker() { process.nextTick(function workerTick() {}); }, 5);
      setImmediate(function workerImmediate() {});
      require('crypto').pbkdf2('a', 'b', 1000, 32, 'sha1', function derived() {});
      require('worker_threads').parentPort.once('message', function fromMain() {});
      require('worker_threads').parentPort.postMessage('up');
    \`;
    for (const name of ['one', 'two']) {
      const worker = new Worker(code, { eval: true, name });
      worker.on('message', function fromWorker() { worker.postMessage('down'); });
    }
    setTimeout(function inMain() {}, 5);
  `);
  const main = calls(events).find((call) => call.name === 'inMain').tid;
  const threads = events.filter((event) => event.name === 'thread_name' && ['one', 'two'].includes(event.args.name)).map((event) => event.tid);
  assert.strictEqual(new Set([main, ...threads]).size, 3);
  const order = (tid) => events.find((event) => event.name === 'thread_sort_index' && event.tid === tid).args.sort_index;
  const loops = new Set();
  for (const tid of threads) {
    const own = calls(events).filter((call) => call.tid === tid);
    const named = (name) => own.filter((call) => call.name === name);
    assert.strictEqual(named('worker script').length, 1);
    for (const [name, phase] of [['inWorker', 'timers'], ['workerImmediate', 'check'], ['derived', 'poll'], ['fromMain', 'poll']]) {
      assert.deepStrictEqual(named(name).map((call) => call.args.phase), [phase], `${name} among ${own.map((call) => call.name)}`);
    }
    assert.ok(events.some((event) => event.cat === 'drain' && event.tid === tid && event.args.first === 'workerTick'));
    // Its loop: the one in whose phase its timer ran.
    const [{ ts }] = named('inWorker');
    const found = events.filter((event) => event.cat === 'phase' && event.name === 'timers' && event.ts <= ts && event.ts + event.dur >= ts);
    for (const phase of found) if (order(phase.tid) + 1 === order(tid)) loops.add(phase.args.loop);
  }
  assert.strictEqual(loops.size, 2);
  assert.strictEqual(calls(events).filter((call) => call.name === 'fromWorker' && call.tid === main).length, 2);
  assert.strictEqual(events.filter((event) => event.cat === 'job' && event.args.kind === 'crypto').length, 2);
  mustRun(rota, ['timeline', trace, '-o', path.join(scratch, 'workers.html')]);
});

test('errors that nobody caught', () => {
  let marks = traced('setTimeout(() => { throw new RangeError("too far"); }, 1)', undefined, 1).filter((event) => event.cat === 'mark');
  assert.deepStrictEqual(marks.map((mark) => mark.name), ['uncaught error: RangeError: too far']);
  assert.strictEqual(marks[0].args.line, 1);
  marks = traced('Promise.reject(new Error("nobody cares"))', undefined, 1).filter((event) => event.cat === 'mark');
  assert.deepStrictEqual(marks.map((mark) => mark.name), ['unhandled rejection: Error: nobody cares']);
});

test('process.exit ends the file as it should; a kill leaves one that can be read', () => {
  assert.ok(traced('setTimeout(() => process.exit(3), 5)', undefined, 3).some((event) => event.name === 'rota_end'));
  const result = run(rota, [`--trace=${trace}`, program(`
    const told = () => require('fs').readFileSync(${JSON.stringify(trace)}, 'latin1').includes('"still running","args":{"call":"hangs"');
    setTimeout(function hangs() { setTimeout(() => {}, 1); const end = Date.now() + 60000; while (!told() && Date.now() < end); process.kill(process.pid, 'SIGKILL'); }, 5)`)]);
  assert.strictEqual(result.signal, 'SIGKILL');
  const text = fs.readFileSync(trace, 'utf8');
  assert.ok(!text.includes('rota_end'));
  assert.match(text, /"still running","args":\{"call":"hangs"/);
  mustRun(rota, ['timeline', trace, '-o', path.join(scratch, 'killed.html')]);
});

test('tracing changes nothing that a program sees', () => {
  const text = `
    const order = [];
    setTimeout(() => order.push('timeout'), 1); setImmediate(() => order.push('immediate'));
    process.nextTick((a, b) => order.push('tick' + a + b), 1, 2); Promise.resolve().then(() => order.push('microtask'));
    const t = setTimeout(function (x) { order.push(x, this === t); }, 3, 'argument');
    require('fs').stat(__filename, (error, stat) => order.push(typeof stat.size));
    console.log(setTimeout.name, setTimeout.length, process.nextTick.name, require('timers').setTimeout === setTimeout,
                typeof require('util').promisify(setTimeout), typeof require('util').promisify(require('fs').exists));
    process.on('exit', () => console.log(order.sort().join()));`;
  const plain = mustRun(rota, [program(text)]).stdout;
  assert.strictEqual(mustRun(rota, [`--trace=${trace}`, program(text)]).stdout, plain);
  assert.strictEqual(mustRun(rota, ['--watchdog=1000', program(text)]).stdout, plain);
});

// ---- the watchdog ----

const reports = (text) => text.split('\n').filter((line) => line.startsWith('rota: watchdog: '));

test('the watchdog names what blocks, with file, line and stack, while it does', () => {
  const example = path.join(root, 'examples', 'blocked.js');
  const { stderr } = mustRun(rota, ['--watchdog=50', example]);
  const at = (name) => `${name} (${example}:`;
  const greedy = stderr.indexOf(`ms by ${at('greedy')}13), callback of a timer, in phase timers`);
  assert.ok(greedy >= 0, stderr);
  assert.ok(greedy < stderr.indexOf('greedy has ended'), 'before it has ended');
  const stack = stderr.slice(greedy, stderr.indexOf('greedy has ended'));
  assert.match(stack, /in JavaScript(?:, \d+ ms later)?:\n(?: {4}at [^\n]*\n)*? {4}at burn \([^\n]*blocked\.js:10\)\n {4}at greedy \([^\n]*blocked\.js:14\)/);
  assert.match(stderr, /a loop is starved for \d+ ms by ticks: \d+ so far, now endlessTick \([^\n]*blocked\.js:20\), after queueTicks/);
  assert.match(stderr, /a loop is starved for \d+ ms by microtasks: promises(, now [^\n]*)?, after queueMicrotasks/);
  // Eight times too long: reported the first, second, fourth and eighth time.
  const often = reports(stderr).filter((line) => line.includes('oftenTooLong') && line.includes(' is '));
  assert.ok(often.length >= 2 && often.length <= 5, often.join('\n'));
  assert.match(often[1], /; 2 times so far, worst \d+ ms/);
  const ends = reports(stderr).filter((line) => line.includes('oftenTooLong') && / was blocked for \d+ ms in all by /.test(line));
  assert.strictEqual(ends.length, often.length);
});

test('what blocks when the process exits has its end, too', () => {
  const text = `setTimeout(function last() { for (const end = Date.now() + 700; Date.now() < end;); process.exit(); }, 10);`;
  let seen = '';
  for (let runs = 0; runs < 5 && !/up to the exit/.test(seen); runs++) seen += mustRun(rota, ['--watchdog=50', program(text)]).stderr;
  assert.match(seen, /the loop was blocked for \d+ ms in all, up to the exit of the process, by last \(/);
});

test('the same for a program in C, by its symbol', () => {
  const { stderr } = run(path.join(build, 'examples', 'blocked'), []);
  assert.match(stderr, /a loop is blocked for \d+ ms by on_greedy( \(\S*blocked\.c:\d+\)|\+0x0 )/);
  assert.match(stderr, /a loop is starved for \d+ ms by ticks: \d+ so far, now endless_tick( \(\S*blocked\.c:\d+\)|\+0x0)/);
});

test('a loop of promises is named itself, and not only who began it', () => {
  const { stderr } = mustRun(rota, ['--watchdog=50', program(`
    const until = performance.now() + 3000, told = () => performance.now() > until;
    function again() { if (!told()) return Promise.resolve().then(again); }
    setTimeout(function starter() { again(); }, 5);`)]);
  assert.match(stderr, /starved for \d+ ms by microtasks: promises, now \w+ \([^\n]*:\d\), after starter/);
  assert.match(stderr, /in JavaScript(?:, \d+ ms later)?:\n(?: {4}at [^\n]*\n)*? {4}at again \(/);
});

test('nothing is said when nothing blocks', () => {
  assert.strictEqual(mustRun(rota, ['--watchdog=2000', program('setTimeout(() => {}, 30)')]).stderr, '');
  assert.match(run(rota, ['--watchdog=soon', '-e', '1']).stderr, /--watchdog=soon: must be a number of milliseconds/);
  assert.strictEqual(run(rota, ['--watchdog=0', '-e', '1']).status, 9);
});

// ---- why is it alive? ----

const lingering = `
  function openServer() { require('net').createServer(() => {}).listen(0); }
  openServer();
  setTimeout(function later() {}, 60000);
  setInterval(function beat() {}, 70000);
  setTimeout(function notCounted() {}, 80000).unref();
  console.log('begun');
  setTimeout(() => {
    if (process.argv[2] === 'exit') process.exit();
  }, 3000);`;

function checkAlive(text, file) {
  assert.match(text, /is alive: \d handles/);
  const lines = text.split('\n');
  const at = (wanted) => lines.findIndex((line) => line.includes(wanted));
  assert.ok(at(`timeout later (${file}:4) of 60000 ms, due in 5`) >= 0, text);
  assert.ok(at(`interval beat (${file}:5), every 70000 ms`) >= 0, text);
  assert.strictEqual(at('notCounted'), -1, text);
  const server = at('listening on');
  assert.ok(server >= 0, text);
  assert.match(lines.slice(server + 1, server + 4).join('\n'), new RegExp(`at openServer \\(${file}:2\\)\n +at Object.<anonymous> \\(${file}:3\\)`));
  assert.match(lines[at('timeout later') + 1], new RegExp(`at Object.<anonymous> \\(${file}:4\\)`));
}

test('rota why lists what keeps the loop alive, and where it was made', () => {
  const file = program(lingering);
  checkAlive(mustRun(rota, ['why', '--after=200', file, 'exit']).stderr, file);
  assert.match(mustRun(rota, ['why', program('1')]).stderr, /ended by itself/);
  assert.match(run(rota, ['why']).stderr, /^rota why: missing script/);
});

test('ports, watchers and children by what they are', () => {
  const { stderr } = mustRun(rota, ['why', '--after=200', program(`
    const { port2 } = new MessageChannel();
    port2.on('message', () => {});
    require('fs').watch('${scratch}', () => {});
    require('fs').watchFile('${scratch}/polled', () => {});
    const child = require('child_process').spawn('sleep', ['2000']);
    setTimeout(() => { child.kill(); process.exit(); }, 1000);
  `)]);
  assert.match(stderr, /^ {2}message port with a listener\n/m);
  assert.doesNotMatch(stderr, /2147483647/);
  assert.ok(stderr.includes(` of ${scratch}\n`) && stderr.includes(` of ${scratch}/polled\n`), stderr);
  assert.match(stderr, /process \d+: sleep 2000\n/);
});

test('and so does a signal at run time', async () => {
  const file = program(lingering);
  const child = spawn(rota, [file], { env: { ...process.env, ROTA_WHY: '1' } });
  let text = '';
  child.stderr.on('data', (data) => (text += data));
  await new Promise((resolve) => child.stdout.once('data', resolve)); // a signal before it has begun would end it
  for (let i = 0; i < 300 && text.split('is alive').length < 3; i++) { // the second begins when the first is whole
    child.kill('SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  checkAlive(text, file);
});

// ---- samples ----

test('samples show what runs inside of a long callback; in the runtime none without being asked, in Node some', () => {
  const file = program(`
    function parse() { burn(150); }
    function render() { burn(150); }
    function burn(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
    setTimeout(function handle() { parse(); render(); }, 1);
    setTimeout(function short() {}, 2);`);
  const stacksOf = (...command) => {
    mustRun(rota, command);
    const events = JSON.parse(fs.readFileSync(trace, 'utf8'));
    const { id } = events.find((event) => event.cat === 'call' && event.name === 'handle').args;
    const samples = events.filter((event) => event.cat === 'sample');
    return samples.filter((sample) => sample.args.in === id).map((sample) => sample.args.stack.map((frame) => frame.split(' ')[0]).slice(0, 3).join(' '));
  };
  const ways = [[`--trace=${trace}`, '--samples=2', file], ['trace', '--samples=2', '-o', trace, '--', process.execPath, file]];
  for (const way of ways) {
    let stacks = [];
    for (let i = 0; i < 6 && !(stacks.includes('handle parse burn') && stacks.includes('handle render burn')); i++) stacks = stacksOf(...way);
    assert.ok(stacks.includes('handle parse burn') && stacks.includes('handle render burn'), stacks.join('\n'));
    assert.ok(stacks.every((stack) => stack.startsWith('handle')), stacks.join('\n'));
    const unasked = stacksOf(...way.filter((word) => !word.startsWith('--samples')));
    if (way[0] === 'trace') assert.ok(unasked.every((stack) => stack.startsWith('handle')) && unasked.length <= 40, unasked.join('\n'));
    else assert.deepStrictEqual(unasked, []);
  }
});

// ---- jobs ----

test('jobs of the pool tell what they do, and about what', () => {
  const missing = '/no/such/' + 'long/'.repeat(60) + 'file';
  const text = `
    const fs = require('fs'), crypto = require('crypto'), zlib = require('zlib');
    const jobs = [
      (done) => fs.stat('/etc/hostname', done), (done) => fs.rename('/no/such/a', '/no/such/b', done), (done) => fs.access('${missing}', done),
      (done) => require('dns').lookup('localhost', done), (done) => crypto.pbkdf2('a', 'b', 10, 20, 'sha256', done),
      (done) => crypto.scrypt('a', 'b', 16, done), (done) => zlib.gzip('text', done), (done) => fs.writeFile('${scratch}/written', 'x', done),
      (done) => fs.readFile('${scratch}/written', done),
    ];
    jobs.reduceRight((done, job) => () => job(done), () => {})();`;
  const jobsOf = (events) => events.filter((event) => event.cat === 'job' || event.cat === 'operation')
    .map(({ name, args }) => `${args.kind}: ${name}${args.about === undefined ? '' : ` ${args.about}`}`);
  const cut = (length) => `...${missing.slice(3 - length)}`;
  const jobs = jobsOf(traced(text, 'epoll'));
  const wanted = ['file: stat /etc/hostname', 'file: rename /no/such/a -> /no/such/b', `file: access ${cut(192)}`, 'name: name localhost', 'crypto: pbkdf2', 'crypto: scrypt',
    'work: gzip', `file: writeFile ${scratch}/written`, `file: readFile ${scratch}/written`];
  for (const each of wanted) assert.ok(jobs.includes(each), `${each} in\n${jobs.join('\n')}`);
  const file = path.join(scratch, 'node.js');
  fs.writeFileSync(file, text);
  mustRun(rota, ['trace', '-o', trace, '--', process.execPath, file], { env: { ...process.env, ROTA_POLLER: 'epoll' } });
  const nodes = jobsOf(JSON.parse(fs.readFileSync(trace, 'utf8')));
  for (const each of [...wanted.slice(0, 4), 'work: node::fs::ReadFileJob::DoThreadPoolWork', 'work: node::crypto::DeriveBitsJob::DoThreadPoolWork',
    'work: node::(anonymous namespace)::CompressionStream::DoThreadPoolWork']) assert.ok(nodes.includes(each), `${each} in\n${nodes.join('\n')}`);
});

// ---- figures ----

test('--stats prints a table at the end, with bars', () => {
  const { stderr } = mustRun(rota, ['--stats', program("require('fs').stat('/', () => setTimeout(() => {}, 5))")]);
  assert.match(stderr, /^rota: statistics of process \d+, rota \S+: the loop was busy for \d+\.\d % of/);
  for (const name of ['iteration', 'loop delay', 'timer lateness', 'file queued', 'file run']) assert.ok(stderr.includes(`  ${name} `), stderr);
  assert.match(stderr, /[▁▂▃▄▅▆▇█]/);
  const child = "require('child_process').spawnSync(process.execPath, ['-e', '1'], { stdio: 'inherit' })";
  assert.strictEqual(mustRun(rota, ['--stats', '-e', child]).stderr.split('statistics of').length, 2, 'not of its children');
});

test('process.rota tells JavaScript the figures', () => {
  const { stdout } = mustRun(rota, [program(`
    process.rota.start();
    require('fs').stat('/', () => setTimeout(() => {
      const end = performance.now() + 30;
      while (performance.now() < end);
      setTimeout(() => {
        const { figure, utilization, percentile, figures } = process.rota;
        const use = utilization();
        console.log(figure('loop delay').max >= 30, figure('loop delay').max < 3000, figure('file queued').count, use.utilization > 0 && use.utilization < 1,
          use.idle > 10, use.active >= 30, percentile('loop delay', 100) >= 30, Object.keys(figures()).includes('iteration'), process.rota.recording);
        process.rota.reset();
        console.log(figure('loop delay'), Object.keys(process).includes('rota'));
        try { figure('nonsense'); } catch (error) { console.log(error.name); }
      }, 40);
    }, 1));`)]);
  assert.strictEqual(stdout, 'true true 1 true true true true true true\nundefined false\nRangeError\n');
});

test('a thousand reads behind a pool of four: the queue shows, and is gone where the ring reads', () => {
  for (const backend of backends) {
    const { stdout } = mustRun(rota, [path.join(root, 'examples', 'reads.js')], { env: { ...process.env, ROTA_POLLER: backend, UV_THREADPOOL_SIZE: '4' } });
    console.log(`    ${backend}: ${stdout.trim().replace('\n', '; ')}`);
    if (backend === 'uring') {
      assert.match(stdout, /none stood in the queue/);
    } else {
      const [, count, middle, longest] = /^(\d+) stood in .* up to ([\d.]+) ms, the longest for ([\d.]+) ms$/m.exec(stdout);
      assert.strictEqual(+count, 1000);
      assert.ok(+longest > 0 && +middle <= +longest);
    }
  }
});

// Where a signal ends it in the middle of a wait, that wait is told, too.
test('a trace is whole JSON, however its program ends, and says whether it was ended', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGABRT', 'SIGKILL']) {
    const child = spawn(rota, [`--trace=${trace}`, program("setTimeout(() => console.log('waits'), 20); setInterval(() => {}, 10000);")],
      { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill(signal);
    const ended = await new Promise((resolve) => child.on('close', (code, by) => resolve(by)));
    assert.strictEqual(ended, signal);
    const events = JSON.parse(fs.readFileSync(trace, 'utf8'));
    const isEnd = signal !== 'SIGKILL';
    assert.strictEqual(events.some((event) => event.name === 'rota_end'), isEnd, signal);
    assert.strictEqual(events.some((event) => event.name === 'still waiting' && event.args.for_us > 90000), isEnd, signal);
  }
});

finish();
