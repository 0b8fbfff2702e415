'use strict';

// setTimeout and similar functions, and the code that runs timers that are due. Setting or clearing a timer calls into
// C only for the clock: the next due time and the counts of what keeps the loop alive are written into shared words,
// and C updates the loop's handles when JavaScript returns (runtime/order/enter.c).
//
// Setting (in internal/timers/set.js) and running are one function each, although smaller ones would be easier to read:
// the engine compiles every hot function separately, in three tiers, and a program of many timers ends before that has
// paid off.

const { words, kImmediateRefs, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { drainBefore } = require('internal/process/task_queues');
const {
  callback: callbacks,
  drain: { kMicrotasks },
} = require('internal/shared');
const { onUncaught } = require('internal/process/execution');
const lists = require('internal/timers/lists');
const { Timeout, kMore, ofNumber, enlist, finish, cancel } = require('internal/timers/timeout');
const { setTimeout, kMaximum } = require('internal/timers/set');
const frame = require('internal/async/context');
const point = require('internal/trace/point');

function setInterval(callback, every) {
  const timer = Reflect.apply(setTimeout, undefined, arguments);
  timer._repeat = timer._idleTimeout;
  return timer;
}

function clearTimeout(timer) {
  if (timer instanceof Timeout) {
    cancel(timer);
  } else if (typeof timer === 'number' || typeof timer === 'string') {
    const known = ofNumber(timer);
    if (known !== undefined) cancel(known);
  } else if (timer?._onTimeout) {
    // An object that looks like a timer is treated as one, although it is in no list.
    Object.assign(timer, {
      _onTimeout: undefined,
      _destroyed: true,
      _idleNext: null,
      _idlePrev: null,
      _timerArgs: undefined,
      _idleTimeout: -1,
    });
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

// ---- running ----

let fresh = true; // nothing has run since the last drain

function processTimers() {
  runLists(loopNow());
}

function runLists(now) {
  fresh = true;
  lists.hold();
  for (let list = lists.first(); list !== undefined && list.expiry <= now; list = lists.first()) {
    if (runList(list, now)) break;
  }
  lists.release();
}

// True: it is not done, and continues after a drain.
function runList(list, now) {
  const { msecs } = list;
  for (let timer; (timer = list._idleNext) !== list;) {
    if (now - timer._idleStart < msecs) {
      lists.schedule(list, Math.max(timer._idleStart + msecs, now + 1));
      return false;
    }
    if (!fresh) {
      fresh = true;
      if (drainBefore(runLists, now) === kMicrotasks) return true;
      // Ticks and microtasks may have cleared the timer, or restarted it.
      if (list._idleNext !== timer || now - timer._idleStart < msecs) continue;
    }
    const next = timer._idleNext;
    list._idleNext = next;
    next._idlePrev = list;
    timer._idleNext = timer._idlePrev = null;
    if (!timer._onTimeout) {
      finish(timer);
      continue;
    }
    fresh = false;
    const started = timer._repeat === null ? 0 : loopNow();
    const more = timer[kMore];
    frame.current = more === undefined ? undefined : more.context;
    if (frame.tracker !== null) frame.tracker.enter(timer);
    if (point.enter !== null) point.enter(timer._onTimeout, timer._idleStart + msecs, timer);
    try {
      const { _timerArgs: args } = timer;
      if (args === undefined) timer._onTimeout();
      else timer._onTimeout(...args);
    } catch (error) {
      if (timer._idleNext === null) end(timer, started);
      onUncaught(error);
      fresh = true;
      continue;
    }
    frame.current = undefined;
    if (frame.tracker !== null) frame.tracker.leave();
    if (timer._idleNext !== null) continue; // it was restarted
    if (timer._repeat === null) finish(timer);
    else end(timer, started);
  }
  lists.drop(list);
  return false;
}

// It has run, and was not restarted meanwhile.
function end(timer, started) {
  const every = timer._idleTimeout === -1 ? null : timer._repeat;
  if (!every) {
    finish(timer);
    return;
  }
  timer._idleTimeout = every;
  enlist(timer, every, started || loopNow());
}

Object.defineProperty(setTimeout, Symbol.for('nodejs.util.promisify.custom'), {
  enumerable: true,
  get: () => require('timers/promises').setTimeout,
});

function getTimerCounts() {
  return { timers: words[kTimerRefs], immediates: words[kImmediateRefs] };
}

internalBinding('runtime').setCallback(callbacks.kTimers, processTimers);

module.exports = {
  Timeout,
  setTimeout,
  setInterval,
  clearTimeout,
  clearInterval,
  processTimers,
  getTimerCounts,
  loopNow,
  TIMEOUT_MAX: kMaximum,
};
