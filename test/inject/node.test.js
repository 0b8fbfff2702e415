'use strict';
// Node's official binaries on librota: Node 26 and an older one, as npm brings them, do what they do alone, and can be seen and steered.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { compiler, compilerFlags, graft, isMusl, library, nodes } = require('./nodes.js');

const everything = path.join(__dirname, 'everything.js');
const script = (name, text) => {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
};
// A busy machine may need longer for it.
function inTime(attempt) {
  for (const ms of [500, 2500]) {
    try {
      return attempt(ms);
    } catch (error) {
      console.log(`    within ${ms} ms: ${error.message.split('\n')[0]}`);
    }
  }
  return attempt(10000);
}
const events = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

// A package's own addon may be asked for by any of them: Node-API is the same.
const addon = path.join(scratch, 'addon.node');
mustRun(compiler, ['-O1', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-DNAPI_VERSION=8', '-isystem', path.join(root, 'node_modules/node-api-headers/include'),
  `-I${root}/include`, path.join(__dirname, 'addon.c'), '-o', addon]);

for (const node of nodes) {
  const version = mustRun(node, ['-p', 'process.version']).stdout.trim();
  const title = (text) => `${version}: ${text}`;
  const backends = process.env.BACKENDS.split(' ');

  test(title('does on librota what it does alone'), () => {
    const alone = mustRun(node, [everything]).stdout;
    assert.match(alone, /worker \{"data":\[1,2,3\],"path":"there"\}/);
    for (const backend of backends) {
      const { stdout, stderr } = mustRun(rota, ['run', '--', node, everything], { env: { ...process.env, ROTA_POLLER: backend, ROTA_GRAFT: 'verbose' } });
      assert.strictEqual(stdout, alone);
      assert.match(stderr, /libuv 1\.5\d\.\d: 31\d functions are redirected to librota/);
    }
  });

  test(title('an addon that uses libuv gets the same loop'), () => {
    const file = script('addon.js', 'console.log(require(process.argv[2])(() => console.log("called back")));');
    for (const command of [[node, file, addon], [rota, 'run', '--', node, file, addon]])
      assert.strictEqual(mustRun(command[0], command.slice(1)).stdout, 'true\ncalled back\n');
  });

  test(title('is traced with its workers and children, and pages are made'), () => {
    const file = path.join(scratch, 'trace.json');
    mustRun(rota, ['trace', '-o', file, '--', node, everything]);
    const written = fs.readdirSync(scratch).filter((entry) => entry.startsWith('trace.json'));
    assert.ok(written.length >= 4, `itself, a child, a fork with its own, a cluster's worker: ${written}`);
    const loops = new Set(events(file).filter((event) => event.cat === 'iteration').map((event) => event.tid));
    assert.ok(loops.size >= 2, "the worker's loop, too");
    mustRun(rota, ['timeline', file, '-o', path.join(scratch, 'page.html')]);
    assert.ok(fs.readFileSync(path.join(scratch, 'page.html'), 'utf8').includes('"file":"node everything.js"'), "the page's title names the program");
    for (const entry of written) fs.rmSync(path.join(scratch, entry));
    mustRun(rota, ['timeline', '-o', path.join(scratch, 'own.html'), '--', node, '-e', 'require("child_process").execFileSync(process.execPath, ["-p", 1])']);
    assert.strictEqual(fs.readdirSync(scratch).filter((entry) => /^own(\.\d+)?\.html$/.test(entry)).length, 2);
    for (const entry of fs.readdirSync(scratch)) if (entry.startsWith('own')) fs.rmSync(path.join(scratch, entry));
  });

  test(title('a server that a signal ends has its statistics; one that listens to the signal ends as it likes'), () => {
    const wait = 'const t = setInterval(() => {}, 1000);';
    for (const signal of ['SIGINT', 'SIGTERM']) {
      const ended = run(rota, ['stats', '--', node, '-e', `${wait} setTimeout(process.kill, 20, process.pid, '${signal}')`]);
      assert.strictEqual(ended.signal, signal);
      const own = mustRun(rota, ['stats', '--', node, '-e', `process.once('${signal}', () => clearInterval(t)); ${wait} setTimeout(process.kill, 20, process.pid, '${signal}')`]);
      for (const { stderr } of [ended, own]) assert.strictEqual(stderr.match(/^rota: statistics of process /gm)?.length, 1, stderr);
    }
  });

  test(title('a program that a signal ends has its trace up to there, and what it was about to do'), () => {
    const file = path.join(scratch, 'killed.json');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      const killed = script('killed.js', `setTimeout(function last() { setTimeout(function veryLast() { process.kill(process.pid, '${signal}'); setInterval(() => {}, 1000); }, 1); }, 60);`);
      assert.strictEqual(run(rota, ['trace', '-o', file, '--', node, killed]).signal, signal);
      const text = fs.readFileSync(file, 'utf8');
      assert.match(text, /"cat":"call","name":"last"/);
      assert.match(text, /"name":"(veryLast"|still running","args":\{"call":"veryLast")/);
      assert.strictEqual(JSON.parse(text).at(-1).name, 'rota_end');
      fs.rmSync(file);
    }
  });

  test(title('a trace is whole JSON, however its program ends'), () => {
    const file = path.join(scratch, 'killed.json');
    for (const signal of ['SIGINT', 'SIGABRT', 'SIGQUIT', 'SIGKILL']) {
      const killed = script('killed.js', `setTimeout(() => {}, 20); setTimeout(() => process.kill(process.pid, '${signal}'), 100);`);
      assert.strictEqual(run(rota, ['trace', '-o', file, '--', node, killed]).signal, signal);
      assert.ok(events(file).some((event) => event.cat === 'wait'), signal);
      fs.rmSync(file);
    }
    const goesOn = script('goes_on.js', "process.once('SIGINT', () => setTimeout(function lastOfAll() {}, 60)); setTimeout(() => {}, 300); setTimeout(() => process.kill(process.pid, 'SIGINT'), 30);");
    mustRun(rota, ['trace', '-o', file, '--', node, goesOn]);
    const text = fs.readFileSync(file, 'utf8');
    assert.ok(JSON.parse(text).some((event) => event.name === 'lastOfAll'));
    assert.strictEqual(text.match(/rota_end/g).length, 1);
    fs.rmSync(file);
  });

  test(title('a callback that ends the process counts'), () => {
    const ends = script('ends.js', 'setTimeout(function endsIt() { for (const end = Date.now() + 200; Date.now() < end;); process.exit(); }, 5);');
    assert.match(mustRun(rota, ['stats', '--', node, ends]).stderr, /^ {2}callback( +\S+){5,7} +[2-9]\d\d ms +\|/m);
    const file = path.join(scratch, 'ends.json');
    mustRun(rota, ['trace', '-o', file, '--', node, ends]);
    const told = events(file).filter((event) => event.name === 'still running').at(-1);
    assert.deepStrictEqual([told.args.call, told.args.phase, told.args.file, told.args.for_us >= 199000], ['endsIt', 'timers', ends, true]);
    fs.rmSync(file);
  });

  test(title('programs of a shell that follow each other have a trace each'), () => {
    mustRun(rota, ['trace', '-o', path.join(scratch, 'trace.json'), '--', '/bin/sh', '-c', `"${node}" -p 1; "${node}" -p 2`]);
    const written = fs.readdirSync(scratch).filter((entry) => entry.startsWith('trace.json'));
    assert.strictEqual(written.length, 2, `${written}`);
    for (const entry of written) fs.rmSync(path.join(scratch, entry));
  });

  test(title('a program that becomes another one has a trace for each'), () => {
    const becomes = path.join(scratch, 'becomes.js');
    fs.writeFileSync(becomes, `const left = Number(process.argv[2]);
      setTimeout(() => left > 0 && process.execve(process.execPath, [process.execPath, __filename, String(left - 1)], process.env), 50);`);
    if (mustRun(node, ['-p', 'typeof process.execve']).stdout !== 'function\n') return; // Node 22.15 and later have it
    const byHand = { ...process.env, LD_PRELOAD: graft };
    const trace = (entry) => path.join(scratch, entry);
    for (const [command, env, names] of [
      [[rota, 'trace', '-o', trace('trace.json'), '--', node], process.env, (pid) => ['trace.json', `trace.json.${pid}`, `trace.json.${pid}.2`]],
      [[node], { ...byHand, ROTA_TRACE: trace('trace.json') }, (pid) => ['trace.json', `trace.json.${pid}`, `trace.json.${pid}.2`]],
      [[node], { ...byHand, ROTA_TRACE: trace('trace.%p') }, (pid) => [`trace.${pid}`, `trace.${pid}.2`, `trace.${pid}.3`]],
    ]) {
      // What another process has left there is overwritten.
      if (command.length === 1) fs.writeFileSync(trace('trace.json'), `[{"ph":"M","name":"rota","pid":${process.pid},"args":{"version":"0","format":1,"start_ns":9}}\n]`);
      const { pid } = run(command[0], [...command.slice(1), becomes, '2'], { env });
      if (env.ROTA_TRACE?.includes('%p')) fs.rmSync(trace('trace.json'));
      const written = fs.readdirSync(scratch).filter((entry) => entry.startsWith('trace.')).sort();
      assert.deepStrictEqual(written, names(pid));
      for (const entry of written) assert.match(fs.readFileSync(trace(entry), 'utf8'), /becomes.js/);
      for (const entry of written) fs.rmSync(trace(entry));
    }
  });

  test(title('statistics, the watchdog, and why it is alive'), () => {
    assert.match(mustRun(rota, ['stats', '--', node, '-e', 'setTimeout(() => {}, 5)']).stderr, /statistics of process \d+, node: the loop was busy/);
    assert.match(mustRun(rota, ['stats', '--', node, '-p', 'setTimeout(f=>f,5).a/"b.c"']).stderr, /statistics of process \d+, node: the loop was busy/);
    inTime((ms) => {
      const blocks = `setTimeout(() => { const end = Date.now() + ${ms}; while (Date.now() < end); }, 1)`;
      assert.match(mustRun(rota, ['watch', '--names=off', '--threshold=50', '--', node, '-e', blocks]).stderr, /a loop is blocked for \d+ ms by node::Environment::RunTimers/);
    });
    inTime((ms) => {
      const stays = `require("net").createServer().listen(0); setTimeout(() => process.exit(), ${ms * 6})`;
      assert.match(mustRun(rota, ['why', `--after=${ms}`, '--', node, '-e', stays]).stderr, /is alive: 2 handles[^]*tcp .* listening on/);
    });
  });

  // Node has two more loops, which wait all the time.
  test(title("Node's own loops count for nothing, and keep nothing alive; those of workers are counted for themselves"), () => {
    const busy = 'const end = Date.now() + 300; (function spin() { for (const then = Date.now() + 20; Date.now() < then;); if (Date.now() < end) setImmediate(spin); })();';
    const share = ({ stderr }) => stderr.match(/: the loop was busy for (\S+) % of \S+ s(?:; loops of other threads were busy for (\S+) % of \S+ s)?\n/).slice(1).map(Number);
    const [alone, others] = share(mustRun(rota, ['stats', '--', node, '-e', busy]));
    assert.ok(alone > 95 && Number.isNaN(others), `${alone} ${others}`);
    const worker = `new (require("worker_threads").Worker)(${JSON.stringify(busy)}, { eval: true })`;
    const [waits, works] = share(mustRun(rota, ['stats', '--', node, '-e', worker]));
    assert.ok(waits < 60 && works > 90, `${waits} ${works}`);
    const { stderr } = mustRun(rota, ['why', '--after=100', '--', node, '-e', 'setTimeout(() => {}, 1500)']);
    assert.strictEqual(stderr.match(/^rota: loop .* is alive/gm)?.length, 1, stderr);
  });

  // Finding the names in Node's binary takes longer than this blocks. There may be no report, but never a wrong one.
  test(title('the watchdog shows the stack of what blocks, not of what follows'), () => {
    const blocks = 'setTimeout(() => { const end = Date.now() + 60; while (Date.now() < end); setTimeout(() => {}, 600); }, 1)';
    const { stderr } = mustRun(rota, ['watch', '--names=off', '--threshold=20', '--', node, '-e', blocks]);
    const reports = stderr.split('rota: watchdog: ').filter((report) => report.includes('RunTimers'));
    for (const report of reports) assert.doesNotMatch(report, /it waits in|poll/);
  });

  test(title('a Node that may load no addons starts all the same, and says that there are no names'), () => {
    const file = script('timer', 'setTimeout(function hello() { console.log("hello"); }, 1);\n'), trace = path.join(scratch, 'addons.json');
    const forbids = node.includes('-22') ? '--experimental-permission' : '--permission';
    for (const options of [['--no-addons'], ['--no_addons'], [forbids, `--allow-fs-read=${scratch}`]]) {
      const { stdout, stderr } = mustRun(rota, ['trace', '-o', trace, '--', node, ...options, file]);
      assert.strictEqual(stdout, 'hello\n');
      assert.match(stderr, /^rota: names: this Node may not load addons/);
    }
    for (const own of [[file, '--permission-level=1'], ['--', file, '--no-addons']]) {
      const { stdout, stderr } = mustRun(rota, ['trace', '-o', trace, '--', node, ...own]);
      assert.strictEqual(stdout + stderr, 'hello\n');
      assert.match(fs.readFileSync(trace, 'utf8'), /"name":"hello/);
    }
  });

  test(title('a failure to write the trace is reported, and the program goes on'), () => {
    const { stdout, stderr } = mustRun(rota, ['trace', '-o', '/dev/full', '--', node, '-p', '7']);
    assert.strictEqual(stdout, '7\n');
    assert.strictEqual(stderr, 'rota: trace: writing stopped: no space left on device\n');
  });

  test(title('a page that cannot be written is reported, and the trace of the run is kept'), () => {
    const { status, stderr } = run(rota, ['timeline', '-o', '/dev/full', '--', node, '-e', 'process.exitCode = 7']);
    assert.strictEqual(status, 7, 'the program\'s');
    const [, kept] = stderr.match(/^rota timeline: \/dev\/full: no space left on device; .*\nrota timeline: the trace is kept: rota timeline (\S+) -o page.html\n$/) ?? assert.fail(stderr);
    mustRun(rota, ['timeline', kept, '-o', path.join(scratch, 'kept.html')]);
    fs.rmSync(path.dirname(kept), { recursive: true });
    fs.rmSync(path.join(scratch, 'kept.html'));
    assert.ok(fs.statSync('/dev/full').isCharacterDevice(), 'a device is not removed');
  });

  test(title('a race is found, and is seen again'), () => {
    const found = run(rota, ['fuzz', '--seeds=30', '-o', scratch, '--', node, path.join(root, 'examples', 'races', 'cache.js')]);
    assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    assert.match(found.stdout, /connected twice|2 !== 1/);
    const [again] = found.stdout.split('to see it again:\n')[1].trim().split('\n');
    assert.notStrictEqual(run('/bin/sh', ['-c', again.replace(' rota run', ` ${rota} run`)]).status, 0);
  });

  // The time limit of fetch for a connection is ten seconds; the server keeps one that is not used for five.
  test(title('requests to its own server are no race'), () => {
    const file = script('requests.js', `
      const fs = require('fs');
      const server = require('http').createServer(async (request, response) => response.end(await fs.promises.readFile(__filename)));
      server.listen(0, async () => {
        const get = () => fetch('http://127.0.0.1:' + server.address().port).then((response) => response.text());
        console.log(new Set(await Promise.all([get(), get(), get()])).size);
        for (let i = 0; i < 3; i++) await get();
        server.close();
        server.closeAllConnections();
      });`);
    const { status, stdout } = run(rota, ['fuzz', '--seeds=30', '-o', scratch, '--', node, file]);
    assert.strictEqual(status, 0, stdout);
  });

  test(title('messages of a worker are decisions, those of the same thread are not'), () => {
    // The race of examples/races/worker.js, with as many ports as make it come in one of a few seeds.
    const race = script('worker.js', `
      const { MessageChannel, Worker } = require('worker_threads');
      const work = ({ ports }) => { for (const port of ports) port.postMessage(6 * 7); setTimeout(() => require('worker_threads').parentPort.postMessage('done'), 20); };
      const worker = new Worker("require('worker_threads').parentPort.once('message', " + work + ")", { eval: true });
      const channels = Array.from({ length: 16 }, () => new MessageChannel());
      let results = 0;
      for (const { port1 } of channels) port1.on('message', () => results++);
      worker.on('message', () => {
        for (const { port1 } of channels) port1.close();
        worker.terminate();
        require('assert').strictEqual(results, channels.length, 'done without a result');
      });
      const ports = channels.map(({ port2 }) => port2);
      worker.postMessage({ ports }, ports);`);
    const decided = /done without a result[^]*thread: what another one has sent to async handle \d+ comes \d+ ms later/;
    let found;
    // Threads of a busy machine may lose the race by themselves, without a decision: then it is searched for again.
    for (let tries = 3; tries > 0 && !decided.test(found?.stdout); tries--) {
      found = run(rota, ['fuzz', '--seeds=300', '--strategy=depth', '--without=late,drift,slow', '--no-shrink', '--no-page', '-o', scratch, '--', node, race]);
      assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    }
    assert.match(found.stdout, decided);
    const file = script('same.js', `
      const { port1, port2 } = new MessageChannel();
      let seen = '';
      port1.onmessage = ({ data }) => { seen += data; if (data === 3) { port1.close(); console.log(seen); } };
      const step = (i) => { seen += 'i'; port2.postMessage(i); if (i < 3) setImmediate(() => setImmediate(step, i + 1)); };
      setTimeout(step, 5, 1);`);
    for (let seed = 1; seed <= 6; seed++) {
      const env = { ...process.env, ROTA_SCHEDULE_SEED: String(seed) };
      assert.strictEqual(mustRun(rota, ['run', '--', node, file], { env }).stdout, 'i1i2i3\n', `seed ${seed}`);
    }
  });

  test(title('a script with Node as its interpreter, and a shell that starts one'), () => {
    const bin = path.join(scratch, 'bin');
    fs.mkdirSync(bin, { recursive: true });
    fs.rmSync(path.join(bin, 'node'), { force: true });
    fs.symlinkSync(node, path.join(bin, 'node'));
    const tool = script('tool', '#!/usr/bin/env -S node --no-warnings\nconsole.log("tool", process.execArgv.length);\n');
    const shell = script('shell', '#!/bin/sh\nexec node -p 7\n');
    for (const file of [tool, shell]) fs.chmodSync(file, 0o755);
    const options = { env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ROTA_GRAFT: 'verbose' } };
    const first = mustRun(rota, ['run', '--', tool], options), second = mustRun(rota, ['run', '--', shell], options);
    assert.strictEqual(first.stdout, 'tool 1\n');
    assert.strictEqual(second.stdout, '7\n');
    for (const { stderr } of [first, second]) assert.match(stderr, /functions are redirected to librota/);
    assert.match(mustRun(rota, ['doctor', '--', tool], options).stdout, /a script for .*\/bin\/node\n.*: it has libuv linked in[^]*: 31\d functions are redirected to librota/);
  });
}

