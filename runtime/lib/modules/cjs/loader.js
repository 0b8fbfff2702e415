'use strict';

// CommonJS: the entry points of the loader. A request is resolved (resolve.js); its module is loaded (load.js),
// compiled and called (compile.js). A module that is still running is returned as it is (cycle.js).

const path = require('path');
const { evaluate, checkSyntax: engineCheck } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const packages = require('internal/modules/package_json');
const stacks = require('internal/errors/stacks');
const { hooks } = require('internal/modules/hooks');
const { initialize, kIsMain, kParent, Module, readSource } = require('internal/modules/cjs/module');
const { makeRequire } = require('internal/modules/cjs/require');
const { main: ended, rewriteCalls, rewriteUsing } = require('internal/modules/cjs/compile');
const { loadGiven, setLoadObserver } = require('internal/modules/cjs/load');
require('internal/modules/cjs/resolve');
require('internal/modules/cjs/api');

// Completes the main module that the bootstrap has made.
function adoptMain(main) {
  Object.setPrototypeOf(main, Module.prototype);
  Object.defineProperty(main, kParent, { value: null, writable: true, configurable: true, enumerable: false });
  main[kIsMain] = true;
  main.paths = Module._nodeModulePaths(main.path);
  Module._cache[main.filename] = main;
  initialize();
  const require_ = makeRequire(main);
  require_.main = main;
  return require_;
}

function runMain(main = process.argv[1]) {
  const file = Module._findPath(path.resolve(main), null, true);
  if (
    file &&
    (hooks.remote !== undefined ||
      /\.(?:m[jt]s|wasm)$/.test(file) ||
      (!/\.(?:c[jt]s|json|node)$/.test(file) && packages.scopeOf(file)?.type === 'module'))
  ) {
    return require('internal/modules/esm/loader').runMain(file);
  }
  Module._load(path.resolve(main), null, true);
  return ended.promise;
}
Module.runMain = runMain;

// The working directory; it may have been removed.
function startDirectory() {
  try {
    return process.cwd();
  } catch {
    return path.dirname(process.execPath);
  }
}

function preload(id) {
  const parent = new Module('internal/preload', null);
  parent.paths = Module._nodeModulePaths(startDirectory());
  parent.filename = path.join(startDirectory(), 'noop');
  preloading.depth++;
  try {
    parent.require(id);
  } finally {
    preloading.depth--;
  }
}
const preloading = { depth: 0 };
Object.defineProperty(Module.prototype, 'isPreloading', { __proto__: null, get: () => preloading.depth > 0 });
Module._preloadModules = (list) => list?.forEach(preload);

// A syntax error may come from the program's own code.
function canBeParsed(text, name) {
  try {
    engineCheck(text, name);
    return true;
  } catch {
    return false;
  }
}

// Text that is no JavaScript may be TypeScript: { code } without its types, or { note }, its error as TypeScript.
function withoutTypes(text, name) {
  const typescript = require('internal/modules/typescript');
  if (!typescript.isEnabled()) return {};
  const { sources } = require('internal/state');
  try {
    const code = typescript.blank(text, name);
    sources.set(name, code);
    return { code };
  } catch (error) {
    sources.set(name, text);
    return { note: error.message };
  }
}

// -e and standard input: a script in the global scope, with `require` and its companions as globals.
function runText(name, text, settle, mayBeTyped = true) {
  const module = new Module(name, undefined);
  module.filename = path.join(startDirectory(), name);
  module.paths = Module._nodeModulePaths(startDirectory());
  globalThis.exports = module.exports;
  globalThis.module = module;
  globalThis.require = makeRequire(module);
  globalThis.__filename = name;
  globalThis.__dirname = '.';
  for (const id of helpers.builtinModules) {
    if (id.includes('/') || id.startsWith('_') || id.startsWith('node:') || Object.hasOwn(globalThis, id)) continue;
    Object.defineProperty(globalThis, id, {
      get: () => helpers.loadBuiltin(id),
      set(value) {
        Object.defineProperty(globalThis, id, { value, writable: true, configurable: true, enumerable: true });
      },
      configurable: true,
      enumerable: false,
    });
  }
  // The global of that name is the web's; in code of the command line it is the module, unless the code declares it.
  const script = name === '[eval]' && /\bcrypto\b/.test(text) ? `let crypto=require("node:crypto");{${text}\n}` : text;
  let rewritten;
  try {
    rewritten = rewriteCalls(script, true, name);
    if (/\busing\b/.test(script) && !canBeParsed(rewritten ?? script, name))
      rewritten = rewriteUsing(script, true, name) ?? rewritten;
    if (rewritten !== undefined) {
      const { importerFor, cwdUrl } = require('internal/modules/esm/loader');
      Object.defineProperty(globalThis, '__rota_import__', {
        value: importerFor(cwdUrl()),
        configurable: true,
        writable: true,
      });
    }
    return { value: evaluate(rewritten ?? script, name) };
  } catch (error) {
    if (!(error instanceof SyntaxError) || canBeParsed(rewritten ?? script, name)) throw error;
    const { looksLikeModule } = require('internal/modules/esm/rewrite');
    const { textUrl } = require('internal/modules/esm/resolve');
    const isOpen = require('internal/process/flags').valuesOf('--input-type').length === 0;
    if (isOpen && looksLikeModule(text, textUrl(name))) {
      const promise = require('internal/modules/esm/loader').runText(text, name);
      settle(promise);
      return { promise };
    }
    const { code, note } = isOpen && mayBeTyped ? withoutTypes(text, name) : {};
    if (code !== undefined) return runText(name, code, settle, false);
    require('internal/modules/syntax_error').decorate(error, script, name, false);
    if (note !== undefined && error.__rotaSyntax !== undefined) error.__rotaSyntax.note = note;
    throw stacks.adopt(error);
  }
}

function checkSyntax(file) {
  const filename = Module._findPath(file, null, true) || file;
  const text = readSource(filename);
  const isModule =
    filename.endsWith('.mjs') || (filename.endsWith('.js') && packages.scopeOf(filename)?.type === 'module');
  checkText(text, filename, isModule);
}

function checkText(text, filename, isModule) {
  const transform = require('internal/modules/esm/transform');
  if (isModule) {
    transform.parse(text, filename);
    return;
  }
  try {
    engineCheck(`(function () {${text.startsWith('#!') ? `//${text}` : text}\n})`, filename);
  } catch (error) {
    if (rewriteUsing(text, false) !== undefined) return;
    if (transform.looksLikeModule(text)) {
      transform.parse(text, filename);
      return;
    }
    throw stacks.adopt(require('internal/modules/syntax_error').decorate(error, text, filename, false));
  }
}

module.exports = {
  Module,
  initialize,
  preload,
  runMain,
  runText,
  adoptMain,
  checkSyntax,
  checkText,
  readSource,
  loadGiven,
  setLoadObserver,
  kParent,
};
