'use strict';

// Module._load: the cache of modules, cycles, and loading a file.
//
// A module that is required while it still runs: reading a name that it has not set yet gives a warning.

const path = require('path');
const helpers = require('internal/modules/helpers');
const { hooks, textOf } = require('internal/modules/hooks');
const { kEsm, kGiven, kIsMain, Module, noteChild } = require('internal/modules/cjs/module');
const { loadHooked, resolveHooked } = require('internal/modules/cjs/require');
const { compileEsm, loadEsm } = require('internal/modules/cjs/compile');

const kWatched = Symbol('watched');

// A module that is required while it still runs: reading a name that it has not set yet gives a warning.
function watchCycle(module) {
  const { exports } = module;
  if (
    exports !== null &&
    typeof exports === 'object' &&
    !require('util').types.isProxy(exports) &&
    Object.getPrototypeOf(exports) === Object.prototype &&
    !exports.__esModule &&
    module[kWatched] === undefined
  ) {
    module[kWatched] = true;
    Object.setPrototypeOf(
      exports,
      new Proxy(
        {},
        {
          get(target, key) {
            if (key in target || key === '__esModule') return target[key];
            warnCycle(key);
            return undefined;
          },
          getOwnPropertyDescriptor(target, key) {
            if (Object.hasOwn(target, key) || key === '__esModule') return Object.getOwnPropertyDescriptor(target, key);
            warnCycle(key);
            return undefined;
          },
          getPrototypeOf: () => Object.prototype,
        },
      ),
    );
  }
  return exports;
}

function warnCycle(key) {
  process.emitWarning(`Accessing non-existent property '${String(key)}' of module exports inside circular dependency`);
}

// Loading: the cache, the properties that a module gets from the loader, and the handling of failures.

const relativeCache = new Map();

Module._load = function _load(request, parent, isMain) {
  if (hooks.inThread) {
    const { filename, format } = resolveHooked(request, parent, isMain);
    if (!helpers.isBuiltin(filename)) return loadFile(filename, parent, isMain, { hint: format });
    loadHooked(filename, 'builtin');
    return helpers.loadBuiltin(filename);
  }
  if (helpers.isBuiltin(request) && (request.startsWith('node:') || Module._cache[request] === undefined))
    return helpers.loadBuiltin(request);
  // A request that was resolved before from this directory is found again even if the directory is gone.
  const key = parent?.path === undefined ? undefined : `${parent.path}\x00${request}`;
  const before = key === undefined ? undefined : relativeCache.get(key);
  const filename =
    before !== undefined && Module._cache[before] !== undefined
      ? before
      : Module._resolveFilename(request, parent, isMain);
  if (key !== undefined) relativeCache.set(key, filename);
  return loadFile(filename, parent, isMain);
};

let observeLoad; // called for each module that has run, once an ES module has imported one
function setLoadObserver(observer) {
  observeLoad = observer;
}

// Loads a file by its name. `given` may contain its text, or the format that a hook gave.
function loadFile(filename, parent, isMain, given) {
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    noteChild(parent, cached);
    if (!cached.loaded && cached[kEsm] === undefined) return watchCycle(cached);
    if (cached[kEsm] !== undefined && !cached.loaded)
      return require('internal/modules/esm/loader').requireCycle(cached, parent);
    return cached.exports;
  }
  if (helpers.isBuiltin(filename)) return helpers.loadBuiltin(filename);
  const module = new Module(filename, parent);
  if (given !== undefined) module[kGiven] = given;
  if (isMain) {
    process.mainModule = module;
    module.id = '.';
    module[kIsMain] = true;
  }
  Module._cache[filename] = module;
  let ok = false;
  try {
    module.load(filename);
    ok = true;
    if (observeLoad !== undefined && module[kEsm] === undefined && filename[0] === '/') observeLoad(module);
  } finally {
    if (module[kWatched]) {
      module[kWatched] = undefined;
      if (
        module.exports !== null &&
        typeof module.exports === 'object' &&
        !require('util').types.isProxy(module.exports)
      ) {
        Object.setPrototypeOf(module.exports, Object.prototype);
      }
    }
    if (!ok) {
      delete Module._cache[filename];
      const children = parent?.children;
      if (Array.isArray(children)) {
        const at = children.indexOf(module);
        if (at !== -1) children.splice(at, 1);
      }
    }
  }
  return module.exports;
}

// A CommonJS module whose text an import has already read.
function loadGiven(filename, text, isMain) {
  return loadFile(filename, undefined, isMain, { text, format: 'commonjs' });
}

function findExtension(filename) {
  const name = path.basename(filename);
  let at = 0;
  while ((at = name.indexOf('.', at)) !== -1) {
    if (at > 0) {
      const extension = name.slice(at);
      if (Module._extensions[extension]) return extension;
    }
    at++;
  }
  return '.js';
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths = Module._nodeModulePaths(path.dirname(filename));
  const extension = findExtension(filename);
  if (hooks.inThread && this[kGiven]?.text === undefined) {
    const { source, format } = loadHooked(filename, this[kGiven]?.hint);
    this[kGiven] = source == null ? undefined : { text: textOf(source), format: format ?? undefined };
    if (format === 'module' || format === 'json') {
      if (source == null) throw hooks.needSource(source);
      if (format === 'module') compileEsm(this, this[kGiven].text, filename);
      else Module._extensions['.json'](this, filename);
      this.loaded = true;
      return;
    }
  }
  if (filename.endsWith('.mjs') && !Module._extensions['.mjs']) loadEsm(this, filename);
  else Module._extensions[extension](this, filename);
  this.loaded = true;
};

module.exports = { loadGiven, setLoadObserver };
