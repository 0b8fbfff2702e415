'use strict';

// Atomics.waitAsync, wait and notify.
//
// Atomics.wait for an engine whose waiting threads cannot be woken: it waits in short intervals, and checks between
// them whether this thread has to end, was notified, or its timeout is over.
//
// Between two intervals the engine does not know of this thread. Its entry in the list of waiters stays where it is:
// a notify takes it out of there, and that is what ends the wait. Intervals change the engine's order of the threads,
// so the one that the engine wakes may be another one than was taken out: it sleeps on.

const binding = internalBinding('worker');
const { runMicrotasks, waitsInSlices, Atomics: own } = internalBinding('runtime');

const { load } = internalBinding('runtime').Atomics;
const { apply } = Reflect;
const { now } = Date;
const { min, max } = Math;

const kSliceMs = 50;

// The function that waits, from the engine's own one. The caller has checked the arguments, and says whether the thread
// is in the list.
function inSlices(wait) {
  return function (view, at, value, ms, isListed) {
    let expected = value;
    let left = ms;
    for (let began = now(); ;) {
      const answer = apply(wait, this, [view, at, expected, min(left, kSliceMs)]);
      if ((answer === 'ok' && !isListed) || (answer === 'not-equal' && expected === value && left === ms))
        return answer;
      binding.look();
      if (isListed && !binding.sleeperWaits()) return 'ok';
      const time = now();
      // Whoever wrote another value has not notified: the wait is for that value from now on.
      if (answer === 'not-equal') expected = apply(load, this, [view, at]);
      else left -= answer === 'ok' ? time - began : max(min(left, kSliceMs), time - began);
      began = time;
      if (left <= 0) return 'timed-out';
    }
  };
}

// Atomics.waitAsync, which the engine does not have, and the changes of Atomics.wait and Atomics.notify that it needs.
// C has the list of all waiters of all threads (runtime/bind/worker/worker_waiters.c); this module has the promises.
//
// A waiting promise does not keep the loop alive, and its timer does not, either. One that was notified by its own
// thread does, until it is settled. In V8, an engine task settles it: its promise jobs run before ticks.

const kNobody = 0;
const kSleeps = 2;
const kLongestMs = 2147483647;

const typeOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int32Array.prototype), Symbol.toStringTag).get;
const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int32Array.prototype), 'length').get;
const bufferOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int32Array.prototype), 'buffer').get;
const sharedSize = Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'byteLength').get;

// One element of each kind, to hand values over.
const scratch = { Int32Array: new Int32Array(1), BigInt64Array: new BigInt64Array(1) };

function shown(value) {
  const isPlain = typeof value === 'object' && value !== null && typeOf.call(value) === undefined;
  if (isPlain && typeof value.constructor?.name === 'string' && !Array.isArray(value))
    return `#<${value.constructor.name || 'Object'}>`;
  if (typeof value === 'symbol') return value.toString();
  return typeof value === 'object' && value !== null && !isPlain ? `[object ${typeOf.call(value)}]` : `${value}`;
}

// The kind of a view, or V8's error.
function kindOf(view) {
  const kind = typeof view === 'object' && view !== null ? apply(typeOf, view, []) : undefined;
  if (kind !== 'Int32Array' && kind !== 'BigInt64Array')
    throw new TypeError(`${shown(view)} is not an int32 or BigInt64 typed array.`);
  return kind;
}

function isShared(view) {
  try {
    apply(sharedSize, apply(bufferOf, view, []), []);
    return true;
  } catch {
    return false;
  }
}

function mustBeShared(view) {
  if (!isShared(view)) throw new TypeError(`${shown(view)} is not a shared typed array.`);
}

function indexIn(view, index) {
  const at = Math.trunc(Number(index)) || 0;
  if (at < 0 || at >= apply(lengthOf, view, [])) throw new RangeError('Invalid atomic access index');
  return at;
}

// Leaves the value, converted as the view would, in the scratch view.
function expected(kind, value) {
  const one = scratch[kind];
  if (kind === 'BigInt64Array') one[0] = typeof value === 'bigint' ? value : toBigInt(value);
  else one[0] = Number(value);
  return one;
}

function toBigInt(value) {
  if (typeof value === 'number' || value === undefined || value === null)
    throw new TypeError(`Cannot convert ${value} to a BigInt`);
  return BigInt.asIntN(64, BigInt(value));
}

function timeoutFrom(value) {
  const ms = Number(value);
  return Number.isNaN(ms) ? Infinity : Math.max(ms, 0);
}

