'use strict';

// Evaluation of ES modules, and cycles with CommonJS.
//
// Cycles through require(), which the language does not allow: each gives an error where it is detected.

const { codes } = require('internal/errors');
const { urlToPath } = require('internal/modules/esm/resolve');
const packages = require('internal/modules/package_json');
const stacks = require('internal/errors/stacks');
const { records } = require('internal/modules/esm/record');

const cycleError = (message) => new codes.ERR_REQUIRE_CYCLE_MODULE(message);

function from(module) {
  const parent = module[require('internal/modules/cjs/loader').kParent]?.filename;
  return parent ? ` (from ${parent})` : '';
}

function refuseImport(what, record, i) {
  const importer = record.url.startsWith('file:') ? urlToPath(record.url) : record.url;
  throw cycleError(`Cannot import ${what} ${record.requests[i].specifier} in a cycle. (from ${importer})`);
}

// A required module must not depend on a module that is still running.
function refuseCycles(record, seen = new Set()) {
  seen.add(record);
  record.dependencies.forEach((dependency, i) => {
    if (dependency.status === 'evaluating') refuseImport('Module', record, i);
    if (dependency.status === 'linked' && !seen.has(dependency)) refuseCycles(dependency, seen);
  });
}

// A CommonJS module that has required one of its importers, directly or not.
function refuseRunning(required, record, i) {
  const { Module } = require('internal/modules/cjs/loader');
  const filename = required.url.startsWith('file:') ? urlToPath(required.url) : required.url;
  const known = Module._cache[filename];
  if (known !== undefined && !known.loaded) refuseImport('CommonJS Module', record, i);
}

function requireCycle(module) {
  throw cycleError(`Cannot require() ES Module ${module.filename} in a cycle.${from(module)}`);
}

// Evaluating: modules run after those that they need, in cycles and with top-level await. The algorithms are those of
// the language's specification.

let asyncOrder = 0;

function innerEvaluate(record, stack, index) {
  if (record.compute !== undefined) {
    if (record.status === 'linked') {
      record.status = 'evaluated';
      try {
        record.compute();
      } catch (error) {
        record.failed = true;
        record.error = error;
        throw error;
      }
    } else if (record.failed) {
      throw record.error;
    }
    return index;
  }
  if (record.status === 'evaluating-async' || record.status === 'evaluated') {
    if (record.failed) throw record.error;
    return index;
  }
  if (record.status === 'evaluating') return index;
  record.status = 'evaluating';
  record.index = index;
  record.ancestor = index;
  record.pendingAsync = 0;
  index++;
  stack.push(record);
  for (let i = 0; i < record.dependencies.length; i++) {
    let required = record.dependencies[i];
    if (required.kind === 'commonjs' && required.status === 'linked') refuseRunning(required, record, i);
    index = innerEvaluate(required, stack, index);
    if (required.compute !== undefined) continue;
    if (required.status === 'evaluating') {
      record.ancestor = Math.min(record.ancestor, required.ancestor);
    } else {
      required = required.cycleRoot;
      if (required.failed) throw required.error;
    }
    if (required.asyncOrder > 0) {
      record.pendingAsync++;
      required.asyncParents.push(record);
    }
  }
  if (record.pendingAsync > 0 || record.hasAwait) {
    record.asyncOrder = ++asyncOrder;
    if (record.pendingAsync === 0) executeAsync(record);
  } else {
    try {
      record.run();
    } catch (error) {
      decorateReference(error, record);
      throw error;
    }
  }
  if (record.ancestor === record.index) {
    for (;;) {
      const done = stack.pop();
      done.status = done.asyncOrder > 0 ? 'evaluating-async' : 'evaluated';
      done.cycleRoot = record;
      if (done === record) break;
    }
  }
  return index;
}

const then = Function.prototype.call.bind(Promise.prototype.then);

function executeAsync(record) {
  then(
    record.hasAwait ? record.run() : Promise.resolve(record.run()),
    () => asyncFulfilled(record),
    (error) => asyncRejected(record, error),
  );
}

function gather(record, list) {
  for (const parent of record.asyncParents) {
    if (list.includes(parent) || parent.cycleRoot.failed) continue;
    if (--parent.pendingAsync === 0) {
      list.push(parent);
      if (!parent.hasAwait) gather(parent, list);
    }
  }
  return list;
}

function asyncFulfilled(record) {
  if (record.status === 'evaluated') return;
  record.asyncOrder = -1;
  record.status = 'evaluated';
  record.capability?.resolve();
  const list = gather(record, []).sort((a, b) => a.asyncOrder - b.asyncOrder);
  for (const parent of list) {
    if (parent.status === 'evaluated') continue;
    if (parent.hasAwait) {
      executeAsync(parent);
      continue;
    }
    try {
      parent.run();
    } catch (error) {
      asyncRejected(parent, error);
      continue;
    }
    parent.asyncOrder = -1;
    parent.status = 'evaluated';
    parent.capability?.resolve();
  }
}

function asyncRejected(record, error) {
  if (record.status === 'evaluated' && record.failed) return;
  decorateReference(error, record);
  record.failed = true;
  record.error = error;
  record.status = 'evaluated';
  record.asyncOrder = -1;
  record.capability?.reject(error);
  for (const parent of record.asyncParents) asyncRejected(parent, error);
}

// CommonJS variables do not exist here: the error says what to use instead.
function decorateReference(error, record) {
  if (error?.name !== 'ReferenceError' || typeof error.message !== 'string') return;
  const match = /^(?:Can't find variable: )?(require|exports|module|__filename|__dirname)(?: is not defined)?$/.exec(
    error.message,
  );
  if (match === null) return;
  stacks.adopt(error);
  let message = `${match[1]} is not defined in ES module scope`;
  if (match[1] === 'require') message += ', you can use import instead';
  if (record.url.startsWith('file:') && urlToPath(record.url).endsWith('.js')) {
    const pkg = packages.scopeOf(urlToPath(record.url));
    if (pkg?.type === 'module') {
      message +=
        "\nThis file is being treated as an ES module because it has a '.js' file extension and " +
        `'${pkg.path}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' ` +
        `file extension.`;
    }
  }
  Object.defineProperty(error, 'message', { value: message, writable: true, configurable: true, enumerable: false });
}

function evaluateRecord(record) {
  if (record.status === 'evaluating-async' || record.status === 'evaluated') record = record.cycleRoot ?? record;
  if (record.capability !== undefined) return record.capability.promise;
  const capability = Promise.withResolvers();
  record.capability = capability;
  const stack = [];
  try {
    innerEvaluate(record, stack, 0);
    if (!(record.asyncOrder > 0)) capability.resolve();
  } catch (error) {
    for (const pending of stack) {
      pending.status = 'evaluated';
      pending.failed = true;
      pending.error = error;
      pending.cycleRoot = record;
    }
    capability.reject(error);
  }
  return capability.promise;
}

// The await that keeps the main module from ending, if it can be found.
function findUnsettled() {
  for (const record of records.values()) {
    if (
      record.hasAwait &&
      record.status === 'evaluating-async' &&
      record.pendingAsync === 0 &&
      record.awaits.length > 0
    ) {
      return { file: record.url, ...record.awaits[record.awaiting] };
    }
  }
  return undefined;
}

function hasAsync(record, seen = new Set()) {
  if (seen.has(record)) return false;
  seen.add(record);
  if (record.hasAwait) return true;
  return record.dependencies.some((dependency) => hasAsync(dependency, seen));
}

module.exports = { cycleError, from, refuseCycles, requireCycle, evaluateRecord, findUnsettled, hasAsync, then };
