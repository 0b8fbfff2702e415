'use strict';

// CommonJS modules as ES modules: the exported names are detected in the text, and the CommonJS loader runs the module
// when it is evaluated.

const helpers = require('internal/modules/helpers');
const { pathToUrl, urlToPath } = require('internal/modules/esm/resolve');
const { makeSynthetic, records } = require('internal/modules/esm/record');
const { readSource } = require('internal/modules/esm/format');
const { getOrUndefined } = require('internal/modules/esm/make');

function commonNames(text, filename, seen = new Set()) {
  if (seen.has(filename)) return [];
  seen.add(filename);
  const lexer = require('internal/deps/cjs-module-lexer');
  let found;
  try {
    found = lexer.parse(text);
  } catch {
    return [];
  }
  const names = new Set(found.exports);
  if (found.reexports.length > 0) {
    const { Module } = require('internal/modules/cjs/loader');
    const parent = {
      id: filename,
      filename,
      path: filename.slice(0, filename.lastIndexOf('/')),
      paths: Module._nodeModulePaths(filename.slice(0, filename.lastIndexOf('/'))),
    };
    for (const request of found.reexports) {
      try {
        const file = Module._resolveFilename(request, parent, false);
        // The names of a re-exported built-in module are not known.
        if (!helpers.isBuiltin(file) && /\.(?:js|cjs)$/.test(file)) {
          for (const name of commonNames(readSource(pathToUrl(file)), file, seen)) names.add(name);
        }
      } catch {
        // a module that cannot be found gives an error when it is run
      }
    }
  }
  return [...names];
}

// An importer sees the exports that a CommonJS module had when it had run, whichever loader ran it.
function keepSnapshot(module) {
  const record = records.get(pathToUrl(module.filename));
  if (record?.kind === 'commonjs' && record.snapshot === undefined) record.snapshot = { exports: module.exports };
}

function makeCommonJS(url, text, isGiven = false) {
  const filename = url.startsWith('file:') ? urlToPath(url) : url;
  const cjs = require('internal/modules/cjs/loader');
  const { Module } = cjs;
  cjs.setLoadObserver(keepSnapshot);
  const names = new Set(['default', 'module.exports']);
  for (const name of commonNames(text, filename)) if (name !== 'default') names.add(name);
  const record = makeSynthetic(url, 'commonjs', [...names], () => {
    let exports;
    const cached = Module._cache[filename];
    if (record.snapshot !== undefined) exports = record.snapshot.exports;
    else if (cached?.loaded) exports = cached.exports;
    else if (isGiven) exports = require('internal/modules/cjs/loader').loadGiven(filename, text, record.isMain);
    else if (record.isMain) exports = Module._load(filename, null, true);
    else exports = Module._load(filename, undefined, false);
    for (const name of names) {
      if (name === 'module.exports') {
        record.values[name] = exports;
      } else if (name === 'default') {
        record.values.default = exports;
      } else if (
        exports !== null &&
        (typeof exports === 'object' || typeof exports === 'function') &&
        Object.hasOwn(exports, name)
      ) {
        record.values[name] = getOrUndefined(exports, name);
      }
    }
  });
  return record;
}

module.exports = { makeCommonJS };
