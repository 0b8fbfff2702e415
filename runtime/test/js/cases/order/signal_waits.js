'use strict';

// How many jobs pass until a wait with a signal sees its end, and an abort.
const { setTimeout: timeout, setImmediate: immediate, setInterval: interval, scheduler } = require('timers/promises');

let jobs = 0;
const count = () => { if (++jobs < 40) queueMicrotask(count); };
const start = () => {
  jobs = 0;
  queueMicrotask(count);
};
// Counts from when a promise is resolved with it.
function value() {
  let seen = false;
  return { get then() { if (!seen) start(); seen = true; return undefined; } };
}
const abortLater = (wait) => {
  const controller = new AbortController();
  setImmediate(() => {
    start();
    controller.abort();
  });
  return wait({ signal: controller.signal });
};
const { signal } = new AbortController();

const waits = {
  'immediate': () => immediate(value()),
  'immediate, signal': () => immediate(value(), { signal }),
  'timeout': () => timeout(1, value()),
  'timeout, signal': () => timeout(1, value(), { signal }),
  'immediate, aborted': () => abortLater((options) => immediate(1, options)),
  'timeout, aborted': () => abortLater((options) => timeout(100000, 1, options)),
  'wait, aborted': () => abortLater((options) => scheduler.wait(100000, options)),
  'interval, aborted': () => abortLater((options) => interval(100000, 1, options).next()),
  'aborted before': () => { start(); return timeout(1, 1, { signal: AbortSignal.abort() }); },
  'interval, aborted before': () => { start(); return interval(1, 1, { signal: AbortSignal.abort() }).next(); },
};

(async () => {
  for (const [name, wait] of Object.entries(waits)) {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => wait().then(() => console.log(name, jobs), (error) => console.log(name, jobs, error.code)).then(resolve));
  }
})();
