'use strict';

// process.nextTick and queueMicrotask. C looks at one shared word to see whether the tick queue has entries.
//
// A callback that throws ends the drain it is part of: what is left waits for the next callback from the loop (an
// empty immediate makes sure that there is one). The functions below return false when that happened.

const { words, kTicks, kRejections, kReported } = require('internal/process/shared');
const { runMicrotasks } = internalBinding('runtime');
const { onUncaught } = require('internal/process/execution');
const frame = require('internal/async_context');
const point = require('internal/trace/point');

let processRejections; // set by internal/process/promises
function setRejectionProcessor(fn) {
  processRejections = fn;
}

// The queue: rings of fixed size, chained while one is not enough. A ring is full with one place left free.
const kSize = 2048;
const kMask = kSize - 1;

class Ring {
  constructor() {
    this.list = new Array(kSize);
    this.bottom = 0;
    this.top = 0;
    this.next = null;
  }
}

let head = new Ring();
let tail = head;

class TickObject {
  constructor(callback, args, context) {
    this.callback = callback;
    this.args = args;
    this.context = context;
  }
}

function nextTick(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
  if (process._exiting) return;
  let args;
  switch (arguments.length) {
    case 1: break;
    case 2: args = [arguments[1]]; break;
    case 3: args = [arguments[1], arguments[2]]; break;
    case 4: args = [arguments[1], arguments[2], arguments[3]]; break;
    default: args = Array.prototype.slice.call(arguments, 1);
  }
  let top = tail.top;
  if (((top + 1) & kMask) === tail.bottom) {
    tail = tail.next = new Ring();
    top = 0;
  }
  tail.list[top] = new TickObject(callback, args, frame.current);
  tail.top = (top + 1) & kMask;
  words[kTicks] = 1;
}

function takeTick() {
  const bottom = head.bottom;
  if (bottom === head.top) {
    if (head.next === null) return undefined;
    head = head.next;
    return takeTick();
  }
  const tick = head.list[bottom];
  head.list[bottom] = undefined;
  head.bottom = (bottom + 1) & kMask;
  return tick;
}

function runTicks() {
  let tick;
  while ((tick = takeTick()) !== undefined) {
    frame.current = tick.context;
    try {
      const { callback, args } = tick;
      if (point.tick !== null) point.tick(callback);
      if (args === undefined) callback();
      else if (args.length === 1) callback(args[0]);
      else callback(...args);
    } catch (error) {
      onUncaught(error);
      return false;
    }
  }
  frame.current = undefined;
  return true;
}

function processTicksAndRejections() {
  do {
    if (!runTicks()) return false;
    words[kTicks] = 0;
    runMicrotasks();
    if (words[kTicks] !== 0) continue;
    if (words[kRejections] === 0 && words[kReported] === 0) return true;
    try {
      processRejections ?? require('internal/process/promises');
      if (!processRejections()) return true;
    } catch (error) {
      onUncaught(error);
      return false;
    }
  } while (true);
}

// Between two timers or two immediates.
function runNextTicks() {
  if (words[kTicks] === 0) runMicrotasks();
  if (words[kTicks] !== 0 || words[kRejections] !== 0 || words[kReported] !== 0) return processTicksAndRejections();
  return true;
}

const resolved = Promise.resolve();
const call = Function.prototype.call.bind(Promise.prototype.then);

function queueMicrotask(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
  const context = frame.current;
  call(resolved, () => {
    const before = frame.current;
    frame.current = context;
    try {
      callback();
    } catch (error) {
      onUncaught(error);
    }
    frame.current = before;
  });
}

internalBinding('runtime').setCallback(0, processTicksAndRejections);

module.exports = { nextTick, queueMicrotask, processTicksAndRejections, runNextTicks, setRejectionProcessor };
