'use strict';

// ES modules: the entry points of the loader. A record is located (locate.js) and made (make.js, wasm.js, commonjs.js),
// linked with its dependencies (link.js) and evaluated (evaluate.js).

const { codes } = require('internal/errors');
const { hooks } = require('internal/modules/hooks');
const { pathToUrl, cwdUrl, textUrl } = require('internal/modules/esm/resolve');
const { formatOf } = require('internal/modules/esm/format');
const { getRecord, locate } = require('internal/modules/esm/locate');
const { link } = require('internal/modules/esm/link');
const { evaluateRecord, findUnsettled, requireCycle } = require('internal/modules/esm/evaluate');
const { importFrom, importerFor } = require('internal/modules/esm/import');
const { requireEsm } = require('internal/modules/esm/require');
const { defaultStep } = require('internal/modules/esm/hooked');
const { syncBuiltins } = require('internal/modules/esm/make');

// A failure is reported two microtasks later than possible, as in Node: programs can observe which code still runs.
async function evaluateMain(record) {
  try {
    await evaluateRecord(record);
  } catch (error) {
    await undefined;
    throw error;
  }
}

async function runMain(file) {
  process.mainModule = undefined;
  if (require('internal/process/flags').valuesOf('--input-type').length > 0)
    throw new codes.ERR_INPUT_TYPE_NOT_ALLOWED();
  await undefined; // a module is evaluated inside of a microtask
  const url = pathToUrl(file);
  const record = hooks.active
    ? locate(url, undefined, undefined)
    : getRecord(url, undefined, { format: formatOf(url) === 'detect' ? 'module' : undefined });
  record.isMain = true;
  link(record);
  await evaluateMain(record);
}

async function runText(text, name) {
  const url = textUrl(name);
  require('internal/state').sources.set(url, text);
  await undefined;
  const record = getRecord(url, undefined, { format: 'module', text });
  record.isMain = true;
  link(record);
  await evaluateMain(record);
}

module.exports = {
  importFrom,
  defaultStep,
  importerFor,
  runMain,
  runText,
  requireEsm,
  requireCycle,
  fileUrl: pathToUrl,
  cwdUrl,
  syncBuiltins,
  findUnsettled,
};
