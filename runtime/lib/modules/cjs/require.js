'use strict';

// The function `require` of a module, and resolution with the program's hooks.
//
// Resolving and loading through the program's hooks.

const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const { hooks } = require('internal/modules/hooks');
const { Module, readSource } = require('internal/modules/cjs/module');
const { codes } = require('internal/errors');
const runtime = internalBinding('runtime');

const toUrl = (filename) => require('internal/modules/esm/resolve').pathToUrl(filename);
const toFilename = (url) => (url.startsWith('file:') ? require('internal/modules/esm/resolve').urlToPath(url) : url);

// -> { filename, format }; a URL that is no file URL is kept as it is.
function resolveHooked(request, parent, isMain, options) {
  const parentURL = parent?.filename
    ? parent.filename[0] === '/'
      ? toUrl(parent.filename)
      : parent.filename
    : undefined;
  const { url, format } = hooks.resolve(request, parentURL, undefined, [...helpers.requireConditions], (specifier) => {
    const wanted = specifier.startsWith('file:') ? toFilename(specifier) : specifier;
    const found = Module._resolveFilename(wanted, parent, isMain, options);
    const isBuiltin = helpers.isBuiltin(found);
    return {
      __proto__: null,
      url: isBuiltin ? `node:${helpers.builtinName(found)}` : toUrl(found),
      format: undefined,
      importAttributes: undefined,
    };
  });
  return { filename: toFilename(url), format };
}

function formatHint(filename) {
  if (helpers.isBuiltin(filename)) return 'builtin';
  if (filename.endsWith('.json')) return 'json';
  if (filename.endsWith('.mjs')) return 'module';
  if (filename.endsWith('.cjs')) return 'commonjs';
  if (filename.endsWith('.node')) return 'addon';
  if (/\.[cm]?ts$/.test(filename)) {
    const typescript = require('internal/modules/typescript');
    const kind = typescript.isEnabled() ? typescript.kindOf(filename, packages.scopeOf(filename)?.type) : undefined;
    return kind && `${kind}-typescript`;
  }
  const type = filename.endsWith('.js') ? (packages.scopeOf(filename)?.type ?? 'none') : 'none';
  return type === 'none' ? undefined : type;
}

function loadHooked(filename, hint) {
  const url = filename[0] === '/' ? toUrl(filename) : `${filename}`;
  return hooks.load(
    url,
    hint ?? formatHint(filename),
    undefined,
    [...helpers.requireConditions],
    (wanted, { format }) => {
      if (format === 'builtin') return { source: undefined, format };
      return { source: format === 'addon' ? undefined : readSource(toFilename(wanted)), format };
    },
  );
}

// The function `require` that each module has.

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

module.exports = { loadHooked, resolveHooked, makeRequire };
