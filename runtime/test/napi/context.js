'use strict';

// Which asynchronous context a callback of an addon finds.

const { AsyncLocalStorage } = require('async_hooks');
const addon = require(process.argv[2].replace('context', 'order'));
const storage = new AsyncLocalStorage();
let calls = 0;
const show = (name) => () => {
  calls++;
  console.log(name, storage.getStore());
  process.nextTick(() => console.log(name, 'tick', storage.getStore()));
  Promise.resolve().then(() => console.log(name, 'micro', storage.getStore()));
};
// What is done, and how many calls it makes.
const steps = [
  [() => addon.work(show('work'), 1), 1],
  [() => addon.timer(1, 0, show('call')), 1],
  [() => addon.timer(1, 1, show('make callback')), 1],
  [() => addon.timer(1, 2, show('scope')), 2],
  [() => addon.makeCallback(show('make callback at once')), 1],
  [() => addon.call(show('call at once')), 1],
  [() => addon.threadsafe(show('thread'), 1, 0, show('finished')), 2],
  [() => addon.promiseWork().then(show('promise')), 1],
  [async () => show(await addon.promiseWork())(), 1],
];

// The next step comes with a timer after all calls of this one, however long its threads take.
function after(made, callback) {
  setTimeout(() => (calls < made ? after(made, callback) : callback()), 50);
}

(function next(i) {
  if (i === steps.length) return;
  const [step, count] = steps[i];
  const made = calls + count;
  storage.run(`frame ${i}`, step);
  console.log('outside', storage.getStore());
  after(made, () => next(i + 1));
})(0);
