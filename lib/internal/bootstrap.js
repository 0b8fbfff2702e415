'use strict';

// The first JavaScript to run. It gets the natives as `exports`, makes `require` for built-in modules, the process
// object and the globals, and hands C the functions that it calls. Nothing more is loaded than every program needs:
// the rest comes with the first use of it.

const native = exports;
const words = native.words;

const bindings = new Map();
function internalBindingLoad(name) {
  let binding = bindings.get(name);
  if (binding === undefined) {
    binding = extraBindings[name]?.() ?? native.internalBinding(name);
    bindings.set(name, binding);
  }
  return binding;
}

// Bindings that are made here rather than in C.
const extraBindings = {
  __proto__: null,
  runtime: () => native,
  uv() {
    const uv = native.internalBinding('uv');
    let map;
    uv.getErrorMap = () => (map ??= new Map(uv.errors().map(([errno, name, text]) => [errno, [name, text]])));
    for (const [errno, name] of uv.errors()) uv[`UV_${name}`] = errno;
    uv.errname = (errno) => uv.getErrorMap().get(errno)?.[0] ?? `Unknown system error ${errno}`;
    return uv;
  },
};

const ids = new Set(native.builtinIds());
const cache = new Map();
const process = {};
const primordials = {};

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
