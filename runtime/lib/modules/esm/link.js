'use strict';

// Linking of ES modules, and modules that run step by step.
//
// Modules with top-level await in a cycle. Other modules of the cycle may call their functions before they run, so the
// functions must exist when the cycle is linked. An async function cannot stop before its body; a generator can. So
// such a module is compiled once more, as a generator that yields what it awaits (internal/modules/esm/link drives it).
// Other modules stay async functions: the engine's own await is faster, and nothing needs their functions earlier.

const { evaluate, readText, evaluate: evaluateText } = internalBinding('modules');
const { urlToPath } = require('internal/modules/esm/resolve');
const { makeNamespace } = require('internal/modules/esm/namespace');
const { locate } = require('internal/modules/esm/locate');

// The records of a list that are in a cycle of imports with others, by Tarjan's algorithm.
function inCycles(list) {
  const members = new Set(list);
  const places = new Map(); // record -> { index, low, isOpen }
  const stack = [];
  const found = new Set();
  const visit = (record) => {
    const place = { index: places.size, low: places.size, isOpen: true };
    places.set(record, place);
    stack.push(record);
    for (const dependency of record.dependencies) {
      if (!members.has(dependency)) continue;
      const known = places.get(dependency);
      if (known === undefined) place.low = Math.min(place.low, visit(dependency).low);
      else if (known.isOpen) place.low = Math.min(place.low, known.index);
    }
    if (place.low === place.index) {
      const component = stack.splice(stack.indexOf(record));
      for (const member of component) {
        places.get(member).isOpen = false;
        if (component.length > 1) found.add(member);
      }
    }
    return place;
  };
  for (const record of list) if (!places.has(record)) visit(record);
  return found;
}

// -> the function that makes the generator; undefined: the parser does not know the syntax that the engine has accepted
function compileStepped(record) {
  const { transform } = require('internal/modules/esm/transform');
  const frames = require('internal/errors/frames');
  let result;
  try {
    result = transform(record.text, record.url, true);
  } catch {
    return undefined;
  }
  frames.registerSource(record.url, result.headLength, record.text);
  return evaluate(result.code, record.url);
}

// Linking: a graph of records is loaded, each imported name is resolved, and every module gets its bindings. The
// functions that internal/modules/esm/transform makes do what the engine would do with a module's environment.

function loadInto(seen, record) {
  if (record.status !== 'new') return;
  record.status = 'loading';
  seen.push(record);
  for (const { specifier, attributes, isSource } of record.requests) {
    const dependency = locate(specifier, record.url, attributes, isSource);
    record.dependencies.push(dependency);
    loadInto(seen, dependency);
  }
  record.status = 'loaded';
}