test('rota in a directory with a space in its name', () => {
  const place = path.join(scratch, 'my own tools');
  for (const part of ['bin', 'lib']) fs.mkdirSync(path.join(place, part), { recursive: true });
  fs.copyFileSync(fs.realpathSync(rota), path.join(place, 'bin', 'rota'));
  for (const entry of ['libuv.so.1', 'librota.so.0', 'librota-graft.so', 'librota-clock.so', 'rota-names.node']) fs.copyFileSync(path.join(library, entry), path.join(place, 'lib', entry));
  const trace = path.join(place, 'a trace.json');
  const { stdout, stderr } = mustRun(path.join(place, 'bin', 'rota'), ['trace', '--virtual-time', '-o', trace, '--', nodes[0], '-e',
    'setTimeout(function tomorrow() { console.log(process.versions.uv); }, 864e5)']);
  assert.match(stdout, /^1\.52\.2\n$/);
  assert.strictEqual(stderr, '');
  assert.match(fs.readFileSync(trace, 'utf8'), /"name":"tomorrow/);
  const odd = path.join(scratch, 'a:b');
  fs.renameSync(place, odd);
  const refused = run(path.join(odd, 'bin', 'rota'), ['run', '--', nodes[0], '-p', '1']);
  assert.strictEqual(refused.status, 1);
  assert.match(refused.stderr, /^rota: .*the loader cannot use a directory with : or ; in its name/);
});

test('another preloaded library stays', () => {
  const other = path.join(scratch, 'other.so');
  fs.writeFileSync(`${other}.c`, '#include <stdio.h>\n__attribute__((constructor)) static void say(void) { fputs("other\\n", stderr); }\n');
  mustRun('gcc', ['-shared', '-fPIC', `${other}.c`, '-o', other]); // also for the shell; musl's loader takes it, too
  const options = { env: { ...process.env, LD_PRELOAD: other, ROTA_GRAFT: 'verbose' } };
  const { stderr } = mustRun('/bin/sh', ['-c', `exec "$0" run -- "$1" -p 1`, rota, nodes[0]], options);
  assert.match(stderr, /other\n[^]*redirected to librota/);
});

// Where a Node may be found: without symbols, in a container, under a hardened system, started by a child that was forked.
test('a Node in hard places', () => {
  const node = nodes[0];
  const deny = path.join(scratch, 'deny');
  const forks = path.join(scratch, 'forks.so');
  const stripped = path.join(scratch, 'stripped');
  mustRun('gcc', ['-O1', path.join(__dirname, 'deny.c'), '-o', deny]);
  fs.writeFileSync(`${forks}.c`, `#include <sys/wait.h>
    #include <unistd.h>
    __attribute__((constructor)) static void fork_first(void) {
      int status = 0;
      pid_t child = fork();
      if (child > 0)
        _exit(waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 99);
    }`);
  mustRun(compiler, ['-shared', '-fPIC', `${forks}.c`, '-o', forks]);
  mustRun('strip', ['-s', '-o', stripped, node]);
  const code = 'require("fs").readFile("/proc/self/maps", "utf8", (error, text) => setTimeout(() => console.log(text.includes("librota.so")), 1))';
  const preloading = (libraries) => ({ env: { ...process.env, LD_PRELOAD: libraries, ROTA_GRAFT: 'require' } });
  const isGrafted = (command, ...args) => assert.strictEqual(mustRun(command, [...args, '-e', code], preloading(graft)).stdout, 'true\n');
  // A part that was added to a program when it was linked already does not survive strip: then it does not run alone either.
  if (!isMusl || run(stripped, ['-p', '1']).status === 0) isGrafted(stripped);
  isGrafted(deny, 'io_uring', node);
  isGrafted('/bin/sh', '-c', 'ulimit -l 0; exec "$0" "$@"', node);
  for (const libraries of [`${forks} ${graft}`, `${graft} ${forks}`]) assert.strictEqual(mustRun(node, ['-e', code], preloading(libraries)).stdout, 'true\n');
  if (isMusl) return; // what follows knows the address of a program that is not position-independent
  fs.rmSync(stripped);
  const refused = run(deny, ['text', node, '-p', '1'], preloading(graft));
  assert.match(refused.stderr, /cannot be written: Permission denied/);
  assert.strictEqual(refused.status, 127);
});

finish();
