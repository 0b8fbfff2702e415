'use strict';

// ES modules: loading a graph, linking it, evaluating it. The algorithms are those of the language's specification
// (cyclic module records); what the engine would do with a module's environment is done by the functions that
// internal/modules/esm/transform makes of it.

const { codes } = require('internal/errors');
const { readText, evaluate: evaluateText } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const stacks = require('internal/process/stacks');
const { hooks, textOf } = require('internal/modules/hooks');
const { resolve, resolveNew, pathToUrl, urlToPath } = require('internal/modules/esm/resolve');
const { makeNamespace } = require('internal/modules/esm/namespace');

const records = new Map(); // url and type -> record
let asyncOrder = 0;

// Fields are defined, not assigned: a program may have put setters on Object.prototype.
class ModuleRecord {
  url;
  kind;
  status = 'new'; // new, loading, loaded, linked, evaluating, evaluating-async, evaluated
  requests = [];
  dependencies = [];
  localNames = [];
  indirect = new Map();
  stars = [];
  checks = [];
  hasAwait = false;
  getters = undefined;
  bindings = { __proto__: null };
  namespace = undefined;
  error = undefined;
  failed = false;
  index = 0;
  ancestor = 0;
  cycleRoot = undefined;
  asyncOrder = 0;
  pendingAsync = 0;
  asyncParents = [];
  capability = undefined;
  arrival; // a promise, from the first import() on
  failedLink = false;
  run = undefined;
  snapshot = undefined;
  requireNamespace = undefined;
  localNameSet = undefined;
  isMain = undefined;
  awaits = undefined;
  code = undefined;
  compute = undefined;
  values = undefined;

  constructor(url, kind) {
    this.url = url;
    this.kind = kind;
  }
}

// ---- loading ----

function formatOf(url) {
  const path = urlToPath(url);
  const dot = path.lastIndexOf('.');
  const extension = dot > path.lastIndexOf('/') + 0 ? path.slice(dot) : '';
  switch (extension) {
    case '.mjs': return 'module';
    case '.cjs': return 'commonjs';
    case '.json': return 'json';
    case '.node': return 'addon';
    case '.js': {
      const type = packages.scopeOf(path)?.type ?? 'none';
      return type === 'none' ? 'detect' : type;
    }
    case '': return (packages.scopeOf(path)?.type ?? 'none') === 'module' ? 'module' : 'detect';
    case '.wasm': return 'wasm';
    default: throw new codes.ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  }
}

function readSource(url, base) {
  const path = urlToPath(url);
  const text = readText(path);
  if (typeof text === 'number') {
    const { uvException } = require('internal/errors');
    throw uvException({ errno: text, syscall: 'open', path });
  }
  return helpers.stripBOM(text);
}

function checkAttributes(attributes, format, url) {
  if (attributes !== undefined) {
    for (const key of Object.keys(attributes)) {
      if (key !== 'type') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(key, attributes[key], url);
    }
  }
  const type = attributes?.type;
  if (format === 'json') {
    if (type === undefined) throw new codes.ERR_IMPORT_ATTRIBUTE_MISSING(url, 'type', 'json');
    if (type !== 'json') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
    return;
  }
  if (type === undefined || (type === 'text' && format === 'text')) return;
  if (type !== 'json' && type !== 'css') throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  throw new codes.ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE(url, type);
}

function checkKeys(attributes, url) {
  if (attributes === undefined) return;
  for (const key of Object.keys(attributes)) {
    if (key !== 'type' || (attributes.type !== 'json' && attributes.type !== 'css' && attributes.type !== 'text')) {
      throw new codes.ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(key, attributes[key], url);
    }
  }
}

// ---- through the program's hooks ----

const kFormats = { '.mjs': 'module', '.cjs': 'commonjs', '.json': 'json', '.wasm': 'wasm', '.node': 'addon' };

