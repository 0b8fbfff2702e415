'use strict';

// Which asynchronous context a callback of an addon finds.

const { AsyncLocalStorage } = require('async_hooks');
const addon = require(process.argv[2].replace('context', 'order'));
const storage = new AsyncLocalStorage();
const show = (name) => () => {
  console.log(name, storage.getStore());
  process.nextTick(() => console.log(name, 'tick', storage.getStore()));
  Promise.resolve().then(() => console.log(name, 'micro', storage.getStore()));
};
const steps = [
  () => addon.work(show('work'), 1),
  () => addon.timer(1, 0, show('call')),
  () => addon.timer(1, 1, show('make callback')),
  () => addon.timer(1, 2, show('scope')),
  () => addon.makeCallback(show('make callback at once')),
  () => addon.call(show('call at once')),
  () => addon.threadsafe(show('thread'), 1, 0, show('finished')),
  () => addon.promiseWork().then(show('promise')),
  async () => show(await addon.promiseWork())(),
];

(function next(i) {
  if (i === steps.length) return;
  storage.run(`frame ${i}`, steps[i]);
  console.log('outside', storage.getStore());
  setTimeout(next, 50, i + 1);
})(0);
