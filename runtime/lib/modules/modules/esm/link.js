'use strict';

// Linking: a graph of records is loaded, each imported name is resolved, and every module gets its bindings. The
// functions that internal/modules/esm/transform makes do what the engine would do with a module's environment.

const { readText, evaluate: evaluateText } = internalBinding('modules');
const { urlToPath } = require('internal/modules/esm/resolve');
const { makeNamespace } = require('internal/modules/esm/namespace');
const { locate } = require('internal/modules/esm/locate');

function loadGraph(record) {
  if (record.status !== 'new') return;
  record.status = 'loading';
  try {
    for (const { specifier, attributes, isSource } of record.requests) {
      const dependency = locate(specifier, record.url, attributes, isSource);
      record.dependencies.push(dependency);
      loadGraph(dependency);
    }
  } catch (error) {
    record.status = 'new';
    record.dependencies = [];
    throw error;
  }
  record.status = 'loaded';
}

function resolveExport(record, name, seen = new Set()) {
  const key = `${record.url}\x00${name}`;
  if (seen.has(key)) return null;
  seen.add(key);
  if (record.localNameSet === undefined) record.localNameSet = new Set(record.localNames);
  if (record.localNameSet.has(name)) return { record, name };
  const indirect = record.indirect.get(name);
  if (indirect !== undefined) {
    const target = record.dependencies[indirect.request];
    if (indirect.name === '*') return { record: target, name: '*' };
    return resolveExport(target, indirect.name, seen);
  }
  if (name === 'default') return null;
  let found = null;
  for (const request of record.stars) {
    const candidate = resolveExport(record.dependencies[request], name, seen);
    if (candidate === 'ambiguous') return candidate;
    if (candidate === null) continue;
    if (found === null) found = candidate;
    else if (found.record !== candidate.record || found.name !== candidate.name) return 'ambiguous';
  }
  return found;
}

function exportNames(record, seen = new Set()) {
  if (seen.has(record)) return new Set();
  seen.add(record);
  const names = new Set(record.localNames);
  for (const name of record.indirect.keys()) names.add(name);
  for (const request of record.stars) {
    for (const name of exportNames(record.dependencies[request], seen)) if (name !== 'default') names.add(name);
  }
  return names;
}

// Where a module has the namespace of another as a value: it is made when first used, and cannot be assigned to.
class Lazy {
  #record;

  constructor(record) {
    this.#record = record;
  }

  get ns() {
    return namespaceOf(this.#record);
  }
}

function instantiate(record) {
  if (record.kind !== 'module') return;
  const fn = record.compiled ?? evaluateText(record.code, record.url);
  record.code = record.compiled = undefined;
  const parameters = [
    (getters, named) => {
      record.getters = getters;
      if (named) Object.defineProperty(named, 'name', { value: 'default', configurable: true });
    },
    require('internal/modules/esm/import').makeMeta(record),
    require('internal/modules/esm/import').importerFor(record.url, record),
  ];
  for (const dependency of record.dependencies) parameters.push(dependency.bindings, new Lazy(dependency));
  if (record.hasAwait) {
    record.run = () => fn(...parameters);
  } else {
    const generator = fn(...parameters);
    generator.next();
    record.run = () => generator.next();
  }
}

function buildBindings(record) {
  for (const name of exportNames(record)) {
    const found = resolveExport(record, name);
    if (found === null || found === 'ambiguous') continue;
    let get;
    if (found.name === '*') get = () => namespaceOf(found.record);
    else if (found.record.getters !== undefined) get = found.record.getters[found.name];
    else {
      get = () => {
        const { getters } = found.record;
        if (getters === undefined) throw new ReferenceError(`Cannot access '${name}' before initialization`);
        return getters[found.name]();
      };
    }
    Object.defineProperty(record.bindings, name, { get, enumerable: true, configurable: false });
  }
  Object.preventExtensions(record.bindings); // `ns.x = 1` goes straight to them
}

// Where a name is imported: the line, if the whole statement is on one line.
function findRequest(record, specifier, name) {
  const text =
    require('internal/process/sources').get(record.url) ??
    (record.url.startsWith('file:') ? readText(urlToPath(record.url)) : '');
  const lines = typeof text === 'string' ? text.split('\n') : [];
  const word = new RegExp(`\\b${name.replace(/[^\w]/g, '\\$&')}\\b`);
  const at = lines.findIndex(
    (line) => /\b(?:import|export)\b/.test(line) && line.includes(specifier) && word.test(line),
  );
  return at === -1 ? undefined : { file: record.url, line: at + 1, column: lines[at].search(word) + 1 };
}

function missing(record, request, name) {
  const target = record.dependencies[request];
  const { specifier } = record.requests[request];
  const place = findRequest(record, specifier, name);
  let message;
  if (resolveExport(target, name) === 'ambiguous') {
    message = `The requested module '${specifier}' contains conflicting star exports for name '${name}'`;
  } else if (target.kind === 'commonjs' && !/\.[cm]?ts$/.test(target.url)) {
    message =
      `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not ` +
      `support all ` +
      'module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example ' +
      'using:\n\n' +
      `import pkg from '${specifier}';\n`;
    if (place !== undefined || specifier.includes("'")) {
      const names = record.checks
        .filter(([at, wanted]) => at === request && wanted !== 'default')
        .map(([, wanted, local]) => (wanted === local ? wanted : `${wanted}: ${local}`));
      message += `const { ${names.join(', ')} } = pkg;\n`;
    }
  } else {
    message = `The requested module '${specifier}' does not provide an export named '${name}'`;
  }
  const error = new SyntaxError(message);
  if (place !== undefined)
    Object.defineProperty(error, '__rotaSyntax', {
      value: place,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  return error;
}

function link(root) {
  loadGraph(root);
  const list = [];
  const collect = (record) => {
    if (record.status !== 'loaded' || list.includes(record)) return;
    list.push(record);
    record.dependencies.forEach(collect);
  };
  collect(root);
  for (const record of list) {
    for (const [request, name] of record.checks) {
      const found = resolveExport(record.dependencies[request], name);
      if (found === null || found === 'ambiguous') throw missing(record, request, name);
    }
  }
  for (const record of list) instantiate(record);
  for (const record of list) buildBindings(record);
  for (const record of list) record.status = 'linked';
}

function namespaceOf(record) {
  if (record.namespace === undefined) {
    const names = [];
    for (const name of exportNames(record)) {
      const found = resolveExport(record, name);
      if (found !== null && found !== 'ambiguous') names.push(name);
    }
    record.namespace = makeNamespace(record.bindings, names);
  }
  return record.namespace;
}

module.exports = { exportNames, link, loadGraph, namespaceOf };