// ---- promises ----

const waiting = new Map(); // number -> { resolve, view, timer }; the view keeps the memory
let listening = false;

function settle(number, answer) {
  const waiter = waiting.get(number);
  if (waiter === undefined) return;
  waiting.delete(number);
  if (waiter.timer !== undefined) require('internal/timers').clearTimeout(waiter.timer);
  waiter.resolve(answer);
}

function hearNews() {
  const numbers = binding.waiterNews();
  if (numbers.length === 0) return;
  for (const number of numbers) settle(number, 'ok');
  runMicrotasks();
}

// A time longer than the maximum of a timer takes several timers.
function startTimer(number, waiter, ms) {
  const { setTimeout } = require('internal/timers');
  const part = Math.min(ms, kLongestMs);
  waiter.timer = setTimeout(() => {
    if (ms > part) {
      startTimer(number, waiter, ms - part);
    } else if (binding.waiterEnd(number)) {
      settle(number, 'timed-out');
      runMicrotasks();
    }
  }, Math.ceil(part)).unref();
}

function begin(Promise, view, at, one, ms) {
  if (!listening) {
    listening = true;
    require('internal/worker/link').alsoHear(hearNews);
  }
  const number = binding.waiterAdd(view, at, one);
  if (number === 0) return { async: false, value: 'not-equal' };
  if (ms === 0) {
    binding.waiterEnd(number);
    return { async: false, value: 'timed-out' };
  }
  const { promise, resolve } = Promise.withResolvers();
  const waiter = { resolve, view, timer: undefined };
  waiting.set(number, waiter);
  if (ms !== Infinity) startTimer(number, waiter, ms);
  return { async: true, value: promise };
}

// Wakes the first ones of either kind; then as many as are left of those that only the engine knows. A thread that
// waits in slices has been notified when it is out of the list, whether the engine knows of it at this moment or not.
function notifyInOrder(native, view, at, count) {
  const one = scratch[kindOf(view)];
  let woken = 0;
  while (woken < count) {
    const who = binding.waiterNotify(view, at, one);
    if (who === kNobody) break;
    const known = who === kSleeps ? apply(native, own, [view, at, 1]) : 1;
    woken += waitsInSlices ? 1 : known;
  }
  return woken < count ? woken + apply(native, own, [view, at, count - woken]) : woken;
}

// ---- the functions ----

// The arguments of wait and waitAsync, converted in the order of the language. The conversion of the time may call code
// that waits, too, so the scratch view gets the value after it.
function readWait(view, index, value, timeout) {
  const kind = kindOf(view);
  mustBeShared(view);
  const at = indexIn(view, index);
  const one = expected(kind, value);
  const wanted = one[0];
  const ms = timeoutFrom(timeout);
  one[0] = wanted;
  return { at, one, wanted, ms };
}

function make({ Promise, Object: { prototype: objectPrototype } }, { wait: native, notify }) {
  const wait = waitsInSlices ? inSlices(native) : native;
  return {
    wait(typedArray, index, value, timeout) {
      const { at, one, wanted, ms } = readWait(typedArray, index, value, timeout);
      const isListed = binding.sleeperBegin(typedArray, at, one);
      try {
        return apply(wait, own, [typedArray, at, wanted, ms, isListed]);
      } finally {
        binding.sleeperEnd();
      }
    },
    waitAsync(typedArray, index, value, timeout) {
      const { at, one, ms } = readWait(typedArray, index, value, timeout);
      return Object.setPrototypeOf(begin(Promise, typedArray, at, one, ms), objectPrototype);
    },
    notify(typedArray, index, count) {
      kindOf(typedArray);
      const at = indexIn(typedArray, index);
      const most = count === undefined ? Infinity : Math.max(Math.trunc(Number(count)) || 0, 0);
      if (!isShared(typedArray)) return 0;
      if (!waitsInSlices && binding.waitersLater() === 0) return apply(notify, own, [typedArray, at, most]);
      return notifyInOrder(notify, typedArray, at, most);
    },
  };
}

function install(global, atomics) {
  const { ownFunction } =
    global === globalThis ? { ownFunction: (_, method) => method } : require('internal/vm/own_errors');
  for (const [name, method] of Object.entries(make(global, atomics))) {
    const value = ownFunction(global, method);
    if (name === 'notify') Object.defineProperty(value, 'length', { value: 3, configurable: true });
    Object.defineProperty(atomics, name, { value, writable: true, enumerable: false, configurable: true });
  }
  return atomics;
}

module.exports = { install };
