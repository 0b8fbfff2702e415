'use strict';

// process.nextTick. C looks at one shared word to see whether the tick queue has entries.
//
// A callback that throws ends the drain: the rest of the queue waits for the next callback from the loop (an empty
// immediate ensures that there is one). The functions below return false if that happened.

const { words, kTicks, kRejections, kReported, kAgain } = require('internal/process/shared');
const { runMicrotasks, returnsToDrain, isHtmlLoop } = internalBinding('runtime');
const {
  callback: callbacks,
  step: { kFailed, kRan, kLooked },
} = require('internal/shared');
const { onUncaught } = require('internal/process/execution');
const frame = require('internal/async/context');
const point = require('internal/trace/point');

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

function requireFunction(callback) {
  if (typeof callback === 'function') return;
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
}

function nextTick(callback) {
  requireFunction(callback);
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

function runTicks() {
  let tick;
  while ((tick = takeTick()) !== undefined) {
    frame.current = tick.context;
    if (frame.tracker !== null) frame.tracker.enter(tick);
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
    if (frame.tracker !== null) end(tick);
  }
  frame.current = undefined;
  return true;
}

function end(resource) {
  frame.tracker.leave();
  frame.tracker.destroy(resource);
}

// One step of the drain: all ticks, or a check of rejections.
function processStep() {
  if (words[kTicks] !== 0) {
    if (!runTicks()) return kFailed;
    words[kTicks] = 0;
    return kRan;
  }
  try {
    processRejections ?? require('internal/process/promises');
    return processRejections() ? kRan : kLooked;
  } catch (error) {
    onUncaught(error);
    return kFailed;
  }
}

// The drain rule (also in runtime/order/door.c, which says why), for engines whose jobs can be run from inside of
// JavaScript.
function drain() {
  for (let step = kRan; ;) {
    if (words[kTicks] === 0) {
      runMicrotasks();
      frame.current = undefined;
    }
    if (words[kTicks] === 0 && words[kRejections] === 0 && (step === kLooked || words[kReported] === 0)) return kLooked;
    step = processStep();
    if (step === kFailed) return kFailed;
  }
}

// Called between two timers or two immediates, if jobs can be run from inside of JavaScript; returns whether no tick
// has thrown. If they cannot, the caller uses returnForTicks instead: it returns, and continues when `goOn` is called
// with that result.
let waiting;
function returnForTicks(goOn) {
  waiting = goOn;
  words[kAgain] = 1;
}

function resume(good) {
  const goOn = waiting;
  waiting = undefined;
  goOn(good);
}

function runNextTicks() {
  return drain() !== kFailed;
}

// With --loop=html there is no queue of ticks.
function nextTickAsMicrotask(callback, ...args) {
  requireFunction(callback);
  if (process._exiting) return;
  require('internal/process/microtasks').queueMicrotask(args.length === 0 ? callback : () => callback(...args));
}

internalBinding('runtime').setCallback(callbacks.kStep, returnsToDrain ? processStep : drain);

module.exports = {
  nextTick: isHtmlLoop ? nextTickAsMicrotask : nextTick,
  step: returnsToDrain ? processStep : drain,
  runNextTicks,
  returnsToDrain,
  returnForTicks,
  resume,
  setRejectionProcessor,
};
