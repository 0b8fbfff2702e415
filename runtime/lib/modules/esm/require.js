'use strict';

// require() of an ES module.

const { codes } = require('internal/errors');
const { pathToUrl, urlToPath } = require('internal/modules/esm/resolve');
const { makeNamespace } = require('internal/modules/esm/namespace');
const { getRecord } = require('internal/modules/esm/locate');
const { exportNames, link, loadGraph, namespaceOf } = require('internal/modules/esm/link');
const { cycleError, from, refuseCycles, evaluateRecord, hasAsync, then } = require('internal/modules/esm/evaluate');

function requireEsm(filename, text, module) {
  const url = filename[0] === '/' ? pathToUrl(filename) : filename;
  const record = getRecord(url, undefined, { format: 'module', text });
  if (record.status === 'evaluating') {
    if (hasAsync(record)) throw asyncError(record, filename, module);
    throw cycleError(
      `Cannot require() ES Module ${filename} in a cycle.${from(module)} A cycle involving require(esm) is not ` +
        `allowed to ` +
        'maintain invariants mandated by the ECMAScript specification. Try making at least part of the dependency in ' +
        'the graph lazily loaded.',
    );
  }
  if (record.arrival !== undefined && record.status === 'loaded') throw raceError(filename, module);
  loadGraph(record);
  markRequired(record);
  link(record);
  refuseCycles(record);
  if (hasAsync(record)) throw asyncError(record, filename, module);
  const promise = evaluateRecord(record);
  then(promise, undefined, () => {});
  const root = record.cycleRoot ?? record;
  if (record.failed || root.failed) throw record.failed ? record.error : root.error;
  return requireView(record);
}

// An import() of it is in progress.
function raceError(filename, module) {
  const { kParent } = require('internal/modules/cjs/loader');
  return new codes.ERR_REQUIRE_ESM_RACE_CONDITION(filename, module[kParent]?.filename);
}

function markRequired(record) {
  if (record.status !== 'loaded' || record.arrival !== undefined || record.isRequired) return;
  record.isRequired = true;
  record.dependencies.forEach(markRequired);
}

// The chain of modules that required each other, from the module with the error up to the program.
function requirers(module) {
  const { kParent } = require('internal/modules/cjs/loader');
  const names = new Set();
  for (let cursor = module[kParent]; cursor; cursor = cursor[kParent]) {
    const name = cursor.filename || cursor.id;
    if (names.has(name)) break;
    names.add(name);
  }
  return [...names];
}

function findAwait(record, seen = new Set()) {
  if (seen.has(record)) return undefined;
  seen.add(record);
  if (record.hasAwait) return record.awaits.length > 0 ? { file: record.url, ...record.awaits[0] } : undefined;
  for (const dependency of record.dependencies) {
    const found = findAwait(dependency, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function asyncError(record, filename, module) {
  const shows = require('internal/process/flags').hasFlag('--experimental-print-required-tla');
  const stack = requirers(module);
  const details = [
    shows ? '' : ' To see where the top-level await comes from, use --experimental-print-required-tla.',
    `Required module: ${filename}`,
  ];
  if (stack.length > 0) details.push('Require stack:', ...stack.map((name) => `- ${name}`));
  const error = new codes.ERR_REQUIRE_ASYNC_MODULE(details.join('\n'));
  const place = shows ? findAwait(record) : undefined;
  if (place?.file.startsWith('file:')) place.file = urlToPath(place.file);
  for (const [name, value] of [
    ['requireStack', stack],
    ['__rotaSyntax', place],
  ]) {
    if (value !== undefined)
      Object.defineProperty(error, name, {
        __proto__: null,
        value,
        writable: true,
        configurable: true,
        enumerable: false,
      });
  }
  return error;
}

function requireView(record) {
  const names = exportNames(record);
  if (names.has('module.exports')) return record.bindings['module.exports'];
  if (!names.has('default') || names.has('__esModule')) return namespaceOf(record);
  if (record.requireNamespace === undefined) {
    const bindings = { __proto__: null };
    for (const name of names)
      Object.defineProperty(bindings, name, { get: () => record.bindings[name], enumerable: true });
    bindings.__esModule = true;
    record.requireNamespace = makeNamespace(bindings, [...names, '__esModule']);
  }
  return record.requireNamespace;
}

module.exports = { requireEsm };
