// Timers. Setting or clearing one calls into C only for the clock: the next due time and the number of timers that keep
// the loop alive are written into shared words, and C updates the loop's handle when JavaScript returns
// (runtime/order/enter.c).
//
// Timers of equal delay are in one list, in order of their start; the lists are in a heap, the earliest due first.
// Lists due at the same time run in the order in which they began. A list is circular. A list that becomes empty stays
// in the heap until it is due: the next timer of that delay finds it there.
//
// Setting and running are one function each, although smaller ones would be easier to read: the engine compiles every
// hot function separately, in three tiers, and a program of many timers ends before that has paid off.
//
// The file is not in strict mode, because of setTimeout: until the engine has optimized a function that uses
// `arguments`, it makes such an object for each call, which costs more than setting a timer. Without strict mode, the
// arguments can be read only when there are any.

const { words, kImmediateRefs, kTimerDue, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { drainBefore } = require('internal/process/task_queues');
const {
  callback: callbacks,
  drain: { kMicrotasks },
} = require('internal/shared');
const { onUncaught } = require('internal/process/execution');
const frame = require('internal/async/context');
const hooks = require('internal/trace/hooks');

// ---- lists ----

class TimersList {
  constructor(msecs) {
    this.msecs = msecs;
    this.expiry = 0;
    this.turn = 0; // among lists that are due at the same time
    this.place = 0; // in the heap
    this.made = 0; // Timeouts
    this.spare = null; // Timeouts that are not set yet, linked by _idleNext
    this._idlePrev = this._idleNext = this;
  }
}

const noList = new TimersList(0);
const byLength = new Map();
// A direct-mapped cache: the list used last for each value of the low 7 bits of the delay.
const recent = new Array(128).fill(noList);
const heap = [noList]; // the first is at 1
let lastTurn = 0;
let held = false; // the shared word is written once the lists have run

function precedes(a, b) {
  return a.expiry < b.expiry || (a.expiry === b.expiry && a.turn < b.turn);
}

function put(list, place) {
  heap[place] = list;
  list.place = place;
}

// Moves the list to its position, up or down.
function sift(list) {
  let { place } = list;
  for (let parent = place >> 1; parent > 0 && precedes(list, heap[parent]); parent = place >> 1) {
    put(heap[parent], place);
    place = parent;
  }
  const last = heap.length - 1;
  for (let child = place << 1; child <= last; child = place << 1) {
    if (child < last && precedes(heap[child + 1], heap[child])) child++;
    if (!precedes(heap[child], list)) break;
    put(heap[child], place);
    place = child;
  }
  put(list, place);
}

function schedule(list, expiry) {
  list.expiry = expiry;
  list.turn = lastTurn++;
  sift(list);
  if (!held) words[kTimerDue] = heap[1].expiry;
}

function drop(list) {
  const { msecs } = list;
  byLength.delete(msecs);
  recent[msecs & 127] = noList;
  const last = heap.pop();
  if (last === list) return;
  last.place = list.place;
  sift(last);
}

function find(msecs) {
  let list = byLength.get(msecs);
  if (list === undefined) {
    list = new TimersList(msecs);
    byLength.set(msecs, list);
    put(list, heap.length);
  }
  return (recent[msecs & 127] = list);
}

// The list for a timer of that length that starts at `start`. An empty list starts at that time, like a new one. A
// length with a fraction counts as the next smaller whole number.
function listFor(length, start) {
  const msecs = length | 0;
  let list = recent[msecs & 127];
  if (list.msecs !== msecs) list = find(msecs);
  if (list._idleNext === list) schedule(list, start + msecs);
  return list;
}

const firstList = () => (heap.length > 1 ? heap[1] : undefined);

function hold() {
  held = true;
}

function release() {
  held = false;
  words[kTimerDue] = heap.length > 1 ? heap[1].expiry : 0;
}

// All timers, for internal/trace/alive.
function all() {
  const found = [];
  for (const list of byLength.values())
    for (let timer = list._idleNext; timer !== list; timer = timer._idleNext) found.push(timer);
  return found;
}

// ---- Timeout objects ----

// There may be very many of them, so a Timeout has the eight properties that programs know and nothing else: that is
// the most that the engine keeps in 80 bytes. Rare properties are in an extra object, which is added when it is needed:
// whether the timer is unreferenced, an asynchronous context, a number.

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
  // In no list, and without a callback: the caller sets these, and counts the timer.
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
    return inspect(require('internal/timers/inspect').ofTimeout(this, this[kMore] ?? new More()), {
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

// Appends the timer, which is in no list, to its list.
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

// The timer does not run again unless it is restarted: then with the context of that moment.
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

// Drops the references to callback and arguments. A timer without a callback is left as it is.
function cancel(timer) {
  if (!timer._onTimeout) return;
  timer._onTimeout = timer._timerArgs = undefined;
  if (timer._destroyed) return;
  remove(timer);
  finish(timer);
  timer._idleTimeout = -1;
}

// ---- setting and clearing ----

const kMaximum = 2 ** 31 - 1;
const kChunk = 16; // Timeouts
const argumentsOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Function.prototype, 'arguments').get);
const warned = new Set();

function warn(name, message, isRepeated) {
  if (!isRepeated && warned.has(name)) return;
  warned.add(name);
  process.emitWarning(`${message}\nTimeout duration was set to 1.`, name);
}

// The duration that a program gives, in milliseconds from 1 to the maximum.
function durationFrom(value) {
  const after = value === undefined ? 1 : value * 1;
  if (after >= 1 && after <= kMaximum) return after;
  if (after > kMaximum) warn('TimeoutOverflowWarning', `${after} does not fit into a 32-bit signed integer.`, true);
  else if (after < 0) warn('TimeoutNegativeWarning', `${after} is a negative number.`, false);
  else if (after !== after) warn('TimeoutNaNWarning', `${after} is not a number.`, false);
  return 1;
}

// The timers of one list run one after the other. If there are many lists with many timers, neighbours in a list would
// be far apart in memory, and most of the time would be spent on cache misses. So a busy list allocates its timers
// several at a time.
function makeChunk(list) {
  const first = new Timeout();
  let last = (list.spare = new Timeout());
  for (let i = 2; i < kChunk; i++) last = last._idleNext = new Timeout();
  return first;
}

function setTimeout(callback, after) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  const duration = typeof after === 'number' && after >= 1 && after <= kMaximum ? after : durationFrom(after);
  const start = loopNow();
  const list = listFor(duration, start);
  let timer = list.spare;
  if (timer !== null) list.spare = timer._idleNext;
  else timer = list.made++ < kChunk ? new Timeout() : makeChunk(list);
  const last = list._idlePrev;
  timer._idleTimeout = duration;
  timer._idlePrev = last;
  timer._idleNext = list;
  timer._idleStart = start;
  timer._onTimeout = callback;
  list._idlePrev = last._idleNext = timer;
  words[kTimerRefs]++;
  if (arguments.length > 2) timer._timerArgs = Array.prototype.slice.call(argumentsOf(setTimeout), 2);
  if (frame.current !== undefined) moreOf(timer).context = frame.current;
  if (frame.scheduled !== null) frame.scheduled('Timeout', timer);
  return timer;
}

