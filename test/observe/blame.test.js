'use strict';
// Every callback of the program is an event of its own, with its name and its time: as many in the trace as in the program, even
// if the loop makes one call for many of them. Statistics and watchdog count the same.

const { assert, finish, mustRun, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const trace = path.join(scratch, 'trace.json');
const burn = 'const burn = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };\n';

function program(text) {
  const file = path.join(scratch, 'program.js');
  fs.writeFileSync(file, burn + text);
  return file;
}

function callsOf(text) {
  mustRun(rota, [`--trace=${trace}`, program(text)]);
  const events = JSON.parse(fs.readFileSync(trace, 'utf8'));
  assert.strictEqual(events.at(-1).args.dropped, 0);
  return events.filter((event) => event.cat === 'call');
}

function countOf(calls, name, phase) {
  const found = calls.filter((call) => call.name === name);
  for (const call of found) assert.strictEqual(call.args.phase, phase, name);
  return found.length;
}

// `guilty` took 300 ms, and none of the others did: on a busy machine they may have been delayed, but not by so much each time.
function blame(calls, innocent) {
  const guilty = calls.filter((call) => call.name === 'guilty');
  assert.strictEqual(guilty.length, 1, `among ${calls.map((call) => call.name)}`);
  assert.ok(guilty[0].dur >= 299e3, `guilty: ${guilty[0].dur}`);
  for (const name of innocent) {
    const found = calls.filter((call) => call.name === name);
    assert.strictEqual(found.length, 1, `${name} among ${calls.map((call) => call.name)}`);
    const { ts, dur } = found[0];
    assert.ok(ts + dur <= guilty[0].ts + 1 || ts >= guilty[0].ts + guilty[0].dur - 1, `${name} has a time of its own`);
  }
}

const five = ['innocentA', 'innocentB', 'innocentC', 'innocentD'];
const functions = `
  function innocentA() {} function innocentB() {} function innocentC() {} function innocentD() {}
  function guilty() { burn(300); }
  const all = [innocentA, innocentB, guilty, innocentC, innocentD];
`;

test('of five files of one batch, the one is blamed whose callback took long', () => {
  blame(callsOf(`${functions} for (const each of all) require('fs').readFile(__filename, each);`), five);
});

test('of five other file operations, of five timers of one list, of five immediates', () => {
  blame(callsOf(`${functions} for (const each of all) require('fs').stat(__filename, each);`), five);
  blame(callsOf(`${functions} for (const each of all) setTimeout(each, 5);`), five);
  blame(callsOf(`${functions} for (const each of all) setImmediate(each);`), five);
});

test('of five messages to one port, and of five ports', () => {
  blame(callsOf(`${functions}
    const { port1, port2 } = new MessageChannel();
    for (const each of all) port2.once('message', each);
    port2.on('message', (n) => { if (n === 'end') port2.close(); });
    port1.postMessage(1);
    port1.postMessage('end');`), five);
  blame(callsOf(`${functions}
    for (const each of all) {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = each;
      port1.postMessage(1);
      setTimeout(() => port2.close(), 500);
    }`), five);
});

test('of five listeners of one event of a socket', () => {
  blame(callsOf(`${functions}
    const server = require('net').createServer((socket) => {
      for (const each of all) socket.on('data', each);
      socket.on('end', () => { socket.end(); server.close(); });
    }).listen(0, () => require('net').connect(server.address().port).end('hello'));`), five);
});

test('what a callback calls in turn is its own time', () => {
  const calls = callsOf(`
    const emitter = new (require('events'))();
    emitter.on('mine', function inner() { burn(300); });
    setImmediate(function outer() { emitter.emit('mine'); });
    require('fs').stat(__filename, function statted() { emitter.emit('mine'); });`);
  for (const name of ['outer', 'statted']) assert.ok(calls.find((call) => call.name === name).dur >= 299e3);
  assert.strictEqual(countOf(calls, 'inner'), 0);
});

test('a callback that reads many files is there itself', () => {
  const calls = callsOf('setTimeout(function reader() { for (let i = 0; i < 500; i++) require("fs").readFile(__filename, () => {}); }, 1);');
  assert.strictEqual(countOf(calls, 'reader', 'timers'), 1);
});

test('as many in the trace as in the program', () => {
  const calls = callsOf(`
    const fs = require('fs'), crypto = require('crypto');
    setTimeout(() => {
      for (let i = 0; i < 1000; i++) {
        fs.readFile(__filename, function onFile() {});
        fs.stat(__filename, function onStat() {});
        fs.access('/nowhere', function onAccess() {});
        setTimeout(function onTimeout() {}, 1 + i % 3);
        setImmediate(function onImmediate() {});
      }
      for (let i = 0; i < 100; i++) crypto.randomBytes(16, function onRandom() {});
      const { port1, port2 } = new MessageChannel();
      let n = 0;
      port2.on('message', function onMessage() { if (++n === 3000) port2.close(); });
      for (let i = 0; i < 3000; i++) port1.postMessage(i);
      const { Worker } = require('worker_threads');
      const worker = new Worker('const { parentPort } = require("worker_threads"); for (let i = 0; i < 2000; i++) parentPort.postMessage(i);', { eval: true });
      worker.on('message', function fromWorker() {});
    }, 1);`);
  const wanted = { onFile: [1000, 'poll'], onStat: [1000, 'poll'], onAccess: [1000, 'poll'], onTimeout: [1000, 'timers'],
    onImmediate: [1000, 'check'], onRandom: [100, 'poll'], onMessage: [3000, 'poll'], fromWorker: [2000, 'poll'] };
  for (const [name, [count, phase]] of Object.entries(wanted)) assert.strictEqual(countOf(calls, name, phase), count, name);
});

test('requests that came in one packet are a callback each', () => {
  const calls = callsOf(`
    const http = require('http'), net = require('net');
    let n = 0;
    const server = http.createServer(function onRequest(request, response) {
      response.end('ok');
      if (++n === 10) setTimeout(() => { server.close(); server.closeAllConnections(); }, 10);
    }).listen(0, () => net.connect(server.address().port).on('error', () => {}).write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'.repeat(10)));`);
  assert.strictEqual(countOf(calls, 'onRequest', 'poll'), 10);
});

test('statistics count the same', () => {
  const text = `
    let n = 0;
    const done = () => { if (++n === 3000) setTimeout(function last() { console.log(process.rota.figure('callback').count); }, 50); };
    setTimeout(() => {
      for (let i = 0; i < 1000; i++) {
        require('fs').readFile(__filename, function onFile() { done(); });
        setTimeout(function onTimeout() { done(); }, 1);
        setImmediate(function onImmediate() { done(); });
      }
    }, 1);`;
  const counted = Number(mustRun(rota, ['--stats', program(text)]).stdout);
  // Those above, the first timer, the main script, and possibly some of the runtime's own.
  assert.ok(counted >= 3001 && counted <= 3010, `${counted}`);
  const later = Number(mustRun(rota, [program(`process.rota.start();${text}`)]).stdout);
  assert.ok(later >= 3000 && later <= 3010, `${later}`);
});

test('the watchdog names the one of a batch that takes long', () => {
  const result = run(rota, ['--watchdog=50', program(`${functions} for (const each of all) require('fs').readFile(__filename, each);`)]);
  const named = [...result.stderr.matchAll(/blocked for \d+ ms by (\w+)/g)].map((match) => match[1]);
  assert.ok(named.includes('guilty'), result.stderr);
  assert.ok(!named.some((name) => name.startsWith('innocent')), result.stderr);
});

finish();
