// A module runs in a job: outside of all callbacks, as its jobs and those of timers do. What is destroyed last is told
// although nothing keeps the loop alive.
import { createHook, executionAsyncId, triggerAsyncId } from 'node:async_hooks';
import { writeSync } from 'node:fs';
const log = (name) => writeSync(1, `${name} ${executionAsyncId()} ${triggerAsyncId()}\n`);
log('module');
queueMicrotask(() => log('microtask'));
await 1;
log('awaited');
setTimeout(async () => {
  await 1;
  log('in a timer');
  createHook({ init() {}, destroy: () => writeSync(1, 'destroyed\n'), trackPromises: false }).enable();
  setImmediate(() => {});
}, 1);
