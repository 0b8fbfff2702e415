'use strict';

// The first JavaScript to run. It gets the natives as `exports`, makes `require` for built-in modules, and defines the
// globals as accessors: what a program does not use is never compiled. A plain CommonJS script that prints a line runs
// with little more than this file.

const native = exports;
const global = globalThis;

// ---- built-in modules and bindings ----

const bindings = new Map();
function internalBindingLoad(name) {
  let binding = bindings.get(name);
  if (binding === undefined) {
    // A name without a C side gives an empty object.
    binding = name === 'runtime' ? native : (native.internalBinding(name) ?? {});
    bindings.set(name, binding);
    if (name !== 'runtime' && name !== 'process' && name !== 'modules' && name !== 'stdio') {
      requireBuiltin('internal/process/bindings')[name]?.(binding);
    }
  }
  return binding;
}

const cache = new Map();
process = { _exiting: false };
primordials = {};

const timerNames = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'];
let nodeTimers;

// With --loop=html, modules get the timers of Node (runtime/order/builtin.c).
function compileBuiltin(id) {
  const compiled = native.compileBuiltin(id);
  if (!native.isHtmlLoop || compiled === undefined) return compiled;
  nodeTimers ??= timerNames.map(
    (name) =>
      (...args) =>
        requireBuiltin(name.endsWith('Immediate') ? 'internal/timers/immediates' : 'internal/timers')[name](...args),
  );
  return compiled(...nodeTimers);
}

function requireBuiltin(id) {
  let module = cache.get(id);
  if (module !== undefined) return module.exports;
  native.loads(1); // a module is loaded completely: no time limit ends the load
  try {
    const compiled = compileBuiltin(id);
    if (compiled === undefined) throw new Error(`No such built-in module: ${id}`);
    module = { id, exports: {}, loaded: false };
    cache.set(id, module);
    const require = id.startsWith('internal/deps/')
      ? requireBuiltin('internal/modules/embedded_package').requireFrom(id)
      : requireBuiltin;
    compiled(module.exports, require, module, process, internalBindingLoad, primordials);
    module.loaded = true;
  } finally {
    native.loads(-1);
  }
  if (native.whenLoaded !== undefined) native.whenLoaded(id, module.exports); // internal/trace/install
  return module.exports;
}

native.requireBuiltin = requireBuiltin;
native.builtinCache = cache;

function define(name, value, enumerable) {
  Object.defineProperty(global, name, { value, writable: true, configurable: true, enumerable });
}

// An accessor that becomes a plain property when it is first read or written.
function lazily(name, load, enumerable = false) {
  Object.defineProperty(global, name, {
    get() {
      const value = load(name);
      define(name, value, enumerable);
      return value;
    },
    set(value) {
      define(name, value, enumerable);
    },
    configurable: true,
    enumerable,
  });
}
native.lazily = lazily;

// An object whose real prototype is set with the first look-up of a missing property.
function hollow(object, fill) {
  Object.setPrototypeOf(
    object,
    new Proxy(
      { __proto__: null },
      {
        get(_, key) {
          fill();
          return object[key];
        },
        set(_, key, value) {
          fill();
          object[key] = value;
          return true;
        },
        has(_, key) {
          fill();
          return key in object;
        },
        getPrototypeOf() {
          fill();
          return Object.getPrototypeOf(object);
        },
      },
    ),
  );
}

// ---- process ----

native.processFilled = false;
function fillProcess() {
  if (native.processFilled) return;
  native.processFilled = true;
  Object.setPrototypeOf(process, Object.prototype);
  requireBuiltin('internal/process/object').install(process, native);
  Object.defineProperty(process, 'rota', {
    get: () => requireBuiltin('internal/trace/metrics'),
    configurable: true,
    enumerable: false,
  });
}
hollow(process, fillProcess);
lazily('process', () => {
  fillProcess();
  return process;
});

// ---- globals ----

function wrapErrors(name) {
  requireBuiltin('internal/errors/stacks').install();
  return global[name];
}
native.Function = Function; // for code of ours, also if programs may not make functions from texts
// The constructors of errors; the first is the base of the others.
native.errorNames = [
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'AggregateError',
];
for (const name of native.errorNames) native[name] = global[name];

// The engine's errors do not say what is wrong with a text, or where a cycle is: only code that has the text can find
// out.
const parseText = JSON.parse;
const stringifyValue = JSON.stringify;
Object.defineProperty(JSON, 'parse', {
  value: {
    parse(text, reviver) {
      try {
        return parseText(text, reviver);
      } catch (error) {
        throw requireBuiltin('internal/errors/json_text').ofParse(error, text);
      }
    },
  }.parse,
});
Object.defineProperty(JSON, 'stringify', {
  value: {
    stringify(value, replacer, space) {
      try {
        return stringifyValue(value, replacer, space);
      } catch (error) {
        throw requireBuiltin('internal/errors/json_text').ofStringify(error, value);
      }
    },
  }.stringify,
});

