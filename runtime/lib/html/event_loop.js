'use strict';

// Task queues of the HTML event loop.
//
// A task source of the HTML standard, with its task queue: tasks of one source run in the order in
// which they were queued.

const { words, kHtmlTasks, kHtmlDue } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { isScheduled, chooseTask } = internalBinding('steer');
const frame = require('internal/async/context');
const hooks = require('internal/trace/hooks');

class Task {
  next = null;
  number = 0; // the place in the order of all tasks

  // steps: what the task does. callback: the program's function that it calls, for traces.
  constructor(steps, callback, due, context, note) {
    this.steps = steps;
    this.callback = callback;
    this.due = due; // when it should have run, by the loop's clock; 0: whenever
    this.context = context;
    this.note = note;
  }
}

class TaskSource {
  #first = null;
  #last = null;

  constructor(name) {
    this.name = name;
  }

  get first() {
    return this.#first;
  }

  add(task) {
    if (this.#last === null) this.#first = task;
    else this.#last.next = task;
    this.#last = task;
  }

  take() {
    const task = this.#first;
    this.#first = task.next;
    if (this.#first === null) this.#last = null;
    return task;
  }
}

// The event loop of the HTML standard (--loop=html). C calls `step` once in an iteration of the loop; a step is one
// task. The microtask checkpoint after it is the drain of that call (runtime/order/enter.c).
//
// Which of the sources comes next is open in the standard. Without a schedule it is the one with the oldest task; with
// a seed (--schedule-seed) the seed decides.
//
// Invariant: the word kHtmlTasks is the number of steps that could run now.

// The generic task sources of the standard. Each port has a source of its own; files and networking that the poller
// reports do not pass through here.
const sources = {
  timer: new TaskSource('timer'),
  networking: new TaskSource('networking'),
  file: new TaskSource('file'),
  message: new TaskSource('message'),
  domManipulation: new TaskSource('DOM manipulation'),
  userInteraction: new TaskSource('user interaction'),
  immediate: new TaskSource('immediate'),
  rendering: new TaskSource('rendering'),
};

const runnable = new Set(); // sources that have tasks
let numbers = 0;

// ---- queueing ----

function newTask(steps, callback, due = 0) {
  const task = new Task(steps, callback, due, frame.current, hooks.note === null ? 0 : hooks.note(false));
  if (frame.tracker !== null) frame.tracker.create('HTMLTask', task);
  return task;
}

function queue(source, task) {
  task.number = ++numbers;
  source.add(task);
  runnable.add(source);
  words[kHtmlTasks]++;
}

function queueTask(source, steps, callback = steps) {
  queue(source, newTask(steps, callback));
}

// ---- what comes due ----

const clocks = []; // { due: when it wants to be asked, by the loop's clock, or 0; queueDue(now) }

function addClock(clock) {
  clocks.push(clock);
}

// One of them has changed what it waits for.
function updateDue() {
  let earliest = 0;
  for (const { due } of clocks) if (due !== 0 && (earliest === 0 || due < earliest)) earliest = due;
  words[kHtmlDue] = earliest;
}

function queueDue() {
  const due = words[kHtmlDue];
  if (due === 0) return;
  const now = loopNow();
  if (due > now) return;
  for (const clock of clocks) if (clock.due !== 0 && clock.due <= now) clock.queueDue(now);
  updateDue();
}

// ---- running ----

function oldest() {
  let found;
  for (const source of runnable) if (found === undefined || source.first.number < found.first.number) found = source;
  return found;
}

function choose() {
  const usual = oldest();
  if (!isScheduled || runnable.size < 2) return usual;
  const others = [...runnable].filter((source) => source !== usual);
  const choices = [usual, ...others];
  return choices[chooseTask(choices.map(({ name }) => name))];
}

function run(source) {
  const task = source.take();
  if (source.first === null) runnable.delete(source);
  words[kHtmlTasks]--;
  runSteps(source.name, task);
}

function runSteps(lane, task) {
  frame.current = task.context;
  if (frame.tracker !== null) frame.tracker.enter(task);
  if (hooks.task !== null) hooks.task(lane, task.callback, task.due, task.note);
  task.steps();
  if (frame.tracker !== null) {
    frame.tracker.leave();
    frame.tracker.destroy(task);
  }
}

// Something that goes on, callback by callback, before the next task: an update of the rendering. { next(), isDone() }
let underWay = null;

function goOn() {
  try {
    underWay.next();
  } finally {
    if (underWay.isDone()) {
      underWay = null;
      words[kHtmlTasks]--;
    }
  }
}

function continueWith(steps) {
  underWay = steps;
  words[kHtmlTasks]++;
}

let idle = null;

// isIdle: the poller had no events, either.
function step(isIdle) {
  if (underWay !== null) return goOn();
  queueDue();
  const source = choose();
  if (source !== undefined) run(source);
  else if (isIdle && idle !== null) idle();
}

module.exports = {
  Task,
  TaskSource,
  sources,
  newTask,
  queue,
  queueTask,
  runSteps,
  addClock,
  updateDue,
  continueWith,
  earliestDue: () => words[kHtmlDue],
  setIdle(fn) {
    idle = fn;
  },
  step,
};