// What is known of a URL's format without a look into it. null: the text will tell.
function formatHint(url) {
  if (url.startsWith('node:')) return 'builtin';
  if (!url.startsWith('file:')) return undefined;
  const path = urlToPath(url);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = name.slice(name.lastIndexOf('.') + 1 === 0 ? name.length : name.lastIndexOf('.'));
  if (extension in kFormats) return kFormats[extension];
  const type = packages.scopeOf(path)?.type ?? 'none';
  if (extension === '.js') return type === 'none' ? null : type;
  return extension === '' ? (type === 'none' ? null : type) : undefined;
}

// A URL of a scheme that only a hook can load.
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
  return { __proto__: null, url, format: specifier.startsWith('node:') ? undefined : formatHint(url), importAttributes: undefined };
}

function loadStep(url, { format, importAttributes }) {
  if (url.startsWith('node:')) return { __proto__: null, format: 'builtin', responseURL: url, source: undefined };
  if (url.startsWith('data:')) {
    const { type, bytes } = parseData(url);
    format ??= type === 'application/json' ? 'json' : /^(?:text|application)\/javascript$/.test(type) ? 'module' : undefined;
    if (format === undefined) throw new codes.ERR_UNKNOWN_MODULE_FORMAT(type, url);
    return { __proto__: null, format, responseURL: url, source: bytes };
  }
  if (!url.startsWith('file:')) throw new codes.ERR_UNSUPPORTED_ESM_URL_SCHEME(new URL(url), ['file', 'data', 'node']);
  if (format == null) format = formatOf(url);
  if (importAttributes !== undefined) checkAttributes(importAttributes, format, url);
  const source = require('fs').readFileSync(urlToPath(url));
  if (format === 'detect') format = isModuleText(textOf(source), url) ? 'module' : 'commonjs';
  return { __proto__: null, format, responseURL: url, source };
}

const plainAttributes = (attributes) => Object.assign({ __proto__: null }, attributes);

function resolveHooked(specifier, base, attributes) {
  return hooks.resolve(specifier, base, plainAttributes(attributes), [...helpers.importConditions], hooks.remote?.resolve ?? resolveStep);
}

function makeHooked(url, attributes, hint) {
  const { format, source } = hooks.load(url, hint, plainAttributes(attributes), [...helpers.importConditions], hooks.remote?.load ?? loadStep);
  if (format === 'builtin') return makeBuiltin(url);
  if (format === 'wasm') return makeWasm(url, source);
  if (format === 'commonjs') {
    return makeCommonJS(url, source == null ? readSource(url) : textOf(source), source != null);
  }
  if (format !== 'module' && format !== 'json' && format !== 'text') throw new codes.ERR_UNKNOWN_MODULE_FORMAT(format, url);
  if (source == null) throw hooks.needSource(source);
  const text = textOf(source);
  if (format === 'json') return makeJson(url, text);
  if (format === 'text') return makeText(url, text);
  require('internal/process/sources').set(url, text);
  return makeSource(url, text);
}

// From what a module asks for to its record.
function locate(specifier, base, attributes, isSource) {
  if (isSource) return sourcePhase(hooks.active ? resolveHooked(specifier, base, attributes).url : resolve(specifier, base ?? cwdUrl()));
  if (!hooks.active) return getRecord(resolve(specifier, base ?? cwdUrl()), attributes);
  const { url, format, importAttributes } = resolveHooked(specifier, base, attributes);
  return getRecord(url, importAttributes ?? attributes, { hint: format });
}

// The module itself, compiled and not run, as the value of a default export.
function sourcePhase(url) {
  const key = `${url}\x00source`;
  let record = records.get(key);
  if (record === undefined) {
    if (url.startsWith('node:') || url.startsWith('data:') || formatOf(url) !== 'wasm') throw new codes.ERR_SOURCE_PHASE_NOT_DEFINED(url);
    const compiled = compileWasm(url);
    record = makeSynthetic(url, 'source', ['default'], () => { record.values.default = compiled; });
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
    let format = given?.format ?? formatOf(url);
    checkAttributes(attributes, format, url);
    if (format === 'addon') throw new codes.ERR_FEATURE_NOT_AVAILABLE('Importing native add-ons');
    if (format === 'json') {
      record = makeJsonFile(url);
    } else if (format === 'wasm') {
      record = makeWasm(url);
    } else if (format === 'module') {
      record = makeSource(url, given?.text ?? readSource(url));
    } else {
      const text = given?.text ?? readSource(url);
      if (format === 'detect') format = isModuleText(text, url) ? 'module' : 'commonjs';
      record = format === 'module' ? makeSource(url, text) : makeCommonJS(url, text);
    }
  }
  records.set(key, record);
  return record;
}

