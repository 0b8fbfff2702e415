'use strict';

// Loads this project's lib/ under a real Node, so that the modules can be tested before, and apart from, the runtime:
//   node -r ./test/js/lib_on_node.js some_test.js
// ROTA_LIB names the public modules to replace (comma separated; default: every module that lib/ has).
// A module that lib/ does not have comes from the real Node.

const fs = require('fs');
const path = require('path');
const Module = require('module');
const vm = require('vm');

const root = path.resolve(__dirname, '../..');
const lib = path.join(root, 'lib');
const getReal = process.getBuiltinModule;
const realRequire = (id) => getReal(id) ?? require(id);
const wanted = process.env.ROTA_LIB ? new Set(process.env.ROTA_LIB.split(',')) : undefined;
// As in runtime/build.mk.
const packages = {
  'internal/deps/web-streams': 'web-streams-polyfill/dist/ponyfill.js',
  'internal/deps/punycode': 'punycode/punycode.js',
};
const cache = new Map();

function fileOf(id) {
  const own = path.join(lib, `${id}.js`);
  if (fs.existsSync(own)) return own;
  if (!isOfPackage(id)) return undefined;
  const file = path.join(root, 'node_modules', `${id.slice('internal/deps/'.length)}.js`);
  return fs.existsSync(file) ? file : undefined;
}

// A file of a package that is embedded whole: what it requires is beside it, or one of our modules (internal/embedded_package).
function isOfPackage(id) {
  return id.startsWith('internal/deps/') && !(id in packages);
}
function requireOf(id) {
  if (!isOfPackage(id)) return load;
  return (request) => load(request.startsWith('.') ?
    path.posix.join(path.posix.dirname(id), request).replace(/\.js$/, '') : request.replace(/^node:/, '').replace(/\/$/, ''));
}

// What the C side gives; here each binding is absent or a small stand-in over the real Node.
const bindings = {
  __proto__: null,
  uv: () => {
    const map = realRequire('util').getSystemErrorMap();
    return { getErrorMap: () => map, errname: (n) => map.get(n)?.[0] };
  },
  os: () => {
    const os = realRequire('os');
    return {
      getHostname: os.hostname, getRelease: os.release, getType: os.type, getVersion: os.version, getMachine: os.machine,
      getUptime: os.uptime, getFreeMem: os.freemem, getTotalMem: os.totalmem, getLoadAvg: os.loadavg, getCpus: os.cpus,
      getAvailableParallelism: os.availableParallelism, getInterfaces: os.networkInterfaces, getUserInfo: os.userInfo,
      getHomeDirectory: os.homedir, getPriority: os.getPriority, setPriority: os.setPriority,
    };
  },
};

let realBinding;
const { emitWarning } = process;
process.emitWarning = () => {};
try {
  realBinding = require('internal/test/binding').internalBinding;
} catch {
  // Without --expose-internals the modules show what they can do alone.
}
process.emitWarning = emitWarning;
if (realBinding !== undefined) {
  bindings.util = () => {
    const util = realBinding('util');
    return {
      getProxyDetails: (value, both) => util.getProxyDetails(value, both),
      getPromiseDetails: (value) => util.getPromiseDetails(value),
      previewEntries: (value, isIterator) => util.previewEntries(value, isIterator),
      getConstructorName: (value) => util.getConstructorName(value),
      getCallSites: (n) => util.getCallSites(n),
      sleep: util.sleep,
    };
  };
  bindings.types = () => realBinding('types');
}

function internalBinding(name) {
  const make = bindings[name];
  return make ? make() : {};
}

function load(id) {
  if (id.startsWith('node:')) id = id.slice(5);
  const cached = cache.get(id);
  if (cached !== undefined) return cached.exports;
  const file = fileOf(id);
  if (file === undefined) {
    if (id in packages) return require(path.join(root, 'node_modules', packages[id]));
    return realRequire(id);
  }
  const module = { exports: {}, id };
  cache.set(id, module);
  const source = fs.readFileSync(file, 'utf8');
  const names = ['exports', 'require', 'module', ...(isOfPackage(id) ? [] : ['process', 'internalBinding', 'primordials'])];
  const compiled = vm.compileFunction(source, names, { filename: file });
  compiled.call(module.exports, module.exports, requireOf(id), module, process, internalBinding, undefined);
  return module.exports;
}

const aliases = { sys: 'util' };
function replaced(id) {
  if (id.startsWith('node:')) id = id.slice(5);
  id = aliases[id] ?? id;
  if (id.startsWith('internal/') || !Module.builtinModules.includes(id)) return undefined;
  if (wanted !== undefined && !wanted.has(id)) return undefined;
  return fileOf(id) === undefined ? undefined : id;
}

const realLoad = Module._load;
Module._load = function (request, ...rest) {
  const id = typeof request === 'string' ? replaced(request) : undefined;
  return id === undefined ? Reflect.apply(realLoad, this, [request, ...rest]) : load(id);
};
const realGet = getReal;
process.getBuiltinModule = (request) => {
  const id = replaced(request);
  return id === undefined ? realGet(request) : load(id);
};
globalThis.__libOnNode = load;
if (Module.registerHooks) {
  Module.registerHooks({
    resolve(specifier, context, next) {
      const id = context.conditions?.includes('require') ? undefined : replaced(specifier);
      return id === undefined ? next(specifier, context) : { url: `rota-lib:${id}`, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith('rota-lib:')) return next(url, context);
      const id = url.slice(9);
      let source = `const m = __libOnNode(${JSON.stringify(id)}); export default m;\n`;
      for (const key of Object.keys(load(id))) {
        if (/^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default') source += `const _${key} = m[${JSON.stringify(key)}]; export { _${key} as ${key} };\n`;
      }
      return { format: 'module', source, shortCircuit: true };
    },
  });
}

// Globals that the modules own.
const globals = {
  events: { 'internal/event_target': ['Event', 'EventTarget', 'CustomEvent'], 'internal/abort_controller': ['AbortController', 'AbortSignal'], 'internal/dom_exception': ['DOMException'] },
  buffer: { buffer: ['Buffer', 'Blob', 'File', 'atob', 'btoa'] },
  util: { 'internal/encoding': ['TextEncoder', 'TextDecoder'] },
  url: { 'internal/url': ['URL', 'URLSearchParams'] },
  perf_hooks: { perf_hooks: ['performance', 'PerformanceObserver', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure'] },
  worker_threads: { worker_threads: ['MessageChannel', 'MessagePort', 'BroadcastChannel'], 'internal/structured_clone': ['structuredClone'], 'internal/messaging': ['MessageEvent'] },
  'stream/web': { 'stream/web': ['ReadableStream', 'WritableStream', 'TransformStream', 'ByteLengthQueuingStrategy', 'CountQueuingStrategy', 'TextDecoderStream', 'TextEncoderStream'] },
  console: { console: ['console'] },
};
for (const [publicName, owners] of Object.entries(globals)) {
  if (replaced(publicName) === undefined) continue;
  for (const [id, names] of Object.entries(owners)) {
    if (fileOf(id) === undefined) continue;
    for (const name of names) {
      Object.defineProperty(globalThis, name, {
        configurable: true,
        enumerable: name === 'performance' || name === 'structuredClone' || name === 'atob' || name === 'btoa',
        get: () => (name === 'console' ? load(id) : load(id)[name]),
        set(value) { Object.defineProperty(globalThis, name, { configurable: true, writable: true, enumerable: false, value }); },
      });
    }
  }
}
