'use strict';

// The sources of trace events. A source wraps the functions that it observes when one of its categories is enabled, and
// unwraps them afterwards: a program without tracing pays nothing. `categories` is the text in the events; a source is
// enabled with any of them, as `node` is a part of all.

const { emit, now } = require('internal/trace_events/log');

// Replaces a method by `around(original)`; returns a function that restores it.
function wrap(object, name, around) {
  const original = object[name];
  const shown = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { ...shown, value: around(original) });
  return () => {
    Object.defineProperty(object, name, shown);
  };
}

const endAll = (ends) => () => ends.forEach((end) => end());

// ---- asynchronous resources ----

function startAsyncHooks(cat) {
  const { createHook, executionAsyncId } = require('async_hooks');
  const types = new Map();
  const hook = createHook({
    init(id, type, triggerAsyncId) {
      types.set(id, type);
      emit('b', cat, type, id, { data: { executionAsyncId: executionAsyncId(), triggerAsyncId } });
    },
    before(id) {
      if (types.has(id)) emit('B', cat, `${types.get(id)}_CALLBACK`);
    },
    after(id) {
      if (types.has(id)) emit('E', cat, `${types.get(id)}_CALLBACK`);
    },
    destroy(id) {
      if (types.has(id)) emit('e', cat, types.get(id), id);
      types.delete(id);
    },
  });
  hook.enable();
  return () => hook.disable();
}

// ---- milestones ----

function startBootstrap(cat) {
  const { performance } = require('perf_hooks');
  const { nodeTiming } = performance;
  const origin = now() - performance.now() * 1000;
  const at = (milestone) => Math.round(origin + nodeTiming[milestone] * 1000);
  for (const name of ['nodeStart', 'v8Start', 'environment', 'bootstrapComplete']) {
    if (nodeTiming[name] >= 0) emit('I', cat, name, undefined, {}, at(name));
  }
  const leave = () => {
    for (const name of ['loopStart', 'loopExit'])
      if (nodeTiming[name] > 0) emit('I', cat, name, undefined, {}, at(name));
  };
  process.on('exit', leave);
  return () => process.removeListener('exit', leave);
}

function startEnvironment(cat) {
  emit('b', cat, 'Environment', 1, { args: { args: process.argv, exec_args: process.execArgv } });
  const leave = () => emit('e', cat, 'Environment', 1);
  process.on('exit', leave);
  return () => process.removeListener('exit', leave);
}

// ---- the console ----

function startConsole(cat) {
  const counts = new Map();
  const timing = (ph) => (method) =>
    function (label = 'default', ...rest) {
      emit(ph, cat, `time::${label}`, 0);
      return Reflect.apply(method, this, [label, ...rest]);
    };
  const counting = (next) => (method) =>
    function (label = 'default') {
      const data = next(counts.get(label) ?? 0);
      counts.set(label, data);
      emit('C', cat, `count::${label}`, 0, { data });
      return Reflect.apply(method, this, [label]);
    };
  return endAll([
    wrap(console, 'time', timing('b')),
    wrap(console, 'timeLog', timing('n')),
    wrap(console, 'timeEnd', timing('e')),
    wrap(
      console,
      'count',
      counting((n) => n + 1),
    ),
    wrap(
      console,
      'countReset',
      counting(() => 0),
    ),
  ]);
}

// ---- files ----

// The binding's functions are synchronous if their first argument is -1.
function startFilesNow(cat) {
  const fs = require('fs');
  const { allOperations } = require('internal/fs/operations');
  const told = (name, method, isNow) =>
    function (...given) {
      if (!isNow(given)) return Reflect.apply(method, this, given);
      emit('B', cat, name);
      try {
        return Reflect.apply(method, this, given);
      } finally {
        emit('E', cat, name);
      }
    };
  const always = () => true;
  return endAll([
    ...allOperations().map((operation) =>
      wrap(operation, 'native', (native) => told(`fs.sync.${operation.syscall}`, native, ([id]) => id === -1)),
    ),
    ...[
      ['readSync', 'read'],
      ['writeSync', 'write'],
      ['readFileSync', 'read'],
      ['writeFileSync', 'write'],
    ].map(([name, syscall]) => wrap(fs, name, (method) => told(`fs.sync.${syscall}`, method, always))),
  ]);
}