Object.defineProperty(Promise, 'any', {
  value: {
    any(iterable) {
      return requireBuiltin('internal/async/promise_any').any(this, iterable);
    },
  }.any,
});
const engineText = Function.prototype.toString;
native.engineText = engineText;
Object.defineProperty(Function.prototype, 'toString', {
  value: {
    toString() {
      return requireBuiltin('internal/process/function_text').textOf(this, engineText);
    },
  }.toString,
});

native.FinalizationRegistry = FinalizationRegistry; // available there without telling the loop
lazily('FinalizationRegistry', () =>
  requireBuiltin('internal/async/engine_tasks').watched(native.FinalizationRegistry),
);

// The engine lacks Atomics.waitAsync; notify and wait must take it into account.
native.Atomics = Atomics;
lazily('Atomics', () => requireBuiltin('internal/worker/waiters').install(globalThis, native.Atomics));

define('global', global, false);
Object.defineProperty(global, Symbol.toStringTag, {
  value: 'global',
  writable: false,
  enumerable: false,
  configurable: true,
});

const others = {
  'internal/timers': 'setTimeout setInterval clearTimeout clearInterval',
  'internal/timers/immediates': 'setImmediate clearImmediate',
  'internal/process/microtasks': 'queueMicrotask',
  'internal/event_target': 'Event EventTarget CustomEvent',
  'internal/events/error_event': 'ErrorEvent',
  'internal/abort_controller': 'AbortController AbortSignal',
  'internal/url': 'URL',
  'internal/url/search_params': 'URLSearchParams',
  'internal/urlpattern/pattern': 'URLPattern',
  'internal/encoding': 'TextEncoder TextDecoder',
  'internal/buffer/class': 'Buffer',
  'buffer': 'Blob File atob btoa',
  'internal/dom_exception': 'DOMException',
  'internal/errors/quota_exceeded_error': 'QuotaExceededError',
  'stream/web':
    'ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ' +
    'ReadableByteStreamController ReadableStreamDefaultController TransformStream TransformStreamDefaultController ' +
    'WritableStream ' +
    'WritableStreamDefaultController WritableStreamDefaultWriter ByteLengthQueuingStrategy CountQueuingStrategy ' +
    'TextEncoderStream ' +
    'TextDecoderStream CompressionStream DecompressionStream',
  'internal/messaging': 'MessageChannel MessagePort MessageEvent',
  'internal/broadcast_channel': 'BroadcastChannel',
  'perf_hooks':
    'performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver ' +
    'PerformanceObserverEntryList ' +
    'PerformanceResourceTiming Performance',
  'internal/structured_clone/plain': 'structuredClone',
  'internal/navigator': 'navigator Navigator',
  'internal/crypto/webcrypto': 'Crypto CryptoKey SubtleCrypto',
  'internal/fetch': 'fetch Headers Request Response FormData WebSocket CloseEvent',
};
const enumerable =
  ' structuredClone performance atob btoa fetch navigator queueMicrotask setTimeout setInterval setImmediate ' +
  'clearTimeout clearInterval ' +
  'clearImmediate ';
// Like `lazily`, but in one loop without calls: the engine would compile a function that is called so often, on a
// thread that it would start for that.
others.errors = native.errorNames.join(' ');
for (const id in others) {
  const isErrors = id === 'errors';
  if (!isErrors && !native.hasBuiltin(id)) continue;
  const names = others[id].split(' ');
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const isEnumerable = enumerable.includes(` ${name} `);
    Object.defineProperty(global, name, {
      get() {
        const value = isErrors ? wrapErrors(name) : requireBuiltin(id)[name];
        define(name, value, isEnumerable);
        return value;
      },
      set(value) {
        define(name, value, isEnumerable);
      },
      configurable: true,
      enumerable: isEnumerable,
    });
  }
}
if (native.hasBuiltin('crypto')) lazily('crypto', () => requireBuiltin('crypto').webcrypto, true);

const wasm = global.WebAssembly;
lazily('WebAssembly', () => requireBuiltin('internal/webassembly').install(wasm));

