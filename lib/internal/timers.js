'use strict';

// Timeouts. Nothing here calls into C to set or clear one: the next due time and the counts of what keeps the loop alive are
// written into shared words, and the door brings the loop's handles in line when JavaScript returns.

const { words, kImmediateRefs, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { runNextTicks } = require('internal/process/task_queues');
const { onUncaught } = require('internal/process/execution');
const lists = require('internal/timers/lists');
const { kRefed, give, requireFunction } = require('internal/timers/referenced');
const immediates = require('internal/timers/immediates');
const frame = require('internal/async_context');

const kMaximum = 2 ** 31 - 1;
const kContext = Symbol('context');
const kNumber = Symbol('asyncId'); // 0 until somebody asks for it

let lastNumber = 1;
const numbered = { __proto__: null };
const warned = new Set();

function warn(name, message, often) {
  if (!often && warned.has(name)) return;
  warned.add(name);
  process.emitWarning(`${message}\nTimeout duration was set to 1.`, name);
}

// What a program gives as a duration, in milliseconds from 1 to the maximum.
function durationFrom(value) {
  const after = value === undefined ? 1 : value * 1;
  if (after >= 1 && after <= kMaximum) return after;
  if (after > kMaximum) warn('TimeoutOverflowWarning', `${after} does not fit into a 32-bit signed integer.`, true);
  else if (after < 0) warn('TimeoutNegativeWarning', `${after} is a negative number.`, false);
  else if (after !== after) warn('TimeoutNaNWarning', `${after} is not a number.`, false);
  return 1;
}

class Timeout {
  constructor(callback, after, args, isRepeat, isRefed) {
    const duration = durationFrom(after);
    this._idleTimeout = duration;
    this._idlePrev = this;
    this._idleNext = this;
    this._idleStart = null;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = isRepeat ? duration : null;
    this._destroyed = false;
    this[kRefed] = isRefed;
    this[kNumber] = 0;
    this[kContext] = frame.current;
    if (isRefed) words[kTimerRefs]++;
    if (frame.tracker !== null) frame.tracker.create('Timeout', this);
  }

  refresh() {
    start(this);
    return this;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    const number = (this[kNumber] ||= ++lastNumber);
    if (!this._destroyed) numbered[number] = this;
    return number;
  }

  [Symbol.dispose]() {
    clearTimeout(this);
  }
}
give(Timeout.prototype, kTimerRefs);

function start(timer) {
  if (timer._idleTimeout === undefined || timer._idleTimeout < 0) return;
  if (!lists.remove(timer) && timer._destroyed) {
    timer._destroyed = false;
    if (timer[kRefed]) words[kTimerRefs]++;
  }
  lists.insert(timer, timer._idleTimeout, loopNow());
}

// It will not run again, unless it is started anew.
function finish(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kNumber] !== 0) delete numbered[timer[kNumber]];
  if (timer[kRefed]) words[kTimerRefs]--;
  if (frame.tracker !== null) frame.tracker.destroy(timer);
}

function unenroll(timer) {
  if (timer._destroyed) return;
  lists.remove(timer);
  finish(timer);
  timer._idleTimeout = -1;
}

function make(callback, after, args, isRepeat) {
  requireFunction(callback);
  const timer = new Timeout(callback, after, args, isRepeat, true);
  lists.insert(timer, timer._idleTimeout, loopNow());
  return timer;
}

function setTimeout(callback, after, arg1, arg2, arg3) {
  const count = arguments.length;
  return make(callback, after, count <= 2 ? undefined : count === 3 ? [arg1] : Array.prototype.slice.call(arguments, 2), false);
}

function setInterval(callback, repeat, arg1, arg2, arg3) {
  const count = arguments.length;
  return make(callback, repeat, count <= 2 ? undefined : count === 3 ? [arg1] : Array.prototype.slice.call(arguments, 2), true);
}

function clearTimeout(timer) {
  const known = typeof timer === 'number' || typeof timer === 'string' ? numbered[timer] : timer;
  if (!(known instanceof Timeout) && !known?._onTimeout) return;
  known._onTimeout = null;
  unenroll(known);
}

function clearInterval(timer) {
  clearTimeout(timer);
}

// ---- running ----

let fresh = true; // nothing has run since the last drain

function processTimers() {
  const now = loopNow();
  fresh = true;
  lists.hold();
  for (let list = lists.first(); list !== undefined && list.expiry <= now; list = lists.first()) runList(list, now);
  lists.release();
}

function runList(list, now) {
  const { msecs } = list;
  while (!list.isEmpty) {
    const timer = list._idleNext;
    if (now - timer._idleStart < msecs) {
      lists.schedule(list, Math.max(timer._idleStart + msecs, now + 1));
      return;
    }
    if (!fresh) {
      // Ticks may clear the timer that is next: it is looked up again.
      runNextTicks();
      fresh = true;
      continue;
    }
    fresh = false;
    run(timer);
  }
  lists.drop(list);
}

function run(timer) {
  lists.remove(timer);
  if (!timer._onTimeout) {
    fresh = true;
    finish(timer);
    return;
  }
  const started = timer._repeat ? loopNow() : 0;
  frame.current = timer[kContext];
  if (frame.tracker !== null) frame.tracker.enter(timer);
  try {
    const args = timer._timerArgs;
    if (args === undefined) timer._onTimeout();
    else timer._onTimeout(...args);
  } catch (error) {
    again(timer, started);
    onUncaught(error);
    fresh = true;
    return;
  }
  frame.current = undefined;
  if (frame.tracker !== null) frame.tracker.leave();
  again(timer, started);
}

function again(timer, started) {
  if (timer._idleNext !== null) return; // it was started anew while it ran
  if (timer._repeat && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    lists.insert(timer, timer._repeat, started);
  } else {
    finish(timer);
  }
}

const kPromisify = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(setTimeout, kPromisify, { enumerable: true, get: () => require('timers/promises').setTimeout });
Object.defineProperty(immediates.setImmediate, kPromisify, { enumerable: true, get: () => require('timers/promises').setImmediate });

function getTimerCounts() {
  return { timers: words[kTimerRefs], immediates: words[kImmediateRefs] };
}

internalBinding('runtime').setCallback(1, processTimers);
internalBinding('runtime').setCallback(2, immediates.processImmediates);

module.exports = { Timeout, ...immediates, setTimeout, setInterval, clearTimeout, clearInterval, processTimers, start, unenroll,
  kMaximum, getTimerCounts, loopNow, kRefed, TIMEOUT_MAX: kMaximum };
