'use strict';
// Callbacks in Node are named by JavaScript's function, file and line; and the program does not notice.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { isMusl, nodes } = require('./nodes.js');

const guilty = path.join(__dirname, 'names_guilty.js');
const effects = path.join(__dirname, 'names_effects.js');
const ciphers = path.join(__dirname, 'names_ciphers.js');
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

function alive(node, version) {
  test(`${version}: why it is alive: where each was made`, () => {
    const program = path.join(__dirname, 'names_alive.js');
    const made = fs.readFileSync(program, 'utf8').split('\n');
    // A busy machine may need longer until all are there.
    for (const after of [1000, 4000, 16000]) {
      const { stderr } = mustRun(rota, ['why', `--after=${after}`, '--', node, program, String(after + 1000)]);
      const isThere = ([what, text]) => {
        const line = made.findIndex((each) => each.includes(text)) + 1;
        return new RegExp(`^  ${what}.*\\n( .*\\n)*?      at .*${program}:${line}\\)?$`, 'm').test(stderr);
      };
      const wanted = [['timeout later', 'setTimeout(later'], ['interval beat', 'setInterval('], ['tcp .* listening', '.listen(0'], ['tcp .* peer', 'net.connect('],
        ['tcp .*\\n      accepted by', '.listen(0'], ['worker 1', 'new Worker('], ['timeout of timers/promises', 'timers.setTimeout('], ['fs_event', 'fs.watch('], ['process', 'spawn(']];
      if (after === 16000) assert.deepStrictEqual(wanted.filter((each) => !isThere(each)), [], stderr);
      if (wanted.every(isThere)) break;
    }
  });
}

// The system's Node is another one: on Debian 12 it is Node 18, on Debian 13 Node 20, whose V8 has no positions of functions.
const system = run('node', ['-p', '/^v(22|26)/.test(process.version) ? "" : process.version']);
if (!isMusl && system.status === 0 && system.stdout.trim() !== '') {
  alive('node', system.stdout.trim());
  blame('node', system.stdout.trim(), path.join(scratch, 'names.json'), ['file', 'timer', 'await', 'nested']);
}

