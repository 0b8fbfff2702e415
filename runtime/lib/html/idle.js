'use strict';

// requestIdleCallback: callbacks that run when no task can. An idle period ends with the next timer or frame, or after
// 50 ms; what is asked for in a period waits for the next one.

const { words, kHtmlIdle } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { now: highResolutionNow } = internalBinding('performance');
const { sources, newTask, queueTask, runSteps, earliestDue, setIdle } = require('internal/html/event_loop');
const { setTimeout, clearTimeout } = require('internal/html/timers');

const kLongestMs = 50;

class IdleRequest {
  constructor(callback) {
    this.callback = callback;
    this.task = newTask(() => callback(new IdleDeadline(false)), callback);
    this.timer = 0;
  }
}

let asked = new Map(); // the list of idle request callbacks: handle -> IdleRequest
let period = new Map(); // the list of runnable idle callbacks
let deadline = 0; // of the period
let lastHandle = 0;

class IdleDeadline {
  #didTimeout;

  constructor(didTimeout) {
    this.#didTimeout = didTimeout;
  }

  get didTimeout() {
    return this.#didTimeout;
  }

  timeRemaining() {
    return this.#didTimeout ? 0 : Math.max(0, deadline - highResolutionNow());
  }
}
Object.defineProperty(IdleDeadline.prototype, Symbol.toStringTag, { value: 'IdleDeadline', configurable: true });

function count() {
  words[kHtmlIdle] = asked.size + period.size;
}

function beginPeriod() {
  period = new Map([...period, ...asked]);
  asked = new Map();
  const due = earliestDue();
  deadline = highResolutionNow() + (due === 0 ? kLongestMs : Math.min(kLongestMs, due - loopNow()));
}

function take(handle) {
  const request = period.get(handle) ?? asked.get(handle);
  if (request === undefined) return undefined;
  period.delete(handle);
  asked.delete(handle);
  if (request.timer !== 0) clearTimeout(request.timer);
  count();
  return request;
}

// The loop is idle: one callback.
function runOne() {
  if (period.size === 0 || highResolutionNow() >= deadline) beginPeriod();
  const [handle] = period.keys();
  runSteps('idle', take(handle).task);
}
setIdle(runOne);

function runLate(handle) {
  const request = take(handle);
  if (request === undefined) return;
  queueTask(sources.timer, () => request.callback(new IdleDeadline(true)), request.callback);
}

function requestIdleCallback(callback, options = undefined) {
  if (typeof callback !== 'function')
    throw new TypeError("Failed to execute 'requestIdleCallback': The callback is not a function.");
  const handle = ++lastHandle;
  const request = new IdleRequest(callback);
  asked.set(handle, request);
  count();
  if (options?.timeout > 0) request.timer = setTimeout(runLate, options.timeout, handle);
  return handle;
}

function cancelIdleCallback(handle) {
  take(handle | 0);
}

module.exports = { requestIdleCallback, cancelIdleCallback, IdleDeadline };
