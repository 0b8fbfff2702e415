'use strict';

// The functions of the module `module` besides loading: require() for other files, packages, source maps, hooks.

const path = require('path');
const { codes } = require('internal/errors');
const packages = require('internal/modules/package_json');
const { registerHooks } = require('internal/modules/hooks');
const { Module } = require('internal/modules/cjs/module');
const { makeRequire } = require('internal/modules/cjs/require');

Module.createRequire = function createRequire(filename) {
  let file;
  if (filename instanceof URL || (typeof filename === 'string' && !path.isAbsolute(filename))) {
    try {
      file = require('url').fileURLToPath(filename);
    } catch {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'filename',
        filename,
        'must be a file URL object, file URL string, or absolute path string',
      );
    }
  } else if (typeof filename !== 'string') {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'filename',
      filename,
      'must be a file URL object, file URL string, or absolute path string',
    );
  } else {
    file = filename;
  }
  const module = new Module(file.endsWith('/') ? path.join(file, 'noop.js') : file);
  module.filename = file.endsWith('/') ? path.join(file, 'noop.js') : file;
  module.paths = Module._nodeModulePaths(module.path);
  return makeRequire(module);
};

Module.syncBuiltinESMExports = () => require('internal/modules/esm/loader').syncBuiltins();
Module.findPackageJSON = (specifier, base) => {
  const toPath = (value) =>
    value instanceof URL || String(value).startsWith('file:') ? require('url').fileURLToPath(value) : String(value);
  const from = base === undefined ? undefined : toPath(base);
  const text = String(specifier);
  if (text.startsWith('file:') || path.isAbsolute(text)) return packages.scopeOf(toPath(specifier))?.path;
  if (text === '.' || text === '..' || text.startsWith('./') || text.startsWith('../'))
    return packages.scopeOf(path.resolve(path.dirname(from), text, 'x'))?.path;
  for (const directory of Module._nodeModulePaths(path.dirname(from))) {
    const { splitName } = require('internal/modules/exports');
    const found = packages.read(`${directory}/${splitName(text)[0]}`);
    if (found) return found.path;
  }
  return undefined;
};

// Source maps.
const origin = () => require('internal/source_map/origin');
Module.getSourceMapsSupport = () => Object.freeze({ __proto__: null, ...origin().support });
Module.setSourceMapsSupport = (enabled, options = {}) => {
  const { validateBoolean, validateObject } = require('internal/validators');
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const also = ['nodeModules', 'generatedCode'].map((name) => {
    const { [name]: value = false } = options;
    validateBoolean(value, `options.${name}`);
    return value;
  });
  origin().enable(enabled, ...also);
};
Module.findSourceMap = (path) => origin().find(`${path}`, require('internal/errors/frames').isLoaded);
Object.defineProperty(Module, 'SourceMap', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => require('internal/source_map/map').SourceMap,
  set(value) {
    Object.defineProperty(this, 'SourceMap', {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  },
});
const compileCache = () => require('internal/modules/compile_cache');
Module.enableCompileCache = function enableCompileCache(options) {
  return compileCache().enable(options);
};
Module.getCompileCacheDir = function getCompileCacheDir() {
  return compileCache().current();
};
Module.flushCompileCache = function flushCompileCache() {
  compileCache().flush();
};
Module.constants = Object.freeze({
  __proto__: null,
  compileCacheStatus: Object.freeze({ __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 }),
});
Module.registerHooks = registerHooks;
Module.stripTypeScriptTypes = function stripTypeScriptTypes(code, options) {
  return require('internal/modules/typescript').stripTypeScriptTypes(code, options);
};
Object.defineProperty(Module.stripTypeScriptTypes, 'length', { value: 1, configurable: true });
Module.register = function register(specifier, parentURL, options) {
  return require('internal/modules/hooks_remote').register(specifier, parentURL, options);
};
