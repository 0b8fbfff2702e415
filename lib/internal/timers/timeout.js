'use strict';

// Timeout objects. There may be very many of them, so one has the eight properties that programs know and nothing else: that is
// the most that the engine keeps in 80 bytes. What few timers have is added when it is needed: that it is unreferenced, an
// asynchronous context, a number. The prototype tells what holds for the others.

const { words, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { listFor } = require('internal/timers/lists');
const frame = require('internal/async_context');

const kReferenced = Symbol('refed');
const kContext = Symbol('context');
const kNumber = Symbol('asyncId');

let lastNumber = 1;
const numbered = { __proto__: null };

class Timeout {
  // It is made as the last one of its list, and referenced; who makes it counts it.
  constructor(callback, duration, list, start) {
    const last = list._idlePrev;
    this._idleTimeout = duration;
    this._idlePrev = last;
    this._idleNext = list;
    this._idleStart = start;
    this._onTimeout = callback;
    this._timerArgs = undefined;
    this._repeat = null;
    this._destroyed = false;
    list._idlePrev = last._idleNext = this;
  }

  refresh() {
    start(this);
    return this;
  }

  unref() {
    return refer(this, false);
  }

  ref() {
    return refer(this, true);
  }

  hasRef() {
    return this[kReferenced];
  }

  close() {
    cancel(this);
    return this;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return inspect(require('internal/timers/look').ofTimeout(this, this[kNumber], this[kContext]), { ...options, depth: 0 });
  }

  [Symbol.dispose]() {
    cancel(this);
  }

  [Symbol.toPrimitive]() {
    const number = (this[kNumber] ||= ++lastNumber);
    if (!this._destroyed) numbered[number] = this;
    return number;
  }
}

function tellOfAll(key, value) {
  Object.defineProperty(Timeout.prototype, key, { value, writable: true, configurable: true, enumerable: false });
}
tellOfAll(kReferenced, true);
tellOfAll(kContext, undefined);
tellOfAll(kNumber, 0);

const ofNumber = (number) => numbered[number];

function refer(timer, wanted) {
  if (timer[kReferenced] !== wanted) {
    timer[kReferenced] = wanted;
    if (!timer._destroyed) words[kTimerRefs] += wanted ? 1 : -1;
  }
  return timer;
}

// At the end of its list. It is in none.
function enlist(timer, length, from) {
  const list = listFor(length, from);
  const last = list._idlePrev;
  timer._idleStart = from;
  timer._idlePrev = last;
  timer._idleNext = list;
  list._idlePrev = last._idleNext = timer;
}

function remove(timer) {
  const { _idleNext: next, _idlePrev: previous } = timer;
  if (next === null) return;
  next._idlePrev = previous;
  previous._idleNext = next;
  timer._idleNext = timer._idlePrev = null;
}

function start(timer) {
  const { _idleTimeout: length } = timer;
  if (length === undefined || length < 0) return;
  remove(timer);
  if (timer._destroyed) {
    timer._destroyed = false;
    if (timer[kReferenced]) words[kTimerRefs]++;
    if (frame.current !== undefined) timer[kContext] = frame.current;
  }
  enlist(timer, length, loopNow());
}

// It will not run again, unless it is started anew: then with the context of that moment.
function finish(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kReferenced]) words[kTimerRefs]--;
  if (timer[kContext] !== undefined) timer[kContext] = undefined;
  if (timer[kNumber] !== 0) delete numbered[timer[kNumber]];
  if (frame.tracker !== null) frame.tracker.destroy(timer);
}

// Nothing of what it was given is kept by it. One that has nothing to call is left alone.
function cancel(timer) {
  if (!timer._onTimeout) return;
  timer._onTimeout = timer._timerArgs = undefined;
  if (timer._destroyed) return;
  remove(timer);
  finish(timer);
  timer._idleTimeout = -1;
}

module.exports = { Timeout, kContext, ofNumber, enlist, finish, cancel };
