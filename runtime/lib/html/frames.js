'use strict';

// Rendering opportunities, 60 in a second of the loop's clock, and requestAnimationFrame. There is nothing to draw: an
// update of the rendering is the running of animation frame callbacks. A frame that nobody asked for does not happen.

const { now: loopNow } = internalBinding('runtime');
const { now: highResolutionNow } = internalBinding('performance');
const { sources, newTask, queue, runSteps, addClock, updateDue, continueWith } = require('internal/html/event_loop');

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

module.exports = { requestAnimationFrame, cancelAnimationFrame, dueFrame: () => clock.due };
