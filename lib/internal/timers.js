'use strict';

// Timeouts and immediates. Nothing here calls into C to set or clear one: the next due time and the counts of what keeps the
// loop alive are written into shared words, and the door brings the loop's handles in line when JavaScript returns.
//
// Timeouts of equal length share a list in order of their start; the lists wait in a heap, the earliest due first.

const { words, kImmediates, kImmediateRefs, kTimerDue, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { runNextTicks } = require('internal/process/task_queues');
const { onUncaught } = require('internal/process/execution');
const frame = require('internal/async_context');

const kMaximum = 2 ** 31 - 1;
const kRefed = Symbol('refed');
const kContext = Symbol('context');
const kAsyncId = Symbol('asyncId');

let lastAsyncId = 1;
let nextListId = 0;

// ---- lists and their heap ----

class TimersList {
  constructor(expiry, msecs) {
    this._idleNext = this;
    this._idlePrev = this;
    this.expiry = expiry;
    this.id = nextListId++;
    this.msecs = msecs;
    this.position = 0;
  }
}

const lists = new Map();
const heap = [undefined]; // from 1

function before(a, b) {
  return a.expiry < b.expiry || (a.expiry === b.expiry && a.id < b.id);
}

function siftUp(position) {
  const item = heap[position];
  while (position > 1) {
    const parent = position >> 1;
    if (!before(item, heap[parent])) break;
    heap[position] = heap[parent];
    heap[position].position = position;
    position = parent;
  }
  heap[position] = item;
  item.position = position;
}

function siftDown(position) {
  const item = heap[position];
  const last = heap.length - 1;
  for (;;) {
    let child = position << 1;
    if (child > last) break;
    if (child < last && before(heap[child + 1], heap[child])) child++;
    if (!before(heap[child], item)) break;
    heap[position] = heap[child];
    heap[position].position = position;
    position = child;
  }
  heap[position] = item;
  item.position = position;
}

function heapRemove(list) {
  const position = list.position;
  const last = heap.pop();
  if (last !== list) {
    heap[position] = last;
    last.position = position;
    siftDown(position);
    siftUp(last.position);
  }
}

function unlink(item) {
  const next = item._idleNext;
  const prev = item._idlePrev;
  if (next) next._idlePrev = prev;
  if (prev) prev._idleNext = next;
  item._idleNext = null;
  item._idlePrev = null;
}

let latest = null; // the list used last: most programs use one length at a time

function insert(item, msecs, start) {
  // A timer whose length is not a whole number of milliseconds is in the list of the shorter length.
  msecs = Math.trunc(msecs);
  item._idleStart = start;
  let list = latest;
  if (list === null || list.msecs !== msecs) {
    list = lists.get(msecs);
    if (list === undefined) {
      list = new TimersList(0, msecs);
      lists.set(msecs, list);
      heap.push(list);
      list.position = heap.length - 1;
    }
    latest = list;
  }
  const last = list._idlePrev;
  if (last === list) begin(list, start + msecs);
  item._idlePrev = last;
  item._idleNext = list;
  last._idleNext = item;
  list._idlePrev = item;
}

// A list that was empty counts from its new first timer, as if it were a new list.
function begin(list, expiry) {
  list.expiry = expiry;
  list.id = nextListId++;
  siftUp(list.position);
  siftDown(list.position);
  if (!processing) words[kTimerDue] = heap[1].expiry;
}

function dropList(list) {
  lists.delete(list.msecs);
  heapRemove(list);
  if (latest === list) latest = null;
}

// ---- Timeout ----

class Timeout {
  constructor(callback, after, args, isRepeat, isRefed) {
    if (after === undefined) after = 1;
    else after *= 1;
    if (!(after >= 1 && after <= kMaximum)) {
      if (after > kMaximum) {
        process.emitWarning(`${after} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`,
                            'TimeoutOverflowWarning');
      } else if (after < 0) {
        warnOnce('negative', `${after} is a negative number.\nTimeout duration was set to 1.`, 'TimeoutNegativeWarning');
      } else if (after !== after) {
        warnOnce('nan', `${after} is not a number.\nTimeout duration was set to 1.`, 'TimeoutNaNWarning');
      }
      after = 1;
    }
    this._idleTimeout = after;
    this._idlePrev = this;
    this._idleNext = this;
    this._idleStart = null;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = isRepeat ? after : null;
    this._destroyed = false;
    this[kRefed] = isRefed;
    this[kAsyncId] = 0; // until somebody asks for it as a number
    this[kContext] = frame.current;
    if (isRefed) words[kTimerRefs]++;
  }

  refresh() {
    start(this);
    return this;
  }

  unref() {
    if (this[kRefed]) {
      this[kRefed] = false;
      if (!this._destroyed) words[kTimerRefs]--;
    }
    return this;
  }

  ref() {
    if (this[kRefed] === false) {
      this[kRefed] = true;
      if (!this._destroyed) words[kTimerRefs]++;
    }
    return this;
  }

  hasRef() {
    return this[kRefed] === true;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    if (this[kAsyncId] === 0) this[kAsyncId] = ++lastAsyncId;
    const id = this[kAsyncId];
    if (!this._destroyed) knownById[id] = this;
    return id;
  }

  [Symbol.dispose]() {
    clearTimeout(this);
  }
}
Object.defineProperty(Timeout.prototype, Symbol.dispose, { enumerable: false });

const warned = new Set();
function warnOnce(key, message, name) {
  if (warned.has(key)) return;
  warned.add(key);
  process.emitWarning(message, name);
}

const knownById = { __proto__: null };

function start(timer) {
  if (timer._idleTimeout < 0 || timer._idleTimeout === undefined) return;
  if (timer._idleNext !== null && timer._idleNext !== timer) {
    unlink(timer);
    // The list goes only if the timer's new place does not keep it.
    insert(timer, timer._idleTimeout, loopNow());
    return;
  }
  if (timer._destroyed) {
    timer._destroyed = false;
    if (timer[kRefed]) words[kTimerRefs]++;
  }
  insert(timer, timer._idleTimeout, loopNow());
}

function unenroll(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kAsyncId] !== 0) delete knownById[timer[kAsyncId]];
  const next = timer._idleNext;
  if (next !== null && next !== timer) {
    const prev = timer._idlePrev;
    next._idlePrev = prev;
    prev._idleNext = next;
    timer._idleNext = null;
    timer._idlePrev = null;
    // A list that is empty now stays until it is due: the next timer of that length finds it.
  }
  if (timer[kRefed]) words[kTimerRefs]--;
  timer._idleTimeout = -1;
}