// If a part fails, the whole graph is as it was before: in a cycle, records may depend on one that is not loaded.
function loadGraph(record) {
  const seen = [];
  try {
    loadInto(seen, record);
  } catch (error) {
    for (const member of seen) {
      member.status = 'new';
      member.dependencies = [];
    }
    throw error;
  }
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

// A module with top-level await whose functions others need before it runs. The driver awaits what it yields: a native
// `await`, so that it takes as many jobs as in the module itself.
async function drive(generator) {
  let step = generator.next();
  while (!step.done) {
    let value;
    try {
      value = await step.value;
    } catch (error) {
      step = generator.throw(error);
      continue;
    }
    step = generator.next(value);
  }
}

function instantiate(record, inCycle) {
  if (record.kind !== 'module') return;
  const stepped = record.hasAwait && inCycle ? compileStepped(record) : undefined;
  const fn = stepped ?? record.compiled ?? evaluateText(record.code, record.url);
  record.code = record.compiled = record.text = undefined;
  const parameters = [
    (getters, named) => {
      record.getters = getters;
      for (const [bindings, name, own] of record.unbound) bind(bindings, name, getters[own]);
      record.unbound = [];
      if (named) Object.defineProperty(named, 'name', { value: 'default', configurable: true });
    },
    require('internal/modules/esm/import').makeMeta(record),
    require('internal/modules/esm/import').importerFor(record.url, record),
  ];
  for (const dependency of record.dependencies) parameters.push(dependency.bindings, new Lazy(dependency));
  if (record.hasAwait && stepped === undefined) {
    record.run = () => fn(...parameters);
  } else {
    const generator = fn(...parameters);
    generator.next();
    record.run = record.hasAwait ? () => drive(generator) : () => generator.next();
  }
}

function bind(bindings, name, get) {
  Object.defineProperty(bindings, name, { get, enumerable: true, configurable: false });
}

// A module that is an async function has no getters before it runs. Nothing reads its variables before that, unless it
// is in a cycle and could not be compiled as a generator.
function bindLater({ bindings }, name, found) {
  const get = () => {
    throw new ReferenceError(`Cannot access '${name}' before initialization`);
  };
  Object.defineProperty(bindings, name, { get, enumerable: true, configurable: true });
  found.record.unbound.push([bindings, name, found.name]);
}

function buildBindings(record) {
  for (const name of exportNames(record)) {
    const found = resolveExport(record, name);
    if (found === null || found === 'ambiguous') continue;
    if (found.name === '*') bind(record.bindings, name, () => namespaceOf(found.record));
    else if (found.record.getters !== undefined) bind(record.bindings, name, found.record.getters[found.name]);
    else bindLater(record, name, found);
  }
  Object.preventExtensions(record.bindings); // `ns.x = 1` goes straight to them
}

// Where a name is imported: the line, if the whole statement is on one line.
function findRequest(record, specifier, name) {
  const text =
    require('internal/state').sources.get(record.url) ??
    (record.url.startsWith('file:') ? readText(urlToPath(record.url)) : '');
  const lines = typeof text === 'string' ? text.split('\n') : [];
  const word = new RegExp(`\\b${name.replace(/[^\w]/g, '\\$&')}\\b`);
  const at = lines.findIndex(
    (line) => /\b(?:import|export)\b/.test(line) && line.includes(specifier) && word.test(line),
  );
  return at === -1 ? undefined : { file: record.url, line: at + 1, column: lines[at].search(word) + 1 };
}

// Re-exports that lead in a circle: the step that comes to a name for the second time.
function findCircle(record, request, name) {
  const seen = new Set();
  for (const [exported, indirect] of record.indirect)
    if (indirect.request === request && indirect.name === name) seen.add(`${record.url}\x00${exported}`);
  let step = { from: record, request, name };
  for (;;) {
    const target = step.from.dependencies[step.request];
    const key = `${target.url}\x00${step.name}`;
    if (seen.has(key)) return { name: step.name, specifier: step.from.requests[step.request].specifier };
    seen.add(key);
    const indirect = target.indirect.get(step.name);
    if (indirect === undefined) return undefined;
    step = { from: target, request: indirect.request, name: indirect.name };
  }
}

function missing(record, request, name) {
  const target = record.dependencies[request];
  const { specifier } = record.requests[request];
  const place = findRequest(record, specifier, name);
  const circle = findCircle(record, request, name);
  let message;
  if (circle !== undefined) {
    message = `Detected cycle while resolving name '${circle.name}' in '${circle.specifier}'`;
  } else if (resolveExport(target, name) === 'ambiguous') {
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
  const list = []; // each module after its dependencies
  const seen = new Set();
  const collect = (record) => {
    if (record.status !== 'loaded' || seen.has(record)) return;
    seen.add(record);
    record.dependencies.forEach(collect);
    list.push(record);
  };
  collect(root);
  for (const record of list) {
    for (const [request, name] of record.checks) {
      const found = resolveExport(record.dependencies[request], name);
      if (found === null || found === 'ambiguous') throw missing(record, request, name);
    }
  }
  const cyclic = list.some(({ hasAwait }) => hasAwait) ? inCycles(list) : undefined;
  for (const record of list) instantiate(record, cyclic?.has(record));
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
