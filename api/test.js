'use strict';

// Time for tests: it stands still, and goes on when the test says so. The loop is the real one: what is due runs in the order in
// which it always does, and files and sockets are the system's.

const { errno } = require('os').constants;

const { check, coded, need } = require('./native.js');

const kCommand = 'npx rota-loop run --virtual-time -- node --test';
const kSteersTime = 1; // ROTA_STEER_TIME of rota.h
const kSteps = 100000;
const kLongest = 1e12; // 31 years, in milliseconds

function needVirtualTime() {
  const native = need('rota-loop/test', kCommand, needVirtualTime);
  if (process.rota !== undefined)
    throw coded(Error, 'ERR_ROTA_NOT_SUPPORTED', `rota-loop/test is for Node: ${kCommand}`, needVirtualTime);
  if ((native.steering() & kSteersTime) === 0)
    throw coded(Error, 'ERR_ROTA_NOT_ACTIVE', `rota-loop/test needs virtual time: ${kCommand}`, needVirtualTime);
  return native;
}

const native = needVirtualTime();
const milliseconds = () => Number(process.hrtime.bigint() / 1000000n);
let began;

// Milliseconds since time has stood still.
function now() {
  return milliseconds() - began;
}

const kEnds = {
  [-errno.E2BIG]: ['ERR_ROTA_ENDLESS', `timers are left after ${kSteps} steps, as with an interval: advance(ms) ends`],
  [-errno.ECANCELED]: ['ERR_ROTA_NOT_STOPPED', 'time was let go on meanwhile'],
  [-errno.EBUSY]: ['ERR_ROTA_BUSY', 'time is being advanced: await the call before'],
  [-errno.EINVAL]: ['ERR_ROTA_NOT_STOPPED', 'time does not stand still: clock.stop() stops it'],
};

// Begins an advance. The promise gets the time at its end.
function move(start, amount, called) {
  const { promise, resolve, reject } = withResolvers();
  const failed = coded(Error, '', '', called); // its stack is that of the call
  const end = (status) => {
    if (status === 0) return resolve(now());
    const [code, sentence] = kEnds[status];
    const stack = failed.stack.split('\n').slice(1).join('\n');
    return reject(Object.assign(failed, { code, message: sentence, stack: `Error [${code}]: ${sentence}\n${stack}` }));
  };
  const status = start(amount, end);
  if (status < 0) end(status);
  return promise;
}

function withResolvers() {
  const found = {};
  found.promise = new Promise((resolve, reject) => Object.assign(found, { resolve, reject }));
  return found;
}

// All that becomes due within this time runs, step by step, with the files and sockets that it uses.
function advance(duration) {
  if (!Number.isInteger(duration) || duration < 0 || duration > kLongest) {
    const sentence = `clock.advance(): a whole number of milliseconds, from 0 to ${kLongest}, not ${String(duration)}`;
    throw coded(RangeError, 'ERR_OUT_OF_RANGE', sentence, advance);
  }
  return move(native.clockAdvance, duration, advance);
}

// What is due now, or in progress.
function settle() {
  return move(native.clockAdvance, 0, settle);
}

// Until no timer is left that keeps the process alive.
function runAll() {
  return move(native.clockRunAll, kSteps, runAll);
}

// Time goes on by itself, from timer to timer.
function go() {
  check(native.clockGo(), 'clock.go()', go);
}

function stop() {
  check(native.clockStop(), 'clock.stop()', stop);
  began ??= milliseconds();
}

// What the tests have left behind must not keep the process alive for ever.
function goAfterTests() {
  if (typeof globalThis.afterAll === 'function') globalThis.afterAll(go);
  else if (typeof globalThis.after === 'function') globalThis.after(go);
  else if (process.env.VITEST === undefined) require('node:test').after(go);
}

stop();
goAfterTests();

const { ROTA_SCHEDULE_SEED: given } = process.env;
const seed = given === undefined ? undefined : Number(given);

module.exports = { clock: { advance, go, now, runAll, settle, stop }, seed };
