// Timers, immediates and ticks: their order, and that none is early.
'use strict';
const assert = require('assert');
const { finished, mapped } = require('./library.cjs');
mapped();
finished();

const order = [];
const began = process.hrtime.bigint();
const elapsed = () => Number(process.hrtime.bigint() - began) / 1e6;

process.nextTick(() => order.push('tick'));
Promise.resolve().then(() => order.push('promise'));
require('fs').stat('.', () => {
  setTimeout(() => order.push('timeout after io'), 0);
  setImmediate(() => order.push('immediate after io'));
});

let early = 0;
let fired = 0;
for (let i = 0; i < 2000; i++) {
  const delay = (i * 7919) % 200;
  const start = elapsed();
  setTimeout(() => {
    fired++;
    if (elapsed() - start < Math.max(delay, 1) - 1) early++;
  }, delay);
}
let ticks = 0;
const interval = setInterval(() => {
  if (++ticks === 20) clearInterval(interval);
}, 5);
const cleared = setTimeout(() => assert.fail('a cleared timer fired'), 20);
clearTimeout(cleared);
setTimeout(() => {}, 100000).unref();

process.on('exit', (code) => {
  if (code) return;
  assert.deepStrictEqual(order, ['tick', 'promise', 'immediate after io', 'timeout after io']);
  assert.strictEqual(early, 0);
  assert.strictEqual(fired, 2000);
  assert.strictEqual(ticks, 20);
  console.log('2000 timers, none early; order as promised');
});
