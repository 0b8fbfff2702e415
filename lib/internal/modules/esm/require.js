'use strict';

// require() of an ES module.

const { codes } = require('internal/errors');
const { pathToUrl } = require('internal/modules/esm/resolve');
const { makeNamespace } = require('internal/modules/esm/namespace');
const { getRecord } = require('internal/modules/esm/locate');
const { exportNames, link, namespaceOf } = require('internal/modules/esm/link');
const { cycleError, from, refuseCycles } = require('internal/modules/esm/cycles');
const { evaluateRecord, hasAsync, then } = require('internal/modules/esm/evaluate');

function requireEsm(filename, text, module) {
  const url = filename[0] === '/' ? pathToUrl(filename) : filename;
  const record = getRecord(url, undefined, { format: 'module', text });
  if (record.status === 'evaluating') {
    throw cycleError(`Cannot require() ES Module ${filename} in a cycle.${from(module)} A cycle involving require(esm) is not allowed to ` +
      'maintain invariants mandated by the ECMAScript specification. Try making at least part of the dependency in the graph lazily loaded.');
  }
  link(record);
  refuseCycles(record);
  if (hasAsync(record)) throw asyncError(module);
  const promise = evaluateRecord(record);
  then(promise, undefined, () => {});
  const root = record.cycleRoot ?? record;
  if (record.failed || root.failed) throw record.failed ? record.error : root.error;
  return requireView(record);
}

function asyncError(module) {
  const error = new codes.ERR_REQUIRE_ASYNC_MODULE();
  const { kParent } = require('internal/modules/cjs/loader');
  const stack = [];
  for (let cursor = module[kParent]; cursor && !stack.includes(cursor.filename || cursor.id); cursor = cursor[kParent]) {
    stack.push(cursor.filename || cursor.id);
  }
  if (stack.length > 0) error.message += `\nRequire stack:\n- ${stack.join('\n- ')}`;
  error.requireStack = stack;
  return error;
}

function requireView(record) {
  const names = exportNames(record);
  if (names.has('module.exports')) return record.bindings['module.exports'];
  if (!names.has('default') || names.has('__esModule')) return namespaceOf(record);
  if (record.requireNamespace === undefined) {
    const bindings = { __proto__: null };
    for (const name of names) Object.defineProperty(bindings, name, { get: () => record.bindings[name], enumerable: true });
    bindings.__esModule = true;
    record.requireNamespace = makeNamespace(bindings, [...names, '__esModule']);
  }
  return record.requireNamespace;
}

module.exports = { requireEsm };
