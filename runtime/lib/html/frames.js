'use strict';

// requestAnimationFrame and requestIdleCallback.
//
// Rendering opportunities, 60 in a second of the loop's clock, and requestAnimationFrame. There is nothing to draw: an
// update of the rendering is the running of animation frame callbacks. A frame that nobody asked for does not happen.

const { now: loopNow } = internalBinding('runtime');
const { now: highResolutionNow } = internalBinding('performance');
const {
  sources,
  newTask,
  queue,
  runSteps,
  addClock,
  updateDue,
  continueWith,
  queueTask,
  earliestDue,
  setIdle,
} = require('internal/html/event_loop');
const { words, kHtmlIdle } = require('internal/process/shared');
const { setTimeout, clearTimeout } = require('internal/html/timers');

const kFrameMs = 1000 / 60;

let waiting = new Map(); // the map of animation frame callbacks: handle -> task
let current = new Map(); // those of the update under way
let lastHandle = 0;
let lastFrame = 0; // the number of the last frame that was updated

const clock = {
  due: 0,
  queueDue() {
    clock.due = 0;
    queue(sources.rendering, newTask(updateTheRendering, updateTheRendering));
  },
};
addClock(clock);

// The time of the next opportunity, on the clock of performance.now.
const nextFrame = () => Math.max(lastFrame, Math.floor(highResolutionNow() / kFrameMs)) + 1;

function ask() {
  clock.due = loopNow() + Math.max(1, Math.ceil(nextFrame() * kFrameMs - highResolutionNow()));
  updateDue();
}

function updateTheRendering() {
  lastFrame = Math.max(lastFrame + 1, Math.floor(highResolutionNow() / kFrameMs));
  current = waiting;
  waiting = new Map();
  if (current.size > 0) continueWith({ next: runNext, isDone: () => current.size === 0 });
}

// One callback, so that a microtask checkpoint follows it.
function runNext() {
  const [entry] = current;
  if (entry === undefined) return; // cancelled meanwhile
  const [handle, task] = entry;
  current.delete(handle);
  runSteps('rendering', task);
}

function requestAnimationFrame(callback) {
  if (typeof callback !== 'function')
    throw new TypeError("Failed to execute 'requestAnimationFrame': The callback is not a function.");
  if (waiting.size === 0) ask();
  const handle = ++lastHandle;
  waiting.set(
    handle,
    newTask(() => callback(lastFrame * kFrameMs), callback),
  );
  return handle;
}

function cancelAnimationFrame(handle) {
  waiting.delete(handle | 0);
  current.delete(handle | 0);
}

// requestIdleCallback: callbacks that run when no task can. An idle period ends with the next timer or frame, or after
// 50 ms; what is asked for in a period waits for the next one.

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
let lastIdleHandle = 0;

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
  const handle = ++lastIdleHandle;
  const request = new IdleRequest(callback);
  asked.set(handle, request);
  count();
  if (options?.timeout > 0) request.timer = setTimeout(runLate, options.timeout, handle);
  return handle;
}

function cancelIdleCallback(handle) {
  take(handle | 0);
}

module.exports = {
  requestAnimationFrame,
  cancelAnimationFrame,
  dueFrame: () => clock.due,
  requestIdleCallback,
  cancelIdleCallback,
  IdleDeadline,
};
