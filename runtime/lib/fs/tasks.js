'use strict';

// A task is a generator that yields steps, `[operation, ...arguments]`, and gets their results or their errors. An
// operation of many steps (removing a tree, copying one, resolving a path) is written once as a task, and run
// synchronously or through the loop.

function runNow(task) {
  let turn = task.next();
  while (!turn.done) {
    const [operation, x, y, z, v, w] = turn.value;
    let value;
    try {
      value = operation.now(x, y, z, v, w);
    } catch (error) {
      turn = task.throw(error);
      continue;
    }
    turn = task.next(value);
  }
  return turn.value;
}

// callback(error), or callback(null, result); never before this function has returned, as each step is asynchronous. A
// task without steps ends in the next tick.
function runLater(task, callback) {
  let waited = false;
  const report = (error, value) => {
    if (error !== null) callback(error);
    else if (value === undefined) callback(null);
    else callback(null, value);
  };
  const settle = (error, value) => {
    if (waited) report(error, value);
    else process.nextTick(report, error, value);
  };
  const advance = (error, value) => {
    let turn;
    try {
      turn = error === null ? task.next(value) : task.throw(error);
    } catch (failure) {
      settle(failure);
      return;
    }
    if (turn.done) {
      settle(null, turn.value);
      return;
    }
    const step = turn.value;
    if (step instanceof Promise) {
      step.then((result) => resume(null, result), resume);
      return;
    }
    step[0].later(resume, step[1], step[2], step[3], step[4], step[5]);
  };
  const resume = (error, value) => {
    waited = true;
    advance(error, value);
  };
  advance(null, undefined);
}

function runPromise(task) {
  return new Promise((resolve, reject) => {
    runLater(task, (error, value) => (error === null ? resolve(value) : reject(error)));
  });
}

// A step that waits, for tasks that try again.
const pause = {
  now(milliseconds) {
    require('internal/util').sleep(milliseconds);
  },
  later(callback, milliseconds) {
    setTimeout(callback, milliseconds, null);
  },
};

module.exports = { pause, runLater, runNow, runPromise };