for (const node of nodes) {
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

  for (const last of ['pbkdf2', 'randomBytes', 'checkPrime', 'sign'])
    test(`${version}: a program does not notice that its callbacks of crypto are named, when that of ${last} throws`, () => {
      const alone = run(node, [ciphers, last]);
      const named = run(rota, ['trace', '-o', trace, '--', node, ciphers, last]);
      fs.rmSync(trace);
      assert.strictEqual(withoutTrampoline(named.stdout), alone.stdout);
      assert.strictEqual(withoutTrampoline(named.stderr), alone.stderr);
      assert.match(alone.stderr, /Cannot read properties of undefined/);
      assert.strictEqual(named.status, alone.status);
    });

  test(`${version}: a request of HTTP is called by its method and route, what has no name by its place`, () => {
    const file = path.join(scratch, 'requests.js');
    fs.writeFileSync(file, `const http = require('http');
      const server = http.createServer((request, response) => response.end(request.method + request.url)).listen(0, async () => {
        const { port } = server.address();
        for (const [method, path] of [['GET', '/?token=secret'], ['POST', '/slow'], ['GET', '/users/12345/posts'], ['GET', '/of/8f14e45f-ceea-467f'], ['GET', '/slow?a=/b'], ['GET', '/' + 'long/'.repeat(50)]])
          await new Promise((done) => http.request({ port, method, path, agent: false }, (response) => response.on('data', (data) => { if (String(data) !== method + path) process.exitCode = 1; }).on('end', done)).end());
        for (let i = 0; i < 220; i++) await new Promise((done) => http.get({ port, path: '/many' + 'x'.repeat(i % 22) + 'y'.repeat(i / 22), agent: false }, (response) => response.resume().on('end', done)));
        setImmediate(() => server.close());
      });`);
    mustRun(rota, ['trace', '-o', trace, '--', node, file]);
    const calls = callsOf(trace), names = calls.map((call) => call.name);
    assert.doesNotMatch(JSON.stringify(calls), /secret|token/);
    for (const name of ['GET /', 'POST /slow', 'GET /users/:id/posts', 'GET /of/:id', 'GET /slow', `GET /${'long/'.repeat(50).slice(0, 79)}...`, 'GET (other routes)', 'requests.js:7']) assert.ok(names.includes(name), `${name}: ${names}`);
    assert.ok(new Set(names.filter((name) => name.startsWith('GET /'))).size <= 200);
    const { args } = calls.find((call) => call.name === 'POST /slow');
    assert.deepStrictEqual([args.file, args.line], [file, 2]);
    assert.ok(!names.includes('(anonymous)'), String(names));
  });

  test(`${version}: jobs of Node's own tell what they do`, () => {
    const trace = path.join(scratch, 'jobs.json');
    mustRun(rota, ['trace', '-o', trace, '--', node, '-e', 'require("crypto").pbkdf2("a", "b", 1, 9, "sha1", () => {}); require("zlib").gzip("a", () => {});']);
    const text = fs.readFileSync(trace, 'utf8');
    for (const name of ['node::crypto::DeriveBitsJob', 'node::(anonymous namespace)::CompressionStream'])
      assert.ok(text.includes(`"cat":"job","name":"${name}::DoThreadPoolWork"`), text);
  });

  // On a busy machine the watchdog's thread may get no processor for as long as a block lasts: what it reports is right,
  // but it may not be all. So what is missing is looked for in further runs.
  test(`${version}: a loop of promises is seen, and what runs in it is named`, () => {
    const file = path.join(scratch, 'promises.js');
    fs.writeFileSync(file, `
      const until = Date.now() + 1500;
      async function guilty() { let x = 0; for (let i = 0; i < 5000; i++) x += i; return x; }
      async function starter() { while (Date.now() < until) await guilty(); }
      setTimeout(starter, 5);`);
    const wanted = /a loop is (?:still )?blocked for \d+ ms by (?:\d+ callbacks in a row, now )?(guilty|starter) \([^\n]*promises\.js:\d\), [^\n]*callback of a timer/;
    let seen = '';
    for (let runs = 0; runs < 5 && !wanted.test(seen); runs++) seen += mustRun(rota, ['watch', '--threshold=50', '--', node, file]).stderr;
    // Names are switched off when they cost too much, as they do here: from then on the whole is one callback.
    assert.match(seen, wanted);
  });

  test(`${version}: the watchdog shows JavaScript's stack of what blocks`, () => {
    const blocked = path.join(__dirname, 'names_blocked.js');
    const missing = new Map([['looping', ['burn']], ['regexp', []], ['parsing', ['JSON\\.parse \\(native']], ['waiting', ['child_process\\.execSync \\(native']], ['reading', ['fs\\.readFileSync \\(native']], ['ticking', ['burn']], ['reacting', ['burn']]]);
    let seen = '';
    for (let runs = 0; runs < 5 && missing.size > 0; runs++) {
      const { stderr } = mustRun(rota, ['watch', '--threshold=30', '--', node, blocked]);
      seen += stderr;
      fs.rmSync(path.join(scratch, 'fifo'));
      for (const report of stderr.split(/^rota: watchdog: /m).slice(1)) {
        const name = [...missing.keys()].find((each) => report.includes(`by ${each} (${blocked}:`));
        // A stack of what runs after it says so.
        if (name === undefined || !/in JavaScript(, \d+ ms later)?:\n/.test(report)) continue;
        assert.match(report, new RegExp(`in JavaScript[^\\n]*:\\n(    at .*\\n)*    at ${name} \\(${blocked}:\\d+\\)`));
        const inner = missing.get(name).map((each) => `    at ${each}.*\\n`).join('');
        if (new RegExp(`in JavaScript[^\\n]*:\\n${inner}    at ${name} \\(${blocked}:\\d+\\)`).test(report)) missing.delete(name);
      }
    }
    assert.deepStrictEqual([...missing.keys()], [], seen);
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

  alive(node, version);

  // The first line of what runs is line 1 of the source, the second is line 10.
  test(`${version}: what was compiled on the way has the lines of its source; a JavaScript file if Node is told so, too`, () => {
    const map = JSON.stringify({ version: 3, sources: ['written.ts'], names: [], mappings: 'AAAA;AASA' });
    const text = '"use strict";\nsetTimeout(function late() { require("fs").stat(".", function told() {}); }, 5);\n//# sourceMappingURL=';
    const files = ['written.ts', 'made.js'].map((name) => path.join(scratch, name));
    const load = path.join(scratch, 'load.js'), trace = path.join(scratch, 'maps.json');
    fs.writeFileSync(files[0], ''); // what runs is not in the file
    fs.writeFileSync(files[1], `${text}made.js.map\n`);
    fs.writeFileSync(path.join(scratch, 'made.js.map'), map);
    const inline = `${text}data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;
    fs.writeFileSync(load, `require.extensions['.ts'] = (module, file) => module._compile(${JSON.stringify(inline)}, file); require(process.argv[2]);`);
    const places = (...args) => {
      mustRun(rota, ['trace', '-o', trace, '--', node, ...args]);
      return JSON.parse(fs.readFileSync(trace, 'utf8')).filter(({ name, cat }) => cat === 'call' && /^(late|told)$/.test(name)).map(({ args: { file, line } }) => `${file}:${line}`);
    };
    const line = (file, number) => [`${file}:${number}`, `${file}:${number}`];
    assert.deepStrictEqual(places(load, files[0]), line(files[0], 10));
    assert.deepStrictEqual(places(files[1]), line(files[1], 2));
    assert.deepStrictEqual(places('--enable-source-maps', files[1]), line(files[0], 10));
    const blocks = path.join(scratch, 'blocks.js'), wanted = /blocked for \d+ ms by late \([^)]*written\.ts:10\)[^]*at late \([^)]*written\.ts:10\)/;
    fs.writeFileSync(blocks, fs.readFileSync(load, 'utf8').replace('require(\\"fs\\").stat(\\".\\", function told() {});', 'for (const end = Date.now() + 300; Date.now() < end;);'));
    let seen = '';
    for (let runs = 0; runs < 5 && !wanted.test(seen); runs++) seen += mustRun(rota, ['watch', '--threshold=50', '--', node, blocks, files[0]]).stderr;
    assert.match(seen, wanted);
  });

  test(`${version}: what has blocked is to blame, not what follows in the same callback`, () => {
    const parts = path.join(scratch, 'parts.js');
    fs.writeFileSync(parts, `const spin = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
      setTimeout(() => process.nextTick(function guilty() { spin(300); process.nextTick(function innocent() { spin(60); }); }), 5);`);
    const { stderr } = mustRun(rota, ['watch', '--threshold=100', '--', node, parts]);
    assert.match(stderr, /blocked for \d+ ms by guilty \(/);
    assert.doesNotMatch(stderr, /in a row, now innocent/);
  });

  test(`${version}: a timer that calls a native function is alive, and has no place`, () => {
    const { stderr } = mustRun(rota, ['why', '--after=100', '--', node, '-e', 'new Promise((resolve) => setTimeout(resolve, 2000))']);
    assert.match(stderr, /^  timeout \(anonymous\) \(native\) of 2000 ms\n      at /m);
    const named = 'const f = () => {}; Object.defineProperty(f, "name", { get() { throw new Error("no"); } }); setTimeout(f, 2000)';
    assert.match(mustRun(rota, ['why', '--after=100', '--', node, '-e', named]).stderr, /^  timeout \(anonymous\) of 2000 ms\n      at /m);
  });

  // A program that always has an immediate to run waits for none of them long: whenever it is looked at, some wait.
  test(`${version}: an immediate that waits is alive, with its maker`, () => {
    const program = path.join(scratch, 'immediates.js');
    fs.writeFileSync(program, `const { setImmediate: turn } = require('timers/promises');
      const until = Date.now() + 3000;
      function soon() { for (const end = Date.now() + 5; Date.now() < end;); if (Date.now() < until) setImmediate(soon); }
      async function turns() { while (Date.now() < until) await turn(); }
      soon();
      turns();
      clearImmediate(setImmediate(function never() {}));
      setImmediate(function unwanted() {}).unref();`);
    for (const after of [300, 1000, 2000]) {
      const { stderr } = mustRun(rota, ['why', `--after=${after}`, '--', node, program]);
      const wanted = [/^  immediate soon \([^\n]*immediates\.js:3\)\n      at soon \([^\n]*immediates\.js:3\)$/m, /^  immediate of timers\/promises\n      at turns \([^\n]*immediates\.js:4\)$/m];
      if (after < 2000 && !wanted.every((each) => each.test(stderr))) continue;
      for (const each of wanted) assert.match(stderr, each);
      assert.doesNotMatch(stderr, /never|unwanted|^  idle /m);
      break;
    }
  });

  test(`${version}: messages of workers and ports are named by who receives them; a worker's main script has its file`, () => {
    const messages = path.join(scratch, 'messages.js');
    fs.writeFileSync(messages, `const { Worker, isMainThread, parentPort, MessageChannel } = require('worker_threads');
      if (isMainThread) {
        let count = 0;
        const worker = new Worker(__filename), { port1, port2 } = new MessageChannel();
        worker.on('message', function fromWorker() { worker.postMessage(++count < 20 ? count : 'end'); });
        worker.postMessage(0);
        port2.onmessage = function viaProperty() { port1.close(); };
        port1.postMessage(1);
      } else {
        for (const end = Date.now() + 100; Date.now() < end;);
        parentPort.on('message', function inWorker(message) { message === 'end' ? parentPort.close() : parentPort.postMessage(message); });
      }`);
    mustRun(rota, ['trace', '-o', trace, '--', node, messages]);
    const calls = callsOf(trace), count = (name, line) => calls.filter((call) => call.name === name && call.args.file === messages && call.args.line === line).length;
    assert.ok(count('fromWorker', 5) === 20, JSON.stringify(calls, null, 1));
    assert.ok(count('inWorker', 11) === 21, JSON.stringify(calls, null, 1));
    assert.strictEqual(count('viaProperty', 7), 1);
    assert.strictEqual(count('(main script)', 1), 2, JSON.stringify(calls.filter((call) => call.args.phase === 'outside'), null, 1));
    assert.deepStrictEqual(calls.filter((call) => call.name === '?'), []);
  });

  test(`${version}: short callbacks of crypto, zlib, streams and other processes have names`, () => {
    const short = path.join(scratch, 'short.js');
    fs.writeFileSync(short, `const crypto = require('crypto'), zlib = require('zlib'), { fork } = require('child_process');
      if (process.argv[2] === 'child') { process.on('message', function inChild() { process.disconnect(); }); process.send(1); return; }
      crypto.pbkdf2('a', 'b', 1, 9, 'sha1', function derived() {});
      crypto.randomBytes(9, function random() {}); crypto.randomInt(9, function number() {}); crypto.checkPrime(7n, function prime() {});
      zlib.gzip('a', function zipped() {});
      const stream = zlib.createGzip();
      stream.on('data', function zippedPart() {});
      stream.on('end', function zippedEnd() {});
      stream.end('a');
      const child = fork(__filename, ['child']), other = fork(__filename, ['child']);
      child.on('message', function fromChild() { child.send(2); });
      other.on('message', function fromOther() { other.send(2); });`);
    for (const file of fs.readdirSync(scratch)) if (file.startsWith('names.json')) fs.rmSync(path.join(scratch, file));
    mustRun(rota, ['trace', '-o', trace, '--', node, short]);
    const files = fs.readdirSync(scratch).filter((file) => file.startsWith('names.json'));
    const calls = files.flatMap((file) => callsOf(path.join(scratch, file)));
    const count = (name, line) => calls.filter((call) => call.name === name && call.args.file === short && call.args.line === line).length;
    const wanted = [['inChild', 2, 2], ['derived', 3, 1], ['random', 4, 1], ['number', 4, 1], ['prime', 4, 1], ['zipped', 5, 1], ['zippedEnd', 8, 1], ['fromChild', 11, 1], ['fromOther', 12, 1]];
    assert.deepStrictEqual(wanted.map(([name, line]) => [name, line, count(name, line)]), wanted, JSON.stringify(calls, null, 1));
    assert.ok(count('zippedPart', 7) >= 1);
  });

  test(`${version}: what eval has made is the program's`, () => {
    const made = path.join(scratch, 'eval.js');
    fs.writeFileSync(made, `globalThis.spin = function spin() { for (const end = Date.now() + 50; Date.now() < end;); };
      setTimeout(eval('(function evaluated() { spin(); })'), 5);
      setTimeout(new Function('spin();'), 5);`);
    mustRun(rota, ['trace', '-o', trace, '--', node, made]);
    const calls = callsOf(trace).filter((call) => call.dur > 40000 && call.args.phase === 'timers');
    assert.deepStrictEqual(calls.map((call) => [call.name, call.args.file]), [['evaluated', '<anonymous>'], ['(anonymous)', '<anonymous>']]);
  });

  test(`${version}: of many ticks in a row, the program's function is named`, () => {
    const ticks = 'setTimeout(() => { const end = Date.now() + 1500; (function flood() { if (Date.now() < end) process.nextTick(flood); })(); }, 5)';
    const { stderr } = mustRun(rota, ['watch', '--threshold=50', '--', node, '-e', ticks]);
    for (const line of stderr.split('\n').filter((each) => each.includes('in a row'))) assert.match(line, /in a row, now flood \(/);
  });

  test(`${version}: a worker that is ended while it starts is no reason to say that there are no names`, () => {
    const ends = `const { Worker } = require('worker_threads');
      let left = 60;
      const next = () => { if (left-- > 0) { const w = new Worker('1', { eval: true }); w.on('exit', next); setTimeout(() => w.terminate(), left % 30); } };
      next();`;
    const { stderr } = mustRun(rota, ['watch', '--threshold=5000', '--', node, '-e', ends]);
    assert.doesNotMatch(stderr, /cannot be named/);
  });

  test(`${version}: a busy program is named for a share of the time, and stays whole`, () => {
    const busy = path.join(scratch, 'busy.js');
    fs.writeFileSync(
      busy,
      `let count = 0;
function again() {
  count++;
  Promise.resolve().then(() => process.nextTick(() => {}));
  if (count < 60000) setImmediate(again);
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

test('source maps, whole and damaged', () => {
  const program = path.join(scratch, 'map');
  const flags = ['-std=c11', '-D_GNU_SOURCE', '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover', '-Wall', '-Wextra', '-Werror', `-I${root}`, `-I${root}/include`];
  mustRun('gcc', [...flags, path.join(__dirname, 'map.c'), path.join(root, 'inject', 'names', 'source_map.c'), '-o', program]);
  const found = mustRun(program, []).stdout.trim().split('\n');
  const line = (number, text) => [0, 20, 40].map((column) => `${number}:${column} ${text}`);
  const second = ['1:0 /srv/app/a.ts:1', '1:20 /srv/b.ts:2', '1:40 /srv/b.ts:2'];
  assert.deepStrictEqual(found, [...line(0, '/srv/app/a.ts:0'), ...second, ...line(3, '/c/e.ts:1').slice(1), ...line(4, '/c/e.ts:10')]);
});

finish();
