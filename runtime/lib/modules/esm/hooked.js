'use strict';

// Resolving and loading modules through the program's hooks, and the default step at the end of a chain of hooks.

const { codes } = require('internal/errors');
const helpers = require('internal/modules/helpers');
const { hooks, textOf } = require('internal/modules/hooks');
const { resolveNew, urlToPath, cwdUrl } = require('internal/modules/esm/resolve');
const {
  checkAttributes,
  formatHint,
  formatOf,
  isModuleText,
  parseData,
  readSource,
} = require('internal/modules/esm/format');
const { makeBuiltin, makeJson, makeSource, makeText } = require('internal/modules/esm/make');
const { makeWasm } = require('internal/modules/esm/wasm');
const { makeCommonJS } = require('internal/modules/esm/commonjs');

// A URL with a scheme that only a hook can load.
function foreignUrl(specifier, base) {
  const ours = /^(?:file|data|node):/;
  if (/^[a-zA-Z][a-zA-Z\d+.-]*:/.test(specifier)) return ours.test(specifier) ? undefined : new URL(specifier).href;
  const isRelative = /^(?:\.{0,2}\/)/.test(specifier);
  return !isRelative || base === undefined || ours.test(base) ? undefined : new URL(specifier, base).href;
}

function resolveStep(specifier, { parentURL, conditions }) {
  const foreign = foreignUrl(`${specifier}`, parentURL);
  if (foreign !== undefined) return { __proto__: null, url: foreign, format: undefined, importAttributes: undefined };
  const url = resolveNew(`${specifier}`, parentURL ?? cwdUrl(), new Set(conditions));
  return {
    __proto__: null,
    url,
    format: specifier.startsWith('node:') ? undefined : formatHint(url),
    importAttributes: undefined,
  };
}

function loadStep(url, { format, importAttributes }) {
  if (url.startsWith('node:')) return { __proto__: null, format: 'builtin', responseURL: url, source: undefined };
  if (url.startsWith('data:')) {
    const { type, bytes } = parseData(url);
    format ??=
      type === 'application/json' ? 'json' : /^(?:text|application)\/javascript$/.test(type) ? 'module' : undefined;
    if (format === undefined) throw new codes.ERR_UNKNOWN_MODULE_FORMAT(type, url);
    return { __proto__: null, format, responseURL: url, source: bytes };
  }
  if (!url.startsWith('file:')) throw new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME(new URL(url), ['file', 'data', 'node']);
  if (format == null) format = formatOf(url);
  if (importAttributes !== undefined) checkAttributes(importAttributes, format, url);
  const source = require('fs').readFileSync(urlToPath(url));
  if (format === 'detect') format = isModuleText(textOf(source), url) ? 'module' : 'commonjs';
  else if (format === 'detect-typescript') {
    const code = require('internal/modules/typescript').blank(textOf(source), url);
    format = isModuleText(code, url) ? 'module-typescript' : 'commonjs-typescript';
  }
  return { __proto__: null, format, responseURL: url, source };
}

const plainAttributes = (attributes) => Object.assign({ __proto__: null }, attributes);

function resolveHooked(specifier, base, attributes) {
  return hooks.resolve(
    specifier,
    base,
    plainAttributes(attributes),
    [...helpers.importConditions],
    hooks.remote?.resolve ?? resolveStep,
  );
}

function makeHooked(url, attributes, hint) {
  let { format, source } = hooks.load(
    url,
    hint,
    plainAttributes(attributes),
    [...helpers.importConditions],
    hooks.remote?.load ?? loadStep,
  );
  if (format?.endsWith('-typescript')) {
    if (source == null) source = readSource(url);
    source = require('internal/modules/typescript').stripModule(
      textOf(source),
      url,
      url.startsWith('file:') ? urlToPath(url) : url,
    );
    format = format.slice(0, -'-typescript'.length);
    if (format === 'detect') format = isModuleText(source, url) ? 'module' : 'commonjs';
  }
  if (format === 'builtin') return makeBuiltin(url);
  if (format === 'wasm') return makeWasm(url, source);
  if (format === 'commonjs') {
    return makeCommonJS(url, source == null ? readSource(url) : textOf(source), source != null);
  }
  if (format !== 'module' && format !== 'json' && format !== 'text')
    throw new codes.ERR_UNKNOWN_MODULE_FORMAT(format, url);
  if (source == null) throw hooks.needSource(source);
  const text = textOf(source);
  if (format === 'json') return makeJson(url, text);
  if (format === 'text') return makeText(url, text);
  require('internal/state').sources.set(url, text);
  return makeSource(url, text);
}

// The last step of a chain of asynchronous hooks. CommonJS is read by its own loader.
function defaultStep(kind, subject, context) {
  if (kind === 'resolve') return resolveStep(subject, context);
  const result = loadStep(subject, context);
  if (result.format === 'commonjs') result.source = null;
  return result;
}

module.exports = { defaultStep, makeHooked, resolveHooked };