function isModuleText(text, url) {
  if (!/\bimport\b|\bexport\b|\bawait\b/.test(text)) return false;
  try {
    internalBinding('modules').checkSyntax(`(function (exports, require, module, __filename, __dirname) {${text.startsWith('#!') ? '//' : ''}${text}\n})`, url);
    return false;
  } catch {
    return require('internal/modules/esm/transform').looksLikeModule(text);
  }
}

function makeSource(url, text) {
  const { transform } = require('internal/modules/esm/transform');
  const record = new ModuleRecord(url, 'module');
  const result = transform(text, url);
  record.requests = result.requests;
  record.localNames = result.localNames;
  for (const [name, request, imported] of result.indirect) record.indirect.set(name, { request, name: imported });
  record.stars = result.stars;
  record.checks = result.checks;
  record.hasAwait = result.hasAwait;
  record.awaits = result.awaits;
  record.code = result.code;
  stacks.registerSource(url, result.headLength);
  return record;
}

const compiledWasm = new Map(); // url -> WebAssembly.Module, the same in both phases

function compileWasm(url, source) {
  let compiled = compiledWasm.get(url);
  if (compiled === undefined) {
    giveModuleSource();
    compiled = new WebAssembly.Module(source ?? require('fs').readFileSync(urlToPath(url)));
    compiledWasm.set(url, compiled);
  }
  return compiled;
}

// What a source phase import gives has, in the language's words, the prototype of %AbstractModuleSource% above its own. The
// engine has none yet.
let hasModuleSource = false;
function giveModuleSource() {
  if (hasModuleSource) return;
  hasModuleSource = true;
  const { prototype } = WebAssembly.Module;
  if (Object.getPrototypeOf(prototype) !== Object.prototype) return;
  const AbstractModuleSource = function AbstractModuleSource() {
    throw new TypeError('AbstractModuleSource is not a constructor');
  };
  Object.defineProperty(AbstractModuleSource.prototype, Symbol.toStringTag, {
    get() { return this instanceof WebAssembly.Module ? 'WebAssembly.Module' : undefined; },
    configurable: true,
    enumerable: false,
  });
  Object.setPrototypeOf(prototype, AbstractModuleSource.prototype);
  Object.setPrototypeOf(WebAssembly.Module, AbstractModuleSource);
}

// A WebAssembly module: its imports are modules, its exports are names. Exported globals are seen as their values.
function makeWasm(url, source) {
  const compiled = compileWasm(url, source);
  const record = new ModuleRecord(url, 'wasm');
  const imports = WebAssembly.Module.imports(compiled);
  const exports = WebAssembly.Module.exports(compiled);
  for (const { module, name } of imports) {
    if (/^wasm-js:/.test(module)) throw new WebAssembly.LinkError(`Invalid Wasm import "${module}" in ${url}`);
    if (/^wasm(?:-js)?:/.test(name)) throw new WebAssembly.LinkError(`Invalid Wasm import name "${name}" in ${url}`);
  }
  for (const { name } of exports) {
    if (/^wasm(?:-js)?:/.test(name)) throw new WebAssembly.LinkError(`Invalid Wasm export name "${name}" in ${url}`);
  }
  const modules = [...new Set(imports.map(({ module }) => module))];
  record.requests = modules.map((specifier) => ({ specifier, attributes: undefined }));
  record.localNames = exports.map(({ name }) => name);
  record.checks = imports.map(({ module, name }) => [modules.indexOf(module), name, name]);
  let values;
  record.getters = { __proto__: null };
  for (const { name } of exports) {
    record.getters[name] = () => {
      if (values === undefined) throw new ReferenceError(`Cannot access '${name}' before initialization`);
      return values[name];
    };
  }
  record.run = () => {
    const given = { __proto__: null };
    modules.forEach((module, i) => { given[module] = namespaceOf(record.dependencies[i]); });
    const instance = new WebAssembly.Instance(compiled, given);
    const found = { __proto__: null };
    for (const { name, kind } of exports) {
      const value = instance.exports[name];
      if (kind !== 'global') {
        found[name] = value;
        continue;
      }
      Object.defineProperty(found, name, { enumerable: true, get: () => value.value });
    }
    values = found;
  };
  return record;
}

