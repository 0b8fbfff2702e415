'use strict';
// queueMicrotask as a resource: the events of its hooks, also of a callback that throws, and what runs outside of all
// callbacks. What is destroyed last is told before 'beforeExit'.
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId, executionAsyncResource, triggerAsyncId } = require('async_hooks');
const { writeSync } = require('fs');
const log = (...words) => writeSync(1, `${words.join(' ')}\n`);
const names = new Map();
const nameOf = (id) => (id < 2 ? id : (names.get(id) ?? '?'));
const where = () => `${nameOf(executionAsyncId())} by ${nameOf(triggerAsyncId())}`;

log('script', where());
queueMicrotask(() => log('queued before the hook', where()));
const hook = createHook({
  init(id, type, trigger, resource) {
    names.set(id, `${type}${names.size}`);
    log('init', nameOf(id), 'by', nameOf(trigger), 'in', nameOf(executionAsyncId()));
    if (type === 'Microtask') log(' ', resource instanceof AsyncResource, resource.asyncId() === id, Object.keys(resource));
  },
  before: (id) => log('before', nameOf(id)),
  after: (id) => log('after', nameOf(id)),
  destroy: (id) => log('destroy', nameOf(id)),
  trackPromises: process.argv[2] === 'promises',
}).enable();
process.on('uncaughtException', (error, origin) => log('uncaught', error.message, origin, where()));
process.on('beforeExit', () => log('beforeExit', where()));
process.on('exit', () => log('exit', where()));

queueMicrotask(() => {
  log('first', where(), Object.keys(executionAsyncResource()));
  queueMicrotask(() => log('nested', where()));
});
queueMicrotask(() => { throw new Error('thrown'); });
new AsyncLocalStorage().run(5, () => queueMicrotask(() => log('with a store', where())));
new AsyncResource('MINE', { requireManualDestroy: true }).runInAsyncScope(() => queueMicrotask(() => log('of mine', where())));
(async () => {
  await 1;
  log('awaited', where());
  queueMicrotask(() => log('after await', where()));
})();
// A timer that were due in the same iteration would come before the next destroys.
setImmediate(() => setImmediate(() => setTimeout(inTimer, 100)));
function inTimer() {
  process.nextTick(() => queueMicrotask(() => log('of a tick', where())));
  queueMicrotask(() => { throw new Error('in a timer'); });
  setImmediate(() => queueMicrotask(() => {
    log('of an immediate', where());
    setImmediate(() => setTimeout(withoutHook, 100));
  }));
}
function withoutHook() {
  hook.disable();
  queueMicrotask(() => log('without the hook', where()));
  setImmediate(() => {
    hook.enable();
    setImmediate(() => queueMicrotask(() => log('last')));
  });
}