// Web Storage, an accessor each, as in Node. internal/process/main handles the options for it.
lazily('Storage', () => requireBuiltin('internal/webstorage').Storage);
Object.defineProperties(global, {
  localStorage: {
    get: () => requireBuiltin('internal/webstorage').localStorage(),
    set: (value) => define('localStorage', value, true),
    configurable: true,
    enumerable: false,
  },
  sessionStorage: {
    get: () => requireBuiltin('internal/webstorage').sessionStorage(),
    set: (value) => define('sessionStorage', value, true),
    configurable: true,
    enumerable: true,
  },
});
lazily('Temporal', () => requireBuiltin('internal/temporal').Temporal);
Object.defineProperty(Date.prototype, 'toTemporalInstant', {
  value: {
    toTemporalInstant() {
      requireBuiltin('internal/temporal');
      return this.toTemporalInstant();
    },
  }.toTemporalInstant,
  writable: true,
  configurable: true,
  enumerable: false,
});

// ---- console ----

// Lines of plain text are written without loading anything; any other use loads the whole console, whose properties
// replace those of this object.
let writeSync;
native.consoleFilled = false;
const plainConsole = {};
function fillConsole() {
  if (native.consoleFilled) return plainConsole;
  native.consoleFilled = true;
  Object.setPrototypeOf(plainConsole, Object.prototype);
  requireBuiltin('internal/process/console').fill(plainConsole);
  return plainConsole;
}
native.fillConsole = fillConsole;
function quickly(name, fd) {
  plainConsole[name] = function (...args) {
    let text = args[0];
    let plain =
      args.length > 0 && typeof text === 'string' && !native.stdioTouched && (args.length === 1 || !text.includes('%'));
    for (let i = 1; plain && i < args.length; i++) {
      if (typeof args[i] === 'string') text += ` ${args[i]}`;
      else plain = false;
    }
    if (!plain && args.length > 0 && !native.stdioTouched) {
      text = requireBuiltin('internal/console/fast_path').textFor(fd, args);
      plain = text !== undefined;
      if (plain) args = [text]; // values are shown once only
    }
    if (plain) {
      writeSync ??= internalBindingLoad('stdio').writeSync;
      if (writeSync(fd, `${text}\n`) >= 0) return undefined;
    }
    fillConsole(); // also for text that could not be written: the stream reports the error
    return plainConsole[name](...args);
  };
}
native.stdioTouched = false;
quickly('log', 1);
quickly('info', 1);
quickly('debug', 1);
quickly('error', 2);
quickly('warn', 2);
hollow(plainConsole, fillConsole);
define('console', plainConsole, false);

// ---- the main script ----

const kHead = '(function __rota_module__(exports, require, module, __filename, __dirname) {';
native.commonHead = kHead;
native.sources = []; // [url, length of the text before the source], until internal/errors/frames takes them

function packageType(file, modules) {
  for (let at = file.lastIndexOf('/'); at !== -1; at = at === 0 ? -1 : file.lastIndexOf('/', at - 1)) {
    const directory = file.slice(0, at);
    if (directory.endsWith('/node_modules')) return undefined;
    const text = modules.readText(`${directory}/package.json`);
    if (typeof text === 'string') return text.includes('"type"') ? 'look' : undefined;
  }
  return undefined;
}

// Modules of Node that the CommonJS loader would return as they are. While that loader is not loaded, no program can
// have changed this.
const plainModules =
  ' assert async_hooks buffer child_process cluster crypto dgram diagnostics_channel dns events fs fs/promises http ' +
  'http2 https net os ' +
  'path perf_hooks querystring readline stream stream/promises string_decoder timers timers/promises tls tty url ' +
  'util v8 vm ' +
  'worker_threads zlib ';
function requirePlainly(id) {
  if (typeof id !== 'string' || cache.has('internal/modules/cjs/module')) return undefined;
  const name = id.startsWith('node:') ? id.slice(5) : id;
  return !name.includes(' ') && plainModules.includes(` ${name} `) ? requireBuiltin(name) : undefined;
}

// Whether a text has a word, as /\bword\b/ would find it: the engine compiles a regular expression when it is first
// used.
function isWordCode(code) {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
function hasWord(text, word) {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isWordCode(text.charCodeAt(at - 1)) && !isWordCode(text.charCodeAt(at + word.length))) return true;
  return false;
}

// As /yield\s*\*/ would find it.
function hasDelegation(text) {
  for (let at = text.indexOf('yield'); at !== -1; at = text.indexOf('yield', at + 1)) {
    let next = at + 5;
    while (text.charCodeAt(next) <= 32) next++;
    if (text[next] === '*') return true;
  }
  return false;
}