function checkCallback(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
}

function setTimeout(callback, after, arg1, arg2, arg3) {
  checkCallback(callback);
  let args;
  const count = arguments.length;
  if (count > 2) {
    args = count === 3 ? [arg1] : count === 4 ? [arg1, arg2] : Array.prototype.slice.call(arguments, 2);
  }
  const timer = new Timeout(callback, after, args, false, true);
  insert(timer, timer._idleTimeout, loopNow());
  return timer;
}

function setInterval(callback, repeat, arg1, arg2, arg3) {
  checkCallback(callback);
  let args;
  const count = arguments.length;
  if (count > 2) {
    args = count === 3 ? [arg1] : count === 4 ? [arg1, arg2] : Array.prototype.slice.call(arguments, 2);
  }
  const timer = new Timeout(callback, repeat, args, true, true);
  insert(timer, timer._idleTimeout, loopNow());
  return timer;
}

function clearTimeout(timer) {
  if (timer instanceof Timeout) {
    timer._onTimeout = null;
    unenroll(timer);
    return;
  }
  if (timer?._onTimeout) {
    timer._onTimeout = null;
    unenroll(timer);
    return;
  }
  if (typeof timer === 'number' || typeof timer === 'string') {
    const known = knownById[timer];
    if (known !== undefined) {
      known._onTimeout = null;
      unenroll(known);
    }
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

// ---- running timeouts ----

let processing = false;
let fresh = true; // nothing has run since the last drain

function processTimers() {
  const now = loopNow();
  processing = true;
  fresh = true;
  while (heap.length > 1) {
    const list = heap[1];
    if (list.expiry > now) break;
    runList(list, now);
  }
  processing = false;
  words[kTimerDue] = heap.length > 1 ? heap[1].expiry : 0;
}

function runList(list, now) {
  const msecs = list.msecs;
  for (;;) {
    if (list._idleNext === list) break;
    let timer = list._idleNext;
    if (now - timer._idleStart < msecs) {
      list.expiry = Math.max(timer._idleStart + msecs, now + 1);
      list.id = nextListId++;
      siftDown(list.position);
      return;
    }
    if (fresh) {
      fresh = false;
    } else {
      runNextTicks();
      timer = list._idleNext;
      if (timer === list) break;
      if (now - timer._idleStart < msecs) continue;
    }
    unlink(timer);
    const callback = timer._onTimeout;
    if (!callback) {
      finish(timer);
      continue;
    }
    let started;
    if (timer._repeat) started = loopNow();
    frame.current = timer[kContext];
    try {
      const args = timer._timerArgs;
      if (args === undefined) timer._onTimeout();
      else timer._onTimeout(...args);
    } catch (error) {
      afterRun(timer, started);
      onUncaught(error);
      fresh = true;
      continue;
    }
    frame.current = undefined;
    afterRun(timer, started);
  }
  dropList(list);
}

function afterRun(timer, started) {
  if (timer._repeat && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    if (timer._idleNext === null) insert(timer, timer._idleTimeout, started);
  } else if (timer._idleNext === null && timer._idlePrev === null && !timer._destroyed) {
    finish(timer);
  }
}

function finish(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kAsyncId] !== 0) delete knownById[timer[kAsyncId]];
  if (timer[kRefed]) words[kTimerRefs]--;
}

