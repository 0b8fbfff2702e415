'use strict';

// Immediates: a linked list; a round takes the whole list and runs it, and immediates that are added meanwhile wait for
// the next round.
//
// As with timeouts (internal/timers), an immediate has the properties that programs know; rare ones are added
// when they are needed.

const { words, kImmediates, kImmediateRefs } = require('internal/process/shared');
const { drainBefore } = require('internal/process/task_queues');
const { onUncaught } = require('internal/process/execution');
const {
  callback: callbacks,
  drain: { kMicrotasks },
} = require('internal/shared');
const frame = require('internal/async/context');
const hooks = require('internal/trace/hooks');

const kReferenced = Symbol('refed');
const kContext = Symbol('context');

let head = null;
let tail = null;
let running = null; // the next one of the current round

class Immediate {
  constructor(callback, args) {
    this._idleNext = null;
    this._idlePrev = tail;
    this._onImmediate = callback;
    this._argv = args;
    this._destroyed = false;
    if (tail === null) head = this;
    else tail._idleNext = this;
    tail = this;
    words[kImmediates]++;
    words[kImmediateRefs]++;
    if (frame.current !== undefined) this[kContext] = frame.current;
    if (frame.scheduled !== null) frame.scheduled('Immediate', this);
  }

  ref() {
    return refer(this, true);
  }

  unref() {
    return refer(this, false);
  }

  hasRef() {
    return !this._destroyed && this[kReferenced];
  }

  [Symbol.dispose]() {
    clearImmediate(this);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    // What it shows is made anew, so a circle through it would not be seen: the depth ends it.
    return inspect(require('internal/timers/inspect').ofImmediate(this, this[kContext]), {
      ...options,
      depth: depth ?? 5,
    });
  }
}
for (const [key, value] of [
  [kReferenced, true],
  [kContext, undefined],
]) {
  Object.defineProperty(Immediate.prototype, key, { value, writable: true, configurable: true, enumerable: false });
}

// The methods may be called on any object.
function refer(immediate, wanted) {
  if (immediate instanceof Immediate && !immediate._destroyed && immediate[kReferenced] !== wanted) {
    immediate[kReferenced] = wanted;
    words[kImmediateRefs] += wanted ? 1 : -1;
  }
  return immediate;
}

function setImmediate(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  const count = arguments.length;
  return new Immediate(callback, count === 1 ? undefined : Array.prototype.slice.call(arguments, 1));
}

function settle(immediate) {
  immediate._destroyed = true;
  words[kImmediates]--;
  if (immediate[kReferenced]) words[kImmediateRefs]--;
}

function forget(immediate) {
  immediate._onImmediate = immediate._argv = undefined;
  if (immediate[kContext] !== undefined) immediate[kContext] = undefined;
}

function clearImmediate(immediate) {
  if (!(immediate instanceof Immediate) || immediate._destroyed) return;
  settle(immediate);
  forget(immediate);
  const { _idleNext: next, _idlePrev: previous } = immediate;
  if (next !== null) next._idlePrev = previous;
  else if (tail === immediate) tail = previous;
  if (previous !== null) previous._idleNext = next;
  else if (head === immediate) head = next;
  else if (running === immediate) running = next;
  immediate._idleNext = immediate._idlePrev = null;
  if (frame.tracker !== null) frame.tracker.destroy(immediate);
}

function takeRound() {
  running = head;
  head = tail = null;
}

function takeNext() {
  const immediate = running;
  running = immediate._idleNext;
  if (running !== null) running._idlePrev = null;
  immediate._idleNext = null;
  settle(immediate);
  return immediate;
}

function processImmediates() {
  if (frame.tracker !== null) frame.tracker.tellOfDestroyed();
  // A callback may have been ended by what nothing catches (the limit of time of a script in it, on an engine that ends
  // all that runs): then the rest of its round comes first.
  if (running === null) takeRound();
  runRound();
}

function runRound() {
  let fresh = true; // nothing has run since the last drain
  while (running !== null) {
    if (!fresh && (drainBefore(runRound) === kMicrotasks || running === null)) break;
    fresh = false;
    const immediate = takeNext();
    frame.current = immediate[kContext];
    if (frame.tracker !== null) frame.tracker.enter(immediate);
    if (hooks.enter !== null && immediate._onImmediate !== noop) hooks.enter(immediate._onImmediate, 0, immediate);
    try {
      const args = immediate._argv;
      if (args === undefined) immediate._onImmediate();
      else immediate._onImmediate(...args);
    } catch (error) {
      forget(immediate);
      onUncaught(error);
      // The ticks and jobs that it queued wait until the next one has run; after the last one the next round begins at
      // once.
      fresh = true;
      if (running === null) takeRound();
      continue;
    }
    forget(immediate);
    if (frame.tracker !== null) {
      frame.tracker.leave();
      frame.tracker.destroy(immediate);
    }
  }
  frame.current = undefined;
}

function noop() {}

Object.defineProperty(setImmediate, Symbol.for('nodejs.util.promisify.custom'), {
  enumerable: true,
  get: () => require('timers/promises').setImmediate,
});

internalBinding('runtime').setCallback(callbacks.kImmediates, processImmediates);

// For the runtime itself: something to run in the next check phase. It is no asynchronous resource, and keeps nothing
// alive.
function runSoon() {
  const { current, scheduled } = frame;
  frame.current = undefined;
  frame.scheduled = null;
  new Immediate(noop, undefined).unref();
  frame.current = current;
  frame.scheduled = scheduled;
}

// Those that wait, for internal/trace/alive.
function waiting() {
  const found = [];
  for (let immediate = head; immediate !== null; immediate = immediate._idleNext)
    if (immediate[kReferenced] && typeof immediate._onImmediate === 'function') found.push(immediate);
  return found;
}

module.exports = { Immediate, setImmediate, clearImmediate, processImmediates, runSoon, waiting };