// A CommonJS script without special features; internal/process/main handles everything else.
function runPlainScript(script) {
  const modules = internalBindingLoad('modules');
  if (!script.endsWith('.js') && !script.endsWith('.cjs')) return false;
  const file = modules.realpath(script);
  if (typeof file !== 'string' || !file.endsWith(script.slice(script.lastIndexOf('/') + 1))) return false;
  if (!file.endsWith('.cjs') && packageType(file, modules) !== undefined) return false;
  const text = modules.readText(file);
  if (typeof text !== 'string' || text.startsWith('#!') || text.startsWith('\ufeff')) return false;
  if (hasWord(text, 'import') || hasWord(text, 'export')) return false;
  const isAsync = hasWord(text, 'async');
  // The text may need edits: `yield*` in asynchronous generators, and more with an engine whose order is wrong.
  if (isAsync && (native.wrongOrder !== undefined || (!native.delegatesUnmarked && hasDelegation(text)))) return false;
  if (!isAsync && hasWord(text, 'await')) return false; // it is at the top level, where it makes a module of the text
  let compiled;
  try {
    compiled = modules.evaluate(`${kHead}${text}\n})`, file);
  } catch {
    return false; // the loader reports the error, with all its details
  }
  native.sources.push([file, kHead.length]);
  const module = {
    id: '.',
    path: file.slice(0, file.lastIndexOf('/')) || '/',
    exports: {},
    filename: file,
    loaded: false,
    children: [],
  };
  let real;
  const fill = () => (real ??= requireBuiltin('internal/modules/cjs/loader').adoptMain(module));
  native.mainModule = module;
  hollow(module, fill);
  const require = function require(id) {
    return (real === undefined ? requirePlainly(id) : undefined) ?? fill()(id);
  };
  for (const name of ['resolve', 'extensions', 'cache']) {
    Object.defineProperty(require, name, { get: () => fill()[name], configurable: true, enumerable: true });
  }
  require.main = module;
  if (native.observed !== undefined) internalBindingLoad('trace').script();
  compiled.call(module.exports, module.exports, require, module, file, module.path);
  module.loaded = true;
  return true;
}

function runMain() {
  if (native.wrongFinally) requireBuiltin('internal/async/engine_corrections').installFinally(globalThis);
  if (native.wrongReturn) requireBuiltin('internal/async/engine_corrections').installGeneratorReturn(globalThis);
  if (native.isHtmlLoop) requireBuiltin('internal/html/globals').install();
  if (native.virtualTime) requireBuiltin('internal/simulate/date').install();
  if (native.attachable) {
    internalBindingLoad('trace').whenAttached((observed, wantsTimers) => {
      if (observed === undefined) return requireBuiltin('internal/trace/alive').listed(wantsTimers);
      return requireBuiltin('internal/trace/install').change(observed);
    });
  }
  if (native.isWorker) return requireBuiltin('internal/worker/thread').run();
  if (native.observed !== undefined) requireBuiltin('internal/trace/install').install(native.observed);
  if (native.command !== undefined) return requireBuiltin(native.command).main();
  const binding = internalBindingLoad('process');
  // A forked script has a channel to open first.
  if (
    binding.isPlain &&
    binding.envGet('NODE_CHANNEL_FD') === undefined &&
    !binding.envGet('NODE_OPTIONS') &&
    runPlainScript(binding.script)
  )
    return;
  requireBuiltin('internal/process/main').run();
}

// ---- what C calls ----

native.watchErrors((error) => requireBuiltin('internal/errors/stacks').adopt(error));
native.setRejectionCallback((promise, reason) =>
  requireBuiltin('internal/process/promises').onRejection(promise, reason),
);
native.setImporter((specifier) => requireBuiltin('internal/modules/esm/import').importEvaluated(specifier));
// Unhandled rejections are reported at once and in the current frame, if the engine allows it.
native.noteRejections((promise, kept) => requireBuiltin('internal/process/promises').noteRejection(promise, kept));
// The names are those of runtime/shared.table.
native.setCallbacks({
  drain: () => requireBuiltin('internal/process/task_queues').drain(),
  timers: () => requireBuiltin('internal/timers').processTimers(),
  immediates: () => requireBuiltin('internal/timers/immediates').processImmediates(),
  uncaught: (error) => requireBuiltin('internal/process/execution').onUncaught(error),
  main() {
    runMain();
    native.scriptIsOver = true;
  },
  beforeExit: () => (native.processFilled ? requireBuiltin('internal/process/execution').emitBeforeExit() : undefined),
  exit: (isAfter) => (native.processFilled ? requireBuiltin('internal/process/execution').emitExit(isAfter) : 0),
  task: (isIdle) => requireBuiltin('internal/html/event_loop').step(isIdle),
});