// A module whose values are computed at once: CommonJS, JSON, built-in ones.
function makeSynthetic(url, kind, names, compute) {
  const record = new ModuleRecord(url, kind);
  record.localNames = names;
  record.values = { __proto__: null };
  record.compute = compute;
  record.getters = { __proto__: null };
  for (const name of names) record.getters[name] = () => record.values[name];
  record.status = 'loaded';
  return record;
}

function makeBuiltin(url) {
  const id = url.slice(5);
  const exports = helpers.loadBuiltin(id);
  const names = (typeof exports === 'object' && exports !== null) || typeof exports === 'function' ?
    Object.keys(exports).filter((name) => name !== 'default') : [];
  const record = makeSynthetic(url, 'builtin', ['default', ...names], () => {
    record.values.default = exports;
    for (const name of names) record.values[name] = getOrUndefined(exports, name);
  });
  return record;
}

function getOrUndefined(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

function syncBuiltins() {
  for (const record of records.values()) if (record.kind === 'builtin' && record.status === 'evaluated') record.compute();
}

function makeJson(url, text) {
  const value = require('internal/modules/json').parseJson(text, `${url.startsWith('file:') ? urlToPath(url) : url}: `);
  const record = makeSynthetic(url, 'json', ['default'], () => { record.values.default = value; });
  return record;
}

// JSON files are shared with require(): one object for both.
function makeJsonFile(url) {
  const filename = urlToPath(url);
  const { Module } = require('internal/modules/cjs/loader');
  const isPlain = !/[?#]/.test(url);
  const cached = !isPlain ? undefined : Module._cache[filename];
  if (cached?.loaded) {
    const known = makeSynthetic(url, 'json', ['default'], () => { known.values.default = cached.exports; });
    return known;
  }
  const record = makeJson(url, readSource(url));
  record.compute();
  const module = new Module(filename);
  module.filename = filename;
  module.exports = record.values.default;
  module.loaded = true;
  if (isPlain) Module._cache[filename] = module;
  return record;
}

function makeText(url, text) {
  const record = makeSynthetic(url, 'text', ['default'], () => { record.values.default = text; });
  return record;
}

function parseData(url) {
  const match = /^data:([^,;]+)?((?:;[^,]*)?),([^]*)$/.exec(url);
  if (match === null) throw new codes.ERR_INVALID_URL(url);
  const [, type = 'text/plain', parameters, body] = match;
  return { type, bytes: Buffer.from(decodeURIComponent(body), /;base64$/i.test(parameters) ? 'base64' : 'utf8') };
}

function makeData(url, attributes) {
  const { type, bytes } = parseData(url);
  const text = bytes.toString();
  if (type === 'application/json') {
    checkAttributes(attributes, 'json', url);
    return makeJson(url, text);
  }
  if (type !== 'text/javascript' && type !== 'application/javascript') throw new codes.ERR_UNKNOWN_MODULE_FORMAT(type, url);
  checkAttributes(attributes, 'module', url);
  require('internal/process/sources').set(url, text);
  return makeSource(url, text);
}

// ---- CommonJS, seen from ES modules ----

function commonNames(text, filename, seen = new Set()) {
  if (seen.has(filename)) return [];
  seen.add(filename);
  const lexer = require('internal/deps/cjs-module-lexer');
  let found;
  try {
    found = lexer.parse(text);
  } catch {
    return [];
  }
  const names = new Set(found.exports);
  if (found.reexports.length > 0) {
    const { Module } = require('internal/modules/cjs/loader');
    const parent = { id: filename, filename, path: filename.slice(0, filename.lastIndexOf('/')), paths: Module._nodeModulePaths(filename.slice(0, filename.lastIndexOf('/'))) };
    for (const request of found.reexports) {
      try {
        const file = Module._resolveFilename(request, parent, false);
        if (helpers.isBuiltin(file)) {
          for (const name of Object.keys(helpers.loadBuiltin(file))) names.add(name);
        } else if (/\.(?:js|cjs)$/.test(file)) {
          for (const name of commonNames(readSource(pathToUrl(file)), file, seen)) names.add(name);
        }
      } catch {
        // what cannot be found now says so when it is run
      }
    }
  }
  return [...names];
}

// What a CommonJS module exports for importers is what it exported when it had been run, by whomever.
function keepSnapshot(module) {
  const record = records.get(pathToUrl(module.filename));
  if (record?.kind === 'commonjs' && record.snapshot === undefined) record.snapshot = { exports: module.exports };
}

function makeCommonJS(url, text, isGiven = false) {
  const filename = url.startsWith('file:') ? urlToPath(url) : url;
  const cjs = require('internal/modules/cjs/loader');
  const { Module } = cjs;
  cjs.setLoadObserver(keepSnapshot);
  const names = new Set(['default', 'module.exports']);
  for (const name of commonNames(text, filename)) if (name !== 'default') names.add(name);
  const record = makeSynthetic(url, 'commonjs', [...names], () => {
    let exports;
    const cached = Module._cache[filename];
    if (record.snapshot !== undefined) exports = record.snapshot.exports;
    else if (cached?.loaded) exports = cached.exports;
    else if (isGiven) exports = require('internal/modules/cjs/loader').loadGiven(filename, text, record.isMain);
    else if (record.isMain) exports = Module._load(filename, null, true);
    else exports = Module._load(filename, undefined, false);
    for (const name of names) {
      if (name === 'module.exports') {
        record.values[name] = exports;
      } else if (name === 'default') {
        record.values.default = exports;
      } else if (exports !== null && (typeof exports === 'object' || typeof exports === 'function') && Object.hasOwn(exports, name)) {
        record.values[name] = getOrUndefined(exports, name);
      }
    }
  });
  return record;
}

// ---- linking ----

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

function instantiate(record) {
  if (record.kind !== 'module') return;
  const fn = evaluateText(record.code, record.url);
  record.code = undefined;
  const parameters = [
    (getters, named) => {
      record.getters = getters;
      if (named) Object.defineProperty(named, 'name', { value: 'default', configurable: true });
    },
    makeMeta(record),
    importerFor(record.url),
  ];
  for (const dependency of record.dependencies) parameters.push(dependency.bindings, () => namespaceOf(dependency));
  if (record.hasAwait) {
    record.run = () => fn(...parameters);
  } else {
    const generator = fn(...parameters);
    generator.next();
    record.run = () => generator.next();
  }
}

// import() and import.source() of a module.
function importerFor(base) {
  const importer = (specifier, options) => importFrom(specifier, base, options);
  importer.source = async (specifier) => {
    const record = locate(`${specifier}`, base, undefined, true);
    link(record);
    await evaluateRecord(record);
    return record.values.default;
  };
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
  meta.resolve = function(specifier) {
    if (typeof specifier !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('specifier', 'string', specifier);
    try {
      return hooks.active ? resolveHooked(specifier, record.url, undefined).url : resolve(specifier, record.url);
    } catch (error) {
      if (error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT' || (error?.code === 'ERR_MODULE_NOT_FOUND' && error.url)) return error.url;
      throw error;
    }
  };
  Object.defineProperty(meta.resolve, 'name', { value: 'resolve' });
  meta.url = record.url;
  return meta;
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
    Object.defineProperty(record.bindings, name, { get, enumerable: true, configurable: true });
  }
}

// Where a name is asked for: the line, if the whole statement stands on one.
function findRequest(record, specifier, name) {
  const text = require('internal/process/sources').get(record.url) ?? (record.url.startsWith('file:') ? readText(urlToPath(record.url)) : '');
  const lines = typeof text === 'string' ? text.split('\n') : [];
  const word = new RegExp(`\\b${name.replace(/[^\w]/g, '\\$&')}\\b`);
  const at = lines.findIndex((line) => /\b(?:import|export)\b/.test(line) && line.includes(specifier) && word.test(line));
  return at === -1 ? undefined : { file: record.url, line: at + 1, column: lines[at].search(word) + 1 };
}

function missing(record, request, name) {
  const target = record.dependencies[request];
  const { specifier } = record.requests[request];
  const place = findRequest(record, specifier, name);
  let message;
  if (resolveExport(target, name) === 'ambiguous') {
    message = `The requested module '${specifier}' contains conflicting star exports for name '${name}'`;
  } else if (target.kind === 'commonjs') {
    message = `Named export '${name}' not found. The requested module '${specifier}' is a CommonJS module, which may not support all ` +
      'module.exports as named exports.\nCommonJS modules can always be imported via the default export, for example using:\n\n' +
      `import pkg from '${specifier}';\n`;
    if (place !== undefined || specifier.includes("'")) {
      const names = record.checks.filter(([at, wanted]) => at === request && wanted !== 'default')
        .map(([, wanted, local]) => (wanted === local ? wanted : `${wanted}: ${local}`));
      message += `const { ${names.join(', ')} } = pkg;\n`;
    }
  } else {
    message = `The requested module '${specifier}' does not provide an export named '${name}'`;
  }
  const error = new SyntaxError(message);
  if (place !== undefined) Object.defineProperty(error, '__rotaSyntax', { value: place, writable: true, configurable: true, enumerable: false });
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

// ---- evaluating ----

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
  then(record.hasAwait ? record.run() : Promise.resolve(record.run()), () => asyncFulfilled(record), (error) => asyncRejected(record, error));
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
  for (const parent of record.asyncParents) asyncRejected(parent, error);
  record.capability?.reject(error);
}

// The names of CommonJS are none here: the error says what to do instead.
function decorateReference(error, record) {
  if (error?.name !== 'ReferenceError' || typeof error.message !== 'string') return;
  const match = /^(?:Can't find variable: )?(require|exports|module|__filename|__dirname)(?: is not defined)?$/.exec(error.message);
  if (match === null) return;
  stacks.adopt(error);
  let message = `${match[1]} is not defined in ES module scope`;
  if (match[1] === 'require') message += ', you can use import instead';
  if (record.url.startsWith('file:') && urlToPath(record.url).endsWith('.js')) {
    const pkg = packages.scopeOf(urlToPath(record.url));
    if (pkg?.type === 'module') {
      message += "\nThis file is being treated as an ES module because it has a '.js' file extension and " +
        `'${pkg.path}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.`;
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

// The await that keeps the main module from its end, as far as it can be told.
function findUnsettled() {
  for (const record of records.values()) {
    if (record.hasAwait && record.status === 'evaluating-async' && record.pendingAsync === 0 && record.awaits.length > 0) {
      return { file: record.url, ...record.awaits[0] };
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

// ---- entries ----

function attributesFrom(options) {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null) throw new TypeError("The second argument of import() must be an object");
  const given = options.with;
  if (given === undefined) return undefined;
  if (typeof given !== 'object' || given === null) throw new TypeError("The 'options' argument of import() must have an object 'with'");
  const result = { __proto__: null };
  for (const key of Object.keys(given)) {
    if (typeof given[key] !== 'string') throw new TypeError('Import attribute value must be a string');
    result[key] = given[key];
  }
  return result;
}

// How many microtasks an import() takes is no promise of Node's, but programs come to depend on the order that
// follows from it: 5 before the evaluation and 2 for each level of modules not loaded yet, 2 for a known module, and
// 4 after the evaluation or a failure.
function levels(record) {
  const seen = new Set([record]);
  let count = 0;
  for (let level = [record]; ; count++) {
    const next = [];
    for (const module of level) {
      for (const dependency of module.dependencies) {
        if (dependency.status !== 'loaded' || seen.has(dependency)) continue;
        seen.add(dependency);
        next.push(dependency);
      }
    }
    if (next.length === 0) return count;
    level = next;
  }
}

async function pass(microtasks) {
  while (microtasks-- > 0) await undefined;
}

async function importFrom(specifier, base, options) {
  try {
    const record = locate(`${specifier}`, base, attributesFrom(options));
    loadGraph(record);
    if (record.status === 'loaded' && record.arrival === undefined) {
      record.arrival = pass(4 + 2 * levels(record));
      await record.arrival;
    } else {
      await undefined;
      // All who want a module that is on its way go on one behind the other, when it is there.
      await (record.status === 'loaded' ? record.arrival : undefined);
    }
    try {
      link(record);
    } catch (error) {
      record.failedLink = true;
      throw error;
    }
    await evaluateRecord(record);
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

function cwdUrl() {
  return pathToUrl(`${process.cwd()}/`);
}

async function runMain(file) {
  process.mainModule = undefined;
  if (require('internal/process/flags').valuesOf('--input-type').length > 0) throw new codes.ERR_INPUT_TYPE_NOT_ALLOWED();
  await undefined; // a module is evaluated inside of a microtask
  const url = pathToUrl(file);
  const record = hooks.active ? locate(url, undefined, undefined) :
    getRecord(url, undefined, { format: formatOf(url) === 'detect' ? 'module' : undefined });
  record.isMain = true;
  link(record);
  await evaluateRecord(record);
}

async function runText(text, name) {
  const url = `${cwdUrl()}${name.replace(']', '1]')}`;
  require('internal/process/sources').set(url, text);
  await undefined;
  const record = getRecord(url, undefined, { format: 'module', text });
  record.isMain = true;
  link(record);
  await evaluateRecord(record);
}

// require() of an ES module
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

// ---- cycles through require() ----

const cycleError = (message) => new codes.ERR_REQUIRE_CYCLE_MODULE(message);

function from(module) {
  const parent = module[require('internal/modules/cjs/loader').kParent]?.filename;
  return parent ? ` (from ${parent})` : '';
}

function refuseImport(what, record, i) {
  const importer = record.url.startsWith('file:') ? urlToPath(record.url) : record.url;
  throw cycleError(`Cannot import ${what} ${record.requests[i].specifier} in a cycle. (from ${importer})`);
}

// What is required must not need a module that still runs, further up.
function refuseCycles(record, seen = new Set()) {
  seen.add(record);
  record.dependencies.forEach((dependency, i) => {
    if (dependency.status === 'evaluating') refuseImport('Module', record, i);
    if (dependency.status === 'linked' && !seen.has(dependency)) refuseCycles(dependency, seen);
  });
}

// A CommonJS module that has required its way to an importer of it.
function refuseRunning(required, record, i) {
  const { Module } = require('internal/modules/cjs/loader');
  const filename = required.url.startsWith('file:') ? urlToPath(required.url) : required.url;
  const known = Module._cache[filename];
  if (known !== undefined && !known.loaded) refuseImport('CommonJS Module', record, i);
}

function requireCycle(module) {
  throw cycleError(`Cannot require() ES Module ${module.filename} in a cycle.${from(module)}`);
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

// The last step of a chain of asynchronous hooks. CommonJS is read by its own loader.
function defaultStep(kind, subject, context) {
  if (kind === 'resolve') return resolveStep(subject, context);
  const result = loadStep(subject, context);
  if (result.format === 'commonjs') result.source = null;
  return result;
}

module.exports = { importFrom, defaultStep, importerFor, runMain, runText, requireEsm, requireCycle, fileUrl: pathToUrl, cwdUrl, syncBuiltins, findUnsettled };
