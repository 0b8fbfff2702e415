'use strict';

// Records of WebAssembly modules: their imports are modules, their exports are names.

const { urlToPath } = require('internal/modules/esm/resolve');
const { ModuleRecord } = require('internal/modules/esm/record');

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

// By the language, the value of a source phase import inherits from %AbstractModuleSource%.prototype. The engine does
// not have it yet.
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
    get() {
      return this instanceof WebAssembly.Module ? 'WebAssembly.Module' : undefined;
    },
    configurable: true,
    enumerable: false,
  });
  Object.setPrototypeOf(prototype, AbstractModuleSource.prototype);
  Object.setPrototypeOf(WebAssembly.Module, AbstractModuleSource);
}

// A WebAssembly module: its imports are modules, its exports are names. Exported globals are shown as their values.
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
    modules.forEach((module, i) => {
      given[module] = require('internal/modules/esm/link').namespaceOf(record.dependencies[i]);
    });
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

module.exports = { compileWasm, makeWasm };
