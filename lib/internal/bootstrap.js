'use strict';

// The first JavaScript to run. It gets the natives as `exports`, makes `require` for built-in modules, the process
// object and the globals, and hands C the functions that it calls. Nothing more is loaded than every program needs:
// the rest comes with the first use of it.

const native = exports;

const bindings = new Map();
function internalBindingLoad(name) {
  let binding = bindings.get(name);
  if (binding === undefined) {
    // A name without a C side is an empty object: who asks uses what there is.
    binding = name === 'runtime' ? native : native.internalBinding(name) ?? {};
    bindings.set(name, binding);
    requireBuiltin('internal/process/bindings')[name]?.(binding);
  }
  return binding;
}

const ids = new Set(native.builtinIds());
const cache = new Map();
process = {};
primordials = {};

function requireBuiltin(id) {
  let module = cache.get(id);
  if (module !== undefined) return module.exports;
  const compiled = native.compileBuiltin(id);
  if (compiled === undefined) throw new Error(`No such built-in module: ${id}`);
  module = { id, exports: {}, loaded: false };
  cache.set(id, module);
  compiled(module.exports, requireBuiltin, module, process, internalBindingLoad, primordials);
  module.loaded = true;
  return module.exports;
}

native.requireBuiltin = requireBuiltin;
native.builtinSet = ids;
native.builtinCache = cache;

requireBuiltin('internal/process/stacks').install();
requireBuiltin('internal/process/object').install(process, native);
const queues = requireBuiltin('internal/process/task_queues');
const promises = requireBuiltin('internal/process/promises');
const timers = requireBuiltin('internal/timers');
const execution = requireBuiltin('internal/process/execution');

process.nextTick = queues.nextTick;
native.setRejectionCallback(promises.onRejection);
requireBuiltin('internal/process/globals').install(globalThis, process);

native.setCallbacks(
  queues.processTicksAndRejections,
  timers.processTimers,
  timers.processImmediates,
  execution.onUncaught,
  () => requireBuiltin('internal/process/main').run(),
  execution.emitBeforeExit,
  execution.emitExit,
);
