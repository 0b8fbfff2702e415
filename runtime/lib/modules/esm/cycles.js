'use strict';

// Cycles through require(), which the language does not allow: each gives an error where it is detected.

const { codes } = require('internal/errors');
const { urlToPath } = require('internal/modules/esm/resolve');

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

module.exports = { cycleError, from, refuseCycles, refuseRunning, requireCycle };
