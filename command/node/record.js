'use strict';

// What `rota explain` has the program load first: it writes what was queued where, what ran when, and what was printed
// meanwhile, by async_hooks. Only the main thread of one process writes, into the file that ROTA_EXPLAIN names: each line
// at once, since a signal may end the program.

(function record() {
  const fs = require('fs');
  const hooks = require('async_hooks');
  const { isMainThread } = require('worker_threads');
  const file = process.env.ROTA_EXPLAIN;
  delete process.env.ROTA_EXPLAIN; // of this process alone
  if (file === undefined || !isMainThread) return;

  const MOST = 100000; // lines
  const DEPTH = 30; // frames
  // Frames of functions that only pass on what the program has called.
  const PASSES =
    /^node:(?:async_hooks|timers|internal\/(?:async_hooks|async\/|process\/(?:task_queues|promises)|timers|util))/;
  const INNER = ['TickObject', 'PROMISE', 'Microtask'];
  const { appendFileSync } = fs;
  let count = 0;
  const now = process.hrtime.bigint;
  const { executionAsyncId } = hooks;
  const write = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  const put = (line) => {
    if (++count <= MOST) write({ at: Number(now()), ...line });
    else if (count === MOST + 1) write({ event: 'full' });
  };

  function framesHere() {
    const { stackTraceLimit, prepareStackTrace } = Error;
    const holder = {};
    Error.stackTraceLimit = DEPTH;
    Error.prepareStackTrace = (error, frames) => frames;
    Error.captureStackTrace(holder, framesHere);
    const frames = holder.stack;
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
    return Array.isArray(frames) ? frames : [];
  }

  // Where the program has called: { file, line }. Ticks and promises that the platform makes for itself have no place.
  function placeHere(type) {
    for (const frame of framesHere()) {
      const name = frame.getFileName();
      if (name === null || name === undefined || name === __filename) continue;
      if (name.startsWith('node:')) {
        if (INNER.includes(type) && !PASSES.test(name)) return undefined;
        continue;
      }
      return { file: name, line: frame.getLineNumber() };
    }
    return undefined;
  }

  function nameOf(resource) {
    try {
      const callback = resource._onTimeout ?? resource._onImmediate ?? resource.callback ?? resource.oncomplete;
      return typeof callback === 'function' ? callback.name : undefined;
    } catch {
      return undefined;
    }
  }

  const hook = hooks.createHook({
    init(id, type, trigger, resource) {
      const place = placeHere(type);
      const delay = type === 'Timeout' ? resource._idleTimeout : undefined;
      put({ event: 'init', id, type, trigger, by: executionAsyncId(), name: nameOf(resource), delay, ...place });
    },
    before: (id) => put({ event: 'before', id }),
    promiseResolve: (id) => put({ event: 'resolve', id, by: executionAsyncId() }),
  });

  function watchPrints(stream) {
    const { write } = stream;
    stream.write = function (chunk, ...rest) {
      put({ event: 'print', by: executionAsyncId(), text: String(chunk).slice(0, 200) });
      return Reflect.apply(write, this, [chunk, ...rest]);
    };
  }

  watchPrints(process.stdout);
  watchPrints(process.stderr);
  process.on('exit', () => hook.disable());
  const head = { event: 'program', main: process.argv[1], version: process.version };
  fs.writeFileSync(file, `${JSON.stringify(head)}\n`, { flag: 'wx', mode: 0o600 });
  hook.enable();
})();
