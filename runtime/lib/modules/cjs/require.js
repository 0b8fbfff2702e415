'use strict';

// The function `require` that each module has.

const { codes } = require('internal/errors');
const { hooks } = require('internal/modules/hooks');
const { Module } = require('internal/modules/cjs/module');
const { resolveHooked } = require('internal/modules/cjs/hooked');

const runtime = internalBinding('runtime');

Module.prototype.require = function require(id) {
  if (typeof id !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('id', 'string', id);
  if (id === '') throw new codes.ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  return Module._load(id, this, false);
};

function makeRequire(module) {
  function require(id) {
    return module.require(id);
  }
  require.resolve = function resolve(request, options) {
    if (typeof request !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('request', 'string', request);
    if (hooks.inThread) return resolveHooked(request, module, false, options).filename;
    return Module._resolveFilename(request, module, false, options);
  };
  require.resolve.paths = function paths(request) {
    if (typeof request !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('request', 'string', request);
    return Module._resolveLookupPaths(request, module);
  };
  // A program that has not touched `process` cannot have changed it.
  require.main = runtime.processFilled ? process.mainModule : runtime.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

module.exports = { makeRequire };
