'use strict';

// Finds the record for the specifier of an import.

const { codes } = require('internal/errors');
const { hooks } = require('internal/modules/hooks');
const { resolve, cwdUrl, urlToPath } = require('internal/modules/esm/resolve');
const { makeSynthetic, records } = require('internal/modules/esm/record');
const { checkAttributes, checkKeys, formatOf, isModuleText, readSource } = require('internal/modules/esm/format');
const { makeBuiltin, makeData, makeJsonFile, makeSource, makeText } = require('internal/modules/esm/make');
const { compileWasm, makeWasm } = require('internal/modules/esm/wasm');
const { makeCommonJS } = require('internal/modules/esm/commonjs');
const { makeHooked, resolveHooked } = require('internal/modules/esm/hooked');

// Finds the record for the specifier of an import.
let hasWarned = false;
function warnOfAddons() {
  if (!hasWarned)
    process.emitWarning(
      'Importing addons is an experimental feature and might change at any time',
      'ExperimentalWarning',
    );
  hasWarned = true;
}

let hasToldOfText = false;
function warnOfText() {
  if (!hasToldOfText)
    process.emitWarning('Text import is an experimental feature and might change at any time', 'ExperimentalWarning');
  hasToldOfText = true;
}

function locate(specifier, base, attributes, isSource) {
  if (isSource)
    return sourcePhase(
      hooks.active ? resolveHooked(specifier, base, attributes).url : resolve(specifier, base ?? cwdUrl()),
    );
  if (!hooks.active) return getRecord(resolve(specifier, base ?? cwdUrl()), attributes);
  const { url, format, importAttributes } = resolveHooked(specifier, base, attributes);
  return getRecord(url, importAttributes ?? attributes, { hint: format });
}

// The module itself, compiled and not run, as the value of a default export.
function sourcePhase(url) {
  const key = `${url}\x00source`;
  let record = records.get(key);
  if (record === undefined) {
    if (url.startsWith('node:') || url.startsWith('data:') || formatOf(url) !== 'wasm')
      throw new codes.ERR_SOURCE_PHASE_NOT_DEFINED(url);
    const compiled = compileWasm(url);
    record = makeSynthetic(url, 'source', ['default'], () => {
      record.values.default = compiled;
    });
    records.set(key, record);
  }
  return record;
}

function getRecord(url, attributes, given) {
  checkKeys(attributes, url);
  const key = attributes?.type === undefined ? url : `${url}\x00${attributes.type}`;
  const known = records.get(key);
  if (known !== undefined) {
    checkAttributes(attributes, known.kind === 'json' ? 'json' : known.kind, url);
    return known;
  }
  let record;
  if (hooks.active && given?.text === undefined) {
    record = makeHooked(url, attributes, given?.hint ?? given?.format);
  } else if (url.startsWith('node:')) {
    checkAttributes(attributes, 'builtin', url);
    record = makeBuiltin(url);
  } else if (url.startsWith('data:')) {
    record = makeData(url, attributes);
  } else {
    const isText =
      attributes?.type === 'text' && require('internal/process/flags').hasFlag('--experimental-import-text');
    let format = isText ? 'text' : (given?.format ?? formatOf(url));
    checkAttributes(attributes, format, url);
    if (format === 'addon') {
      warnOfAddons();
      record = makeCommonJS(url, '');
    } else if (isText) {
      warnOfText();
      record = makeText(url, readSource(url));
    } else if (format === 'json') {
      record = makeJsonFile(url);
    } else if (format === 'wasm') {
      record = makeWasm(url);
    } else if (format === 'module') {
      record = makeSource(url, given?.text ?? readSource(url));
    } else {
      let text = given?.text ?? readSource(url);
      if (format.endsWith('-typescript')) {
        text = require('internal/modules/typescript').stripModule(text, url, urlToPath(url));
        format = format.slice(0, -'-typescript'.length);
      }
      if (format === 'detect') format = isModuleText(text, url) ? 'module' : 'commonjs';
      record = format === 'module' ? makeSource(url, text) : makeCommonJS(url, text);
    }
  }
  records.set(key, record);
  return record;
}

module.exports = { getRecord, locate };
