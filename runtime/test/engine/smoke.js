'use strict';

// A little of everything that the runtime does with the engine; the output does not depend on which uses are on.

const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');
const fs = require('fs');
const net = require('net');
const util = require('util');
const vm = require('vm');
const { Worker } = require('worker_threads');

const text = 'some text, \u00e9, \u20ac and \u{1f600}';
assert.strictEqual(Buffer.from(text).toString(), text);
assert.strictEqual(Buffer.from(text, 'utf16le').toString('utf16le'), text);
assert.strictEqual(Buffer.from('\u00e9\u00ff', 'latin1').toString('latin1'), '\u00e9\u00ff');
assert.strictEqual(Buffer.from('00ff10', 'hex').toString('base64'), 'AP8Q');
assert.strictEqual(new TextDecoder().decode(new DataView(new Uint8Array([120, 104, 105]).buffer, 1)), 'hi');
assert.strictEqual(util.inspect(new Map([[1, { a: [2.5, -0, NaN] }]])), 'Map(1) { 1 => { a: [ 2.5, -0, NaN ] } }');
assert.throws(() => fs.readFileSync('/does/not/exist'), { code: 'ENOENT' });
assert.strictEqual(vm.runInNewContext('a + 1', { a: 1 }), 2);
assert.throws(() => vm.runInNewContext('null.x'));

const order = [];
const storage = new AsyncLocalStorage();
setTimeout(() => { order.push('timer 1'); process.nextTick(() => order.push('tick')); Promise.resolve().then(() => order.push('job')); }, 1);
setTimeout(() => order.push('timer 2'), 1);
async function* inner() { yield 1; yield* [2, Promise.resolve(3)]; }

storage.run('kept', async () => {
  const seen = [];
  for await (const value of inner()) seen.push(value);
  await 5;
  seen.push(storage.getStore());
  await { then(resolve) { setImmediate(resolve); } };
  seen.push(storage.getStore());
  console.log(seen.join());
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  console.log(order.join());
  await overNet();
  await inWorker();
  console.log('done');
});

function overNet() {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => socket.pipe(socket)).listen(0, () => {
      const socket = net.connect(server.address().port, () => socket.end(text));
      let heard = '';
      socket.setEncoding('utf8').on('data', (part) => { heard += part; }).on('end', () => {
        console.log(heard);
        server.close(resolve);
      });
    });
  });
}

function inWorker() {
  return new Promise((resolve) => {
    const worker = new Worker('const { parentPort } = require("worker_threads"); parentPort.on("message", (m) => { parentPort.postMessage(m * 2); });', { eval: true });
    worker.on('message', (message) => {
      console.log(message);
      worker.terminate();
    });
    worker.on('exit', resolve);
    worker.postMessage(21);
  });
}
