'use strict';

// setTimeout and setInterval by the HTML standard: numbers instead of objects, 0 stays 0, and what is nested deeper
// than five levels takes at least 4 ms.

const { words, kHtmlLevel } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { sources, newTask, queue, addClock, updateDue } = require('internal/html/event_loop');

const kDeepest = 5;
const kClampedMs = 4;

const active = new Map(); // the map of setTimeout and setInterval IDs
const heap = [undefined]; // timers that wait, from 1: by due time, then by start
let lastId = 0;
let starts = 0;

class Timer {
  due = 0;
  start = 0;
  level = 0;
  task = undefined;

  constructor(id, handler, timeout, args, repeats) {
    this.id = id;
    this.handler = handler;
    this.timeout = timeout;
    this.args = args;
    this.repeats = repeats;
  }
}

// ---- the heap ----

const precedes = (a, b) => a.due < b.due || (a.due === b.due && a.start < b.start);

function push(timer) {
  let place = heap.length;
  for (let parent = place >> 1; parent > 0 && precedes(timer, heap[parent]); parent = place >> 1) {
    heap[place] = heap[parent];
    place = parent;
  }
  heap[place] = timer;
}

function pop() {
  const first = heap[1];
  const last = heap.pop();
  if (heap.length === 1) return first;
  let place = 1;
  for (let child = 2; child < heap.length; child = place << 1) {
    if (child + 1 < heap.length && precedes(heap[child + 1], heap[child])) child++;
    if (!precedes(heap[child], last)) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = last;
  return first;
}

// Those that were cleared leave when they are first.
function dropCleared() {
  while (heap.length > 1 && active.get(heap[1].id) !== heap[1]) pop();
}

const clock = {
  get due() {
    return heap.length > 1 ? heap[1].due : 0;
  },
  queueDue(now) {
    while (heap.length > 1 && heap[1].due <= now) {
      const timer = pop();
      if (active.get(timer.id) === timer) queue(sources.timer, timer.task);
    }
    dropCleared();
  },
};
addClock(clock);

// ---- starting and running ----

// The timer initialization steps, from where the nesting level is known.
function start(timer) {
  const level = words[kHtmlLevel];
  const timeout = level > kDeepest && timer.timeout < kClampedMs ? kClampedMs : timer.timeout;
  timer.level = level + 1;
  timer.start = ++starts;
  timer.due = loopNow() + timeout;
  timer.task = newTask(() => run(timer), timer.handler, timer.due);
  if (timeout === 0) {
    queue(sources.timer, timer.task);
    return;
  }
  push(timer);
  updateDue();
}

function run(timer) {
  if (active.get(timer.id) !== timer) return;
  words[kHtmlLevel] = timer.level;
  try {
    if (typeof timer.handler === 'function') Reflect.apply(timer.handler, globalThis, timer.args);
    else (0, eval)(`${timer.handler}`); // the standard allows text
  } finally {
    if (active.get(timer.id) === timer) {
      if (timer.repeats) start(timer);
      else active.delete(timer.id);
    }
  }
}

function set(handler, timeout, args, repeats) {
  const timer = new Timer(++lastId, handler, Math.max(0, timeout | 0), args, repeats);
  active.set(timer.id, timer);
  start(timer);
  return timer.id;
}

function requireHandler(name, count) {
  if (count === 0) throw new TypeError(`Failed to execute '${name}': 1 argument required, but only 0 present.`);
}

function setTimeout(handler, timeout, ...args) {
  requireHandler('setTimeout', arguments.length);
  return set(handler, timeout, args, false);
}

function setInterval(handler, timeout, ...args) {
  requireHandler('setInterval', arguments.length);
  return set(handler, timeout, args, true);
}

function clearTimeout(id) {
  if (!active.delete(id | 0)) return;
  dropCleared();
  updateDue();
}

function clearInterval(id) {
  clearTimeout(id);
}

module.exports = { setTimeout, setInterval, clearTimeout, clearInterval };
