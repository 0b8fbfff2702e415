'use strict';

// process.nextTick. C looks at one shared word to see whether the tick queue has entries.
//
// After a tick that throws, the rest of the queue waits for the next callback from the loop (an empty immediate ensures
// that there is one).

const { words, kTicks, kRejections, kReported, kContinues } = require('internal/process/shared');
const { runMicrotasks, returnsToDrain, isHtmlLoop } = internalBinding('runtime');
const {
  callback: callbacks,
  drain: { kFailed, kDone, kMicrotasks },
} = require('internal/shared');
const { onUncaught } = require('internal/process/execution');
const frame = require('internal/async/context');
const hooks = require('internal/trace/hooks');

let processRejections; // set by internal/process/promises
function setRejectionProcessor(fn) {
  processRejections = fn;
}

// An array with a read and a write position. Both start again whenever it is empty, so it stays small in most programs.
const queue = [];
let reading = 0;
let writing = 0;

class TickObject {
  constructor(callback, args, context) {
    this.callback = callback;
    this.args = args;
    this.context = context;
  }
}

function nextTick(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  if (process._exiting) return;
  const tick = new TickObject(callback, undefined, frame.current);
  const count = arguments.length;
  if (count === 2) tick.args = [arguments[1]];
  else if (count > 2) tick.args = Array.prototype.slice.call(arguments, 1);
  queue[writing++] = tick;
  words[kTicks] = 1;
  if (frame.tracker !== null) frame.tracker.create('TickObject', tick);
}

function takeTick() {
  if (reading === writing) return undefined;
  const tick = queue[reading];
  queue[reading++] = undefined;
  if (reading === writing) reading = writing = 0;
  else if (reading > 8192 && reading * 2 > writing) moveToFront();
  return tick;
}

function moveToFront() {
  queue.copyWithin(0, reading, writing);
  writing -= reading;
  reading = 0;
  queue.length = writing;
}

// Whether none has thrown.
function runTicks() {
  let tick;
  while ((tick = takeTick()) !== undefined) {
    frame.current = tick.context;
    if (frame.tracker !== null) frame.tracker.enter(tick);
    try {
      const { callback, args } = tick;
      if (hooks.tick !== null) hooks.tick(callback);
      if (args === undefined) callback();
      else if (args.length === 1) callback(args[0]);
      else callback(...args);
    } catch (error) {
      onUncaught(error);
      return false;
    }
    if (frame.tracker !== null) end(tick);
  }
  frame.current = undefined;
  return true;
}

function end(resource) {
  frame.tracker.leave();
  frame.tracker.destroy(resource);
}

// The drain rule: ticks until there are none, microtasks until there are none, again while either made more; then
// unhandled rejections, whose listeners may make more of both. A tick that throws ends the drain.
//
// C calls this after each of its callbacks that has left more than microtasks (runtime/order/enter.c). `drainBefore`
// calls it between two callbacks.
function drain() {
  for (let looked = false; ;) {
    if (words[kTicks] === 0) {
      runMicrotasks();
      frame.current = undefined;
    }
    if (words[kTicks] !== 0) {
      if (!runTicks()) return kFailed;
      words[kTicks] = 0;
      looked = false;
    } else if (words[kRejections] !== 0 || (words[kReported] !== 0 && !looked)) {
      try {
        processRejections ?? require('internal/process/promises');
        looked = !processRejections();
      } catch (error) {
        onUncaught(error);
        return kFailed;
      }
    } else {
      return kDone;
    }
    if (returnsToDrain && !looked) return kMicrotasks;
  }
}

// Some engines run microtasks only after JavaScript has returned to C. There a function that calls several callbacks
// returns after each of them, and continues after the drain.
let continuation;

function drainAndContinue() {
  const result = drain();
  if (result === kMicrotasks || continuation === undefined) return result;
  const { goOn, a, b } = continuation;
  continuation = undefined;
  words[kContinues] = 0;
  goOn(a, b, result === kFailed);
  return kMicrotasks;
}

// For a function that calls several callbacks, between two of them. If the result is kMicrotasks, the function must
// return at once: the drain follows, and then the call goOn(a, b, whether a tick has thrown).
function drainBefore(goOn, a, b) {
  if (!returnsToDrain) return drain();
  continuation = { goOn, a, b };
  words[kContinues] = 1;
  return kMicrotasks;
}

// With --loop=html there is no queue of ticks.
function nextTickAsMicrotask(callback, ...args) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  if (process._exiting) return;
  require('internal/process/microtasks').queueMicrotask(args.length === 0 ? callback : () => callback(...args));
}

const drainFromC = returnsToDrain ? drainAndContinue : drain;
internalBinding('runtime').setCallback(callbacks.kDrain, drainFromC);

module.exports = {
  nextTick: isHtmlLoop ? nextTickAsMicrotask : nextTick,
  drain: drainFromC,
  drainBefore,
  setRejectionProcessor,
};
