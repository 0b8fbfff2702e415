'use strict';

// Makes records for modules with text and for modules with values only: JavaScript, JSON, plain text, `data:` URLs,
// built-in modules.

const { codes } = require('internal/errors');
const helpers = require('internal/modules/helpers');
const frames = require('internal/errors/frames');
const { urlToPath } = require('internal/modules/esm/resolve');
const { makeSynthetic, ModuleRecord, records } = require('internal/modules/esm/record');
const { checkAttributes, parseData, readSource } = require('internal/modules/esm/format');

function makeSource(url, text) {
  const { compileModule } = require('internal/modules/esm/rewrite');
  const record = new ModuleRecord(url, 'module');
  const result = compileModule(text, url);
  record.requests = result.requests;
  record.localNames = result.localNames;
  for (const [name, request, imported] of result.indirect) record.indirect.set(name, { request, name: imported });
  record.stars = result.stars;
  record.checks = result.checks;
  record.hasAwait = result.hasAwait;
  record.awaits = result.awaits;
  record.code = result.code;
  record.compiled = result.compiled;
  if (result.hasAwait) record.text = text;
  frames.registerSource(url, result.headLength, text);
  return record;
}

function makeBuiltin(url) {
  const id = url.slice(5);
  const exports = helpers.loadBuiltin(id);
  const names =
    (typeof exports === 'object' && exports !== null) || typeof exports === 'function'
      ? Object.keys(exports).filter((name) => name !== 'default')
      : [];
  const record = makeSynthetic(url, 'builtin', ['default', ...names], () => {
    record.values.default = exports;
    for (const name of names) record.values[name] = getOrUndefined(exports, name);
  });
  return record;
}

function getOrUndefined(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

function syncBuiltins() {
  for (const record of records.values())
    if (record.kind === 'builtin' && record.status === 'evaluated') record.compute();
}

function makeJson(url, text) {
  const value = require('internal/modules/json').parseJson(text, `${url.startsWith('file:') ? urlToPath(url) : url}: `);
  const record = makeSynthetic(url, 'json', ['default'], () => {
    record.values.default = value;
  });
  return record;
}

// JSON files are shared with require(): one object for both.
function makeJsonFile(url) {
  const filename = urlToPath(url);
  const { Module } = require('internal/modules/cjs/loader');
  const isPlain = !/[?#]/.test(url);
  const cached = !isPlain ? undefined : Module._cache[filename];
  if (cached?.loaded) {
    const known = makeSynthetic(url, 'json', ['default'], () => {
      known.values.default = cached.exports;
    });
    return known;
  }
  const record = makeJson(url, readSource(url));
  record.compute();
  const module = new Module(filename);
  module.filename = filename;
  module.exports = record.values.default;
  module.loaded = true;
  if (isPlain) Module._cache[filename] = module;
  return record;
}

function makeText(url, text) {
  const record = makeSynthetic(url, 'text', ['default'], () => {
    record.values.default = text;
  });
  return record;
}

function makeData(url, attributes) {
  const { type, bytes } = parseData(url);
  const text = bytes.toString();
  if (type === 'application/json') {
    checkAttributes(attributes, 'json', url);
    return makeJson(url, text);
  }
  if (type !== 'text/javascript' && type !== 'application/javascript')
    throw new codes.ERR_UNKNOWN_MODULE_FORMAT(type, url);
  checkAttributes(attributes, 'module', url);
  require('internal/state').sources.set(url, text);
  return makeSource(url, text);
}

module.exports = { getOrUndefined, makeBuiltin, makeData, makeJson, makeJsonFile, makeSource, makeText, syncBuiltins };
