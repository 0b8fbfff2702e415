'use strict';

// Timeout objects. There may be very many of them, so a Timeout has the eight properties that programs know and nothing
// else: that is the most that the engine keeps in 80 bytes. Rare properties are in an extra object, which is added when
// it is needed: whether it is unreferenced, an asynchronous context, a number.

const { words, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { listFor } = require('internal/timers/lists');
const frame = require('internal/async/context');

const kMore = Symbol('more'); // undefined for most: the prototype says so

let lastNumber = 1;
const numbered = { __proto__: null };

class More {
  isReferenced = true;
  context = undefined;
  number = 0; // 0 until it is read
}

const moreOf = (timer) => (timer[kMore] ??= new More());

class Timeout {
  // In no list, and without a callback: the caller sets these, and counts it.
  constructor() {
    this._idleTimeout = 0;
    this._idlePrev = null;
    this._idleNext = null;
    this._idleStart = 0;
    this._onTimeout = undefined;
    this._timerArgs = undefined;
    this._repeat = null;
    this._destroyed = false;
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
    return isReferenced(this);
  }

  close() {
    cancel(this);
    return this;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return inspect(require('internal/timers/look').ofTimeout(this, this[kMore] ?? new More()), {
      ...options,
      depth: 0,
    });
  }

  [Symbol.dispose]() {
    cancel(this);
  }

  [Symbol.toPrimitive]() {
    const number = (moreOf(this).number ||= ++lastNumber);
    if (!this._destroyed) numbered[number] = this;
    return number;
  }
}

Object.defineProperty(Timeout.prototype, kMore, {
  value: undefined,
  writable: true,
  configurable: true,
  enumerable: false,
});

const ofNumber = (number) => numbered[number];

function isReferenced(timer) {
  const more = timer[kMore];
  return more === undefined || more.isReferenced;
}

// The methods may be called on any object.
function refer(timer, wanted) {
  if (timer instanceof Timeout && isReferenced(timer) !== wanted) {
    moreOf(timer).isReferenced = wanted;
    if (!timer._destroyed) words[kTimerRefs] += wanted ? 1 : -1;
  }
  return timer;
}

// Appends it to its list. It must be in none.
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
    if (isReferenced(timer)) words[kTimerRefs]++;
    if (frame.current !== undefined) moreOf(timer).context = frame.current;
  }
  enlist(timer, length, loopNow());
}

// It does not run again unless it is restarted: then with the context of that moment.
function finish(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  const more = timer[kMore];
  if (more === undefined) {
    words[kTimerRefs]--;
  } else {
    if (more.isReferenced) words[kTimerRefs]--;
    if (more.number !== 0) delete numbered[more.number];
    more.context = undefined;
  }
  if (frame.tracker !== null) frame.tracker.destroy(timer);
}

// Drops its references to callback and arguments. A timer without a callback is left as it is.
function cancel(timer) {
  if (!timer._onTimeout) return;
  timer._onTimeout = timer._timerArgs = undefined;
  if (timer._destroyed) return;
  remove(timer);
  finish(timer);
  timer._idleTimeout = -1;
}

module.exports = { Timeout, kMore, moreOf, ofNumber, enlist, finish, cancel };
