'use strict';

// import(), also in code that was made from text.
//
// import() and import.meta: what the loader gives to a module.

const { codes, E } = require('internal/errors');
const { hooks } = require('internal/modules/hooks');
const { resolve, urlToPath } = require('internal/modules/esm/resolve');
const { resolveHooked } = require('internal/modules/esm/hooked');
const { locate } = require('internal/modules/esm/locate');
const { link, loadGraph, namespaceOf } = require('internal/modules/esm/link');
const { evaluateRecord, then } = require('internal/modules/esm/evaluate');

function attributesFrom(options) {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null)
    throw new TypeError('The second argument to import() must be an object');
  const given = options.with;
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null) throw new TypeError("The 'with' option must be an object");
  const result = { __proto__: null };
  for (const key of Object.keys(given)) {
    if (typeof given[key] !== 'string') throw new TypeError('Import attribute value must be a string');
    result[key] = given[key];
  }
  return result;
}

// Node does not promise how many microtasks an import() takes, but programs depend on the order that follows from it: 5
// before the evaluation of a module that is not linked yet, and 2 for each level below it, 2 for a known module, and 4
// after the evaluation or a failure. A module that require() has linked is available at once, and once it has run,
// import() does not wait for it.
function levels(record, seen = new Set()) {
  seen.add(record);
  let count = 0;
  for (const dependency of record.dependencies)
    if (!seen.has(dependency)) count = Math.max(count, 1 + levels(dependency, seen));
  return count;
}

async function pass(microtasks) {
  while (microtasks-- > 0) await undefined;
}

async function importFrom(specifier, base, options) {
  // What cannot be converted rejects at once.
  const text = `${specifier}`;
  const attributes = attributesFrom(options);
  try {
    const record = locate(text, base, attributes);
    loadGraph(record);
    if (record.isRequired) {
      await undefined;
    } else if (record.status === 'loaded' && record.arrival === undefined) {
      record.arrival = pass(4 + 2 * levels(record));
      await record.arrival;
    } else {
      await undefined;
      // All importers of a module that is being loaded continue one after the other when it is loaded.
      await (record.status === 'loaded' ? record.arrival : undefined);
    }
    try {
      link(record);
    } catch (error) {
      record.failedLink = true;
      throw error;
    }
    const root = record.cycleRoot ?? record;
    if (record.isRequired && record.status === 'evaluated') {
      if (record.failed || root.failed) throw (record.failed ? record : root).error;
    } else {
      const hadFailed = record.failed;
      const evaluation = evaluateRecord(record);
      if (record.kind === 'commonjs' && record.failed && !hadFailed) {
        then(evaluation, undefined, () => {});
        throw record.error;
      }
      await evaluation;
    }
    await undefined;
    await undefined;
    await undefined;
    await undefined;
    return namespaceOf(record);
  } catch (error) {
    await undefined;
    await undefined;
    await undefined;
    await undefined;
    throw error;
  }
}

// import() and import.source() of a module. For `yield*` in asynchronous generators, and `using`, see there.
const delegate = (iterable) => require('internal/async/delegate').delegate(iterable);
const using = () => new (require('internal/async/using').Resources)();
const each = () => new (require('internal/async/delegate').Each)();

function importerFor(base, record) {
  const importer = (specifier, options) => importFrom(specifier, base, options);
  importer.source = async (specifier) => {
    const record = locate(`${specifier}`, base, undefined, true);
    link(record);
    await evaluateRecord(record);
    return record.values.default;
  };
  importer.delegate = delegate;
  if (record !== undefined) {
    importer.at = (number, value) => {
      record.awaiting = number;
      return value;
    };
  }
  if (internalBinding('runtime').wrongOrder !== undefined) Object.assign(importer, require('internal/async/order'));
  importer.using = using;
  importer.each = each;
  return importer;
}

function makeMeta(record) {
  const meta = { __proto__: null };
  if (record.url.startsWith('file:')) {
    const path = urlToPath(record.url);
    meta.dirname = path.slice(0, path.lastIndexOf('/')) || '/';
    meta.filename = path;
  }
  meta.main = record.isMain === true;
  meta.resolve = function (specifier, parent) {
    if (typeof specifier !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('specifier', 'string', specifier);
    const base =
      parent !== undefined && require('internal/process/flags').hasFlag('--experimental-import-meta-resolve')
        ? `${parent}`
        : record.url;
    try {
      return hooks.active ? resolveHooked(specifier, base, undefined).url : resolve(specifier, base);
    } catch (error) {
      if (error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT' || (error?.code === 'ERR_MODULE_NOT_FOUND' && error.url))
        return error.url;
      throw error;
    }
  };
  Object.defineProperty(meta.resolve, 'name', { value: 'resolve' });
  meta.url = record.url;
  return meta;
}

// import() in code that was made from text at run time: by `new Function`, eval, or node:vm. It is resolved relative to
// the nearest file on the stack.

E('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING', 'A dynamic import callback was not specified.', TypeError);

const isFile = (name) => name.startsWith('/') || name.startsWith('file:');

function importEvaluated(specifier) {
  const { pathToUrl } = require('internal/modules/esm/resolve');
  for (const frame of require('internal/errors/stacks').callSites(20)) {
    const name = frame.file;
    if (frame.native || !name || name.startsWith('node:')) continue;
    const answer = require('internal/vm/importers').ask(name, specifier);
    if (answer !== undefined) return answer;
    if (isFile(name)) return importFrom(specifier, name.startsWith('/') ? pathToUrl(name) : name);
    if (name.startsWith('evalmachine.')) return Promise.reject(new codes.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING());
  }
  return importFrom(specifier, `${pathToUrl(process.cwd())}/[eval]`);
}

module.exports = { importerFor, importFrom, makeMeta, importEvaluated };
