'use strict';
// Tests of code whose timers take hours, without waiting for them and without replacing setTimeout:
//
//   rota --virtual-time --test examples/hours.test.js
//   rota run --virtual-time -- node --test examples/hours.test.js        the same with your own Node
//
// The clock stands still while the code computes, and jumps to the next timer when nothing else can happen. So a session that lasts a day takes
// milliseconds, and what the code measures with Date.now() is the day.

const assert = require('node:assert');
const { test } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');

const MINUTE = 60 * 1000, HOUR = 60 * MINUTE;

// A session that ends after eight hours without a sign of life.
class Session {
  constructor(onEnd) {
    this.onEnd = onEnd;
    this.touch();
  }
  touch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onEnd, 8 * HOUR);
  }
}

// Tries again after 1, 2, 4, ... minutes, at most an hour.
async function retry(operation, times) {
  for (let i = 0; ; i++) {
    try {
      return await operation();
    } catch (error) {
      if (i + 1 === times) throw error;
      await sleep(Math.min(2 ** i * MINUTE, HOUR));
    }
  }
}

test('a session ends after eight hours', async () => {
  const began = Date.now();
  await new Promise((resolve) => new Session(resolve));
  assert.strictEqual(Math.round((Date.now() - began) / HOUR), 8);
});

test('a session that is touched lives on', async () => {
  let ended = false;
  const session = new Session(() => (ended = true));
  for (let hour = 0; hour < 24; hour += 6) {
    await sleep(6 * HOUR);
    session.touch();
  }
  assert.strictEqual(ended, false);
  await sleep(8 * HOUR + MINUTE);
  assert.strictEqual(ended, true);
});

test('retries wait longer each time', async () => {
  const times = [], began = Date.now();
  const failing = () => {
    times.push(Math.round((Date.now() - began) / MINUTE));
    throw new Error('not yet');
  };
  await assert.rejects(retry(failing, 9), /not yet/);
  assert.deepStrictEqual(times, [0, 1, 3, 7, 15, 31, 63, 123, 183]);
});

test('a job that runs every hour runs 24 times in a day', async () => {
  let runs = 0;
  const job = setInterval(() => runs++, HOUR);
  await sleep(24 * HOUR + MINUTE);
  clearInterval(job);
  assert.strictEqual(runs, 24);
});