function setInterval(callback, every) {
  'use strict';
  const timer = Reflect.apply(setTimeout, undefined, arguments);
  timer._repeat = timer._idleTimeout;
  return timer;
}

function clearTimeout(timer) {
  'use strict';
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
  'use strict';
  clearTimeout(timer);
}

// ---- running ----

let fresh = true; // nothing has run since the last drain

function processTimers() {
  runLists(loopNow());
}

function runLists(now) {
  fresh = true;
  hold();
  for (let list = firstList(); list !== undefined && list.expiry <= now; list = firstList()) {
    if (runList(list, now)) break;
  }
  release();
}

// True: the list is not done, and continues after a drain.
function runList(list, now) {
  const { msecs } = list;
  for (let timer; (timer = list._idleNext) !== list;) {
    if (now - timer._idleStart < msecs) {
      schedule(list, Math.max(timer._idleStart + msecs, now + 1));
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
    if (hooks.enter !== null) hooks.enter(timer._onTimeout, timer._idleStart + msecs, timer);
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
  drop(list);
  return false;
}

// The timer has run, and was not restarted meanwhile.
function end(timer, started) {
  const every = timer._idleTimeout === -1 ? null : timer._repeat;
  if (!every) {
    finish(timer);
    return;
  }
  timer._idleTimeout = every;
  enlist(timer, every, started || loopNow());
}

// What the engine does for the first call of a function is done here, before a clock is read. Otherwise the first timer
// of a program takes so long that the next one, in the next statement, often begins in another millisecond.
hold();
drop(listFor(kMaximum, 0));
release();
new Timeout();

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
  all,
  getTimerCounts,
  loopNow,
  TIMEOUT_MAX: kMaximum,
};