function startFilesLater(cat) {
  let last = 0;
  return wrap(
    require('internal/fs/operations').Operation.prototype,
    'later',
    (later) =>
      function (callback, ...given) {
        const id = ++last;
        emit('b', cat, this.syscall, id, typeof given[0] === 'string' ? { path: given[0] } : {});
        Reflect.apply(later, this, [
          (error, ...results) => {
            emit('e', cat, this.syscall, id, { result: error === null ? 0 : error.errno });
            callback(error, ...results);
          },
          ...given,
        ]);
      },
  );
}

// ---- modules ----

function startModules(cat) {
  return wrap(
    require('module').prototype,
    'require',
    (load) =>
      function (id) {
        const name = `require('${id}')`;
        emit('b', cat, name, 0);
        try {
          return Reflect.apply(load, this, [id]);
        } finally {
          emit('e', cat, name, 0);
        }
      },
  );
}

// ---- diagnostics channels ----

function listen(pairs) {
  const { subscribe, unsubscribe } = require('diagnostics_channel');
  for (const [name, listener] of pairs) subscribe(name, listener);
  return () => pairs.forEach(([name, listener]) => unsubscribe(name, listener));
}

function startHttp(cat) {
  const ids = new WeakMap();
  let last = 0;
  const begin =
    (name) =>
    ({ request }) => {
      ids.set(request, ++last);
      emit('b', cat, name, last);
    };
  const end =
    (name, about) =>
    ({ request, response }) => {
      if (ids.has(request))
        emit('e', cat, name, ids.get(request), { data: { ...about(request), statusCode: response.statusCode } });
    };
  return listen([
    ['http.client.request.start', begin('http.client.request')],
    ['http.client.response.finish', end('http.client.request', ({ path }) => ({ path }))],
    ['http.server.request.start', begin('http.server.request')],
    ['http.server.response.finish', end('http.server.request', ({ url }) => ({ url }))],
  ]);
}

// ---- measurements ----

// Marks and measures, or timed functions; `kinds` are those of a PerformanceObserver.
const startPerformance = (kinds) => (cat) => {
  const { PerformanceObserver, performance } = require('perf_hooks');
  const tell = (entries) => {
    const origin = now() - performance.now() * 1000;
    for (const { name, entryType, startTime, duration } of entries) {
      const begin = Math.round(origin + startTime * 1000);
      if (entryType === 'mark') emit('I', cat, name, undefined, {}, begin);
      else emit('X', cat, name, undefined, {}, begin, Math.round(duration * 1000));
    }
  };
  const observer = new PerformanceObserver((list) => tell(list.getEntries()));
  observer.observe({ entryTypes: kinds });
  const leave = () => tell(observer.takeRecords());
  process.on('exit', leave);
  return () => {
    leave();
    observer.disconnect();
    process.removeListener('exit', leave);
  };
};

// ---- scripts ----

function startScripts(cat) {
  const { prototype } = require('vm').Script;
  const running = (method) =>
    function (...given) {
      const began = now();
      try {
        return Reflect.apply(method, this, given);
      } finally {
        emit('X', cat, 'RunInContext', undefined, {}, began, now() - began);
      }
    };
  return endAll(['runInContext', 'runInThisContext', 'runInNewContext'].map((name) => wrap(prototype, name, running)));
}

module.exports = [
  ['node,node.environment', startEnvironment],
  ['node,node.bootstrap', startBootstrap],
  ['node,node.async_hooks', startAsyncHooks],
  ['node,node.console', startConsole],
  ['node,node.fs,node.fs.sync', startFilesNow],
  ['node,node.fs,node.fs.async', startFilesLater],
  ['node,node.http', startHttp],
  ['node,node.module_timer', startModules],
  ['node.perf,node.perf.usertiming', startPerformance(['mark', 'measure'])],
  ['node.perf,node.perf.timerify', startPerformance(['function'])],
  ['node,node.vm,node.vm.script', startScripts],
];
