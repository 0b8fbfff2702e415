'use strict';

// A task source of the HTML standard, with its task queue: tasks of one source run in the order in which they were
// queued.

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

module.exports = { Task, TaskSource };