// ---- immediates ----

class Immediate {
  constructor(callback, args) {
    this._idleNext = null;
    this._idlePrev = null;
    this._onImmediate = callback;
    this._argv = args;
    this._destroyed = false;
    this[kRefed] = true;
    this[kContext] = frame.current;
    words[kImmediateRefs]++;
    words[kImmediates]++;
    const last = immediateTail;
    if (last === null) {
      immediateHead = this;
    } else {
      last._idleNext = this;
      this._idlePrev = last;
    }
    immediateTail = this;
  }

  ref() {
    if (this[kRefed] === false) {
      this[kRefed] = true;
      if (!this._destroyed) words[kImmediateRefs]++;
    }
    return this;
  }

  unref() {
    if (this[kRefed] === true) {
      this[kRefed] = false;
      if (!this._destroyed) words[kImmediateRefs]--;
    }
    return this;
  }

  hasRef() {
    return this[kRefed] === true;
  }

  [Symbol.dispose]() {
    clearImmediate(this);
  }
}
Object.defineProperty(Immediate.prototype, Symbol.dispose, { enumerable: false });

let immediateHead = null;
let immediateTail = null;

function setImmediate(callback, arg1, arg2, arg3) {
  checkCallback(callback);
  let args;
  const count = arguments.length;
  if (count > 1) {
    args = count === 2 ? [arg1] : count === 3 ? [arg1, arg2] : Array.prototype.slice.call(arguments, 1);
  }
  return new Immediate(callback, args);
}

function clearImmediate(immediate) {
  if (!immediate?._onImmediate || immediate._destroyed) return;
  settleImmediate(immediate);
  immediate._onImmediate = null;
  const { _idleNext: next, _idlePrev: prev } = immediate;
  if (prev !== null) prev._idleNext = next;
  else if (immediateHead === immediate) immediateHead = next;
  else if (running === immediate) running = next;
  if (next !== null) next._idlePrev = prev;
  else if (immediateTail === immediate) immediateTail = prev;
  immediate._idleNext = null;
  immediate._idlePrev = null;
}

function settleImmediate(immediate) {
  immediate._destroyed = true;
  words[kImmediates]--;
  if (immediate[kRefed]) words[kImmediateRefs]--;
  immediate[kRefed] = null;
}

let running = null; // the next one of the round under way

function takeRound() {
  running = immediateHead;
  immediateHead = immediateTail = null;
}

function processImmediates() {
  takeRound();
  let first = true;
  while (running !== null) {
    if (first) {
      first = false;
    } else {
      runNextTicks();
      if (running === null) break;
    }
    const immediate = running;
    running = immediate._idleNext;
    if (running !== null) running._idlePrev = null;
    immediate._idleNext = null;
    settleImmediate(immediate);
    frame.current = immediate[kContext];
    try {
      const args = immediate._argv;
      if (args === undefined) immediate._onImmediate();
      else immediate._onImmediate(...args);
    } catch (error) {
      immediate._onImmediate = null;
      onUncaught(error);
      // What it queued waits until the next one has run; after the last one the next round begins at once.
      first = true;
      if (running === null) takeRound();
      continue;
    }
    immediate._onImmediate = null;
  }
  frame.current = undefined;
}

const kPromisify = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(setTimeout, kPromisify, { enumerable: true, get: () => require('timers/promises').setTimeout });
Object.defineProperty(setImmediate, kPromisify, { enumerable: true, get: () => require('timers/promises').setImmediate });

function getTimerCounts() {
  return { timers: words[kTimerRefs], immediates: words[kImmediateRefs] };
}

internalBinding('runtime').setCallback(1, processTimers);
internalBinding('runtime').setCallback(2, processImmediates);

module.exports = { Timeout, Immediate, setTimeout, setInterval, clearTimeout, clearInterval, setImmediate, clearImmediate,
  processTimers, processImmediates, start, unenroll, kMaximum, getTimerCounts, loopNow, kRefed, TIMEOUT_MAX: kMaximum };
