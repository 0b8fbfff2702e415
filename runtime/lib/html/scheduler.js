'use strict';

// scheduler.postTask and scheduler.yield (Prioritized Task Scheduling). Of these tasks, only those of the
// highest priority can run; continuations come before tasks of their priority. A priority cannot be changed
// later: there is no TaskController.

const { words, kHtmlPriority } = require('internal/process/shared');
const { TaskSource, newTask, queue } = require('internal/html/event_loop');
const { setTimeout, clearTimeout } = require('internal/html/timers');

const kPriorities = ['user-blocking', 'user-visible', 'background'];

// For each priority the continuations, then the tasks.
class SchedulerSource extends TaskSource {
  #queues = Array.from({ length: 2 * kPriorities.length }, () => new TaskSource('scheduler'));

  constructor() {
    super('scheduler');
  }

  get first() {
    return this.#next()?.first ?? null;
  }

  #next() {
    return this.#queues.find(({ first }) => first !== null);
  }

  add(task) {
    this.#queues[task.place].add(task);
  }

  take() {
    return this.#next().take();
  }
}

const source = new SchedulerSource();
function queueAt(place, steps, callback) {
  const task = newTask(steps, callback);
  task.place = place;
  queue(source, task);
}

class Scheduler {
  postTask(callback, { priority = 'user-visible', delay = 0, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (typeof callback !== 'function') throw new TypeError('The callback is not a function.');
      const at = kPriorities.indexOf(priority);
      if (at < 0)
        throw new TypeError(`The provided value '${priority}' is not a valid enum value of type TaskPriority.`);
      signal?.throwIfAborted();
      let isOver = false;
      let timer = 0;
      const run = () => {
        if (isOver) return;
        isOver = true;
        signal?.removeEventListener('abort', abort);
        words[kHtmlPriority] = at + 1;
        try {
          resolve(callback());
        } catch (error) {
          reject(error);
        }
      };
      function abort() {
        isOver = true;
        clearTimeout(timer);
        reject(signal.reason);
      }
      signal?.addEventListener('abort', abort, { once: true });
      if (delay > 0) timer = setTimeout(() => queueAt(2 * at + 1, run, callback), delay);
      else queueAt(2 * at + 1, run, callback);
    });
  }

  // A continuation has the priority of the task that asks for it.
  yield() {
    const at = words[kHtmlPriority] === 0 ? kPriorities.indexOf('user-visible') : words[kHtmlPriority] - 1;
    return new Promise((resolve) => {
      const run = () => {
        words[kHtmlPriority] = at + 1;
        resolve();
      };
      queueAt(2 * at, run, resolve);
    });
  }
}
Object.defineProperty(Scheduler.prototype, Symbol.toStringTag, { value: 'Scheduler', configurable: true });

module.exports = { Scheduler, scheduler: new Scheduler() };
