'use strict';
// The events of hooks for ticks, timers, immediates and resources of the program.
const { createHook, executionAsyncId, triggerAsyncId, AsyncResource } = require('async_hooks');
const names = new Map();
const log = [];
const hook = createHook({
  init(id, type, trigger) {
    if (!['TickObject', 'Timeout', 'Immediate', 'Microtask', 'MINE'].includes(type)) return;
    names.set(id, `${type}${[...names.values()].filter((name) => name.startsWith(type)).length}`);
    log.push(`init ${names.get(id)} by ${names.get(trigger) ?? trigger}`);
  },
  before(id) { if (names.has(id)) log.push(`before ${names.get(id)}`); },
  after(id) { if (names.has(id)) log.push(`after ${names.get(id)}`); },
  destroy(id) { if (names.has(id)) log.push(`destroy ${names.get(id)}`); },
  trackPromises: false,
}).enable();

process.nextTick(() => {
  log.push(`${names.get(executionAsyncId())} of ${triggerAsyncId()}`);
  setImmediate(() => log.push(names.get(executionAsyncId())));
});
setTimeout(() => {
  log.push(names.get(executionAsyncId()));
  new AsyncResource('MINE', { requireManualDestroy: true }).runInAsyncScope(() => log.push(names.get(executionAsyncId()))).toString();
  setImmediate(() => {
    hook.disable();
    console.log(log.join('\n'));
  });
}, 5);
clearTimeout(setTimeout(() => {}, 10));
for (let i = 0; i < 20000; i++) {
  if (i === 0) hook.disable();
  process.nextTick((value) => { if (value === 19999) hook.enable(); }, i);
}
