'use strict';
// Buffers do not trust wrong lengths, and memory that several of them share cannot be transferred.
const { spawnSync } = require('child_process');
const { MessageChannel } = require('worker_threads');
const one = new Uint8Array([1, 2, 3, 4]);
Object.defineProperty(one, 'length', { get: () => 100 });
console.log(Buffer.concat([one, new Uint8Array([5])]));
const small = Buffer.from('hello');
const { port1 } = new MessageChannel();
try {
  port1.postMessage(small, [small.buffer]);
} catch (error) {
  console.log(error.name, error.code, small.length);
}
try {
  structuredClone(small, { transfer: [small.buffer] });
} catch (error) {
  console.log(error.name, error.code, small.length);
}
port1.close();
const code = 'let sum = 0; for (let i = 0; i < 200; i++) for (const make of [Buffer.allocUnsafe, Buffer.allocUnsafeSlow]) { const b = make(1000 * (i % 50)); for (const x of b) sum += x; b.fill(7); } console.log(sum)';
console.log(spawnSync(process.execPath, ['--zero-fill-buffers', '-e', code]).stdout.toString());
