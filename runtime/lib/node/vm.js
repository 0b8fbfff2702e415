'use strict';

// node:vm. A context is a realm of the engine whose global looks into the program's object first
// (runtime/bind/script/vm.c). A Script is text that was checked for syntax errors; the engine caches compiled code, so
// running it again costs no second parsing.

const { codes, E } = require('internal/errors');
const {
  kValidateObjectAllowNullable,
  kValidateObjectAllowObjects,
  validateArray,
  validateBoolean,
  validateBuffer,
  validateInt32,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
  validateUint32,
} = require('internal/validators');
const { types } = require('util');
const importers = require('internal/vm/importers');
const { textOf } = require('internal/vm/texts');
const { sources } = require('internal/state');

E('ERR_SCRIPT_EXECUTION_TIMEOUT', 'Script execution timed out after %sms', Error);
E('ERR_SCRIPT_EXECUTION_INTERRUPTED', 'Script execution was interrupted by `SIGINT`', Error);

const binding = internalBinding('vm');
const modules = internalBinding('modules');
const runtime = internalBinding('runtime');

const constants = Object.freeze({
  __proto__: null,
  USE_MAIN_CONTEXT_DEFAULT_LOADER: importers.kDefaultLoader,
  DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
});

// ---- realms ----

const realms = new WeakMap(); // by the object that was made a context

// Checks one option if it is given.
function option(options, name, validate, fallback, owner = 'options') {
  const value = options[name];
  if (value === undefined) return fallback;
  validate(value, `${owner}.${name}`);
  return value;
}

class Realm {
  #evaluate;
  #followJobs;
  #global;
  #sandbox;
  #prototypes;
  #native; // names that every global has
  #carried = new Map(); // what scripts declared, as it was when last looked at

  constructor(sandbox, { drains }) {
    const [global, evaluate, setPrototype, followJobs] = binding.makeContext(sandbox, onRejection);
    this.#prototypes = require('internal/vm/prototypes').allow(global, setPrototype);
    this.#global = global;
    this.#evaluate = evaluate;
    this.#followJobs = followJobs;
    this.#sandbox = sandbox;
    this.drains = drains;
    binding.own(() => {
      require('internal/errors/stacks').installIn(global);
      if (internalBinding('runtime').wrongFinally) require('internal/async/engine_corrections').installFinally(global);
      require('internal/worker/waiters').install(global, global.Atomics);
      if (internalBinding('runtime').wrongReturn)
        require('internal/async/engine_corrections').installGeneratorReturn(global);
      if (internalBinding('runtime').virtualTime) require('internal/simulate/date').install(global);
    });
    require('internal/async/realms').add(this);
    if (sandbox !== undefined) this.#native = new Set(this.#ownNames());
  }

  followPromises(follow) {
    binding.own(() => follow(this.#global.Promise, this.#followJobs));
  }

  get global() {
    return this.#global;
  }

  // Only the program's own code counts for a time limit, and the microtasks that it leaves if this context has a queue
  // of its own.
  run(text, url, line, timeout) {
    if (this.#sandbox !== undefined) this.#announce(text.names);
    const prototypes = this.#prototypes;
    const evaluate = this.#evaluate;
    const work = () => {
      try {
        if (prototypes.needsCare) return prototypes.evaluate(evaluate, text.code, url, line);
        return evaluate(text.at(url, line), url, line);
      } finally {
        if (this.drains) internalBinding('runtime').runMicrotasks();
      }
    };
    const { adopt } = require('internal/errors/stacks');
    try {
      return within(timeout, work);
    } catch (error) {
      throw adopt(error);
    } finally {
      if (this.#sandbox !== undefined) within(timeout, () => this.#carry()); // it may call accessors of the script
    }
  }

  // Code without syntax errors.
  runCode(code, url, line) {
    return this.run(
      textOf(code, url, line, () => {}),
      url,
      line,
    );
  }

  #ownNames() {
    return binding.own(() => Object.getOwnPropertyNames(this.#global));
  }

  // A name that the global has as an ordinary property stays one, and the hooks see it.
  #announce(names) {
    for (const name of this.#carried.keys()) {
      if (!(name in this.#sandbox) && binding.own(() => Reflect.deleteProperty(this.#global, name)))
        this.#carried.delete(name);
    }
    if (names === undefined) return;
    for (const name of names) {
      if (this.#native.has(name)) continue;
      if (!(name in this.#sandbox)) this.#sandbox[name] = undefined;
      if (this.#carried.has(name)) continue;
      binding.own(() => {
        this.#global[name] = undefined;
      });
      this.#carried.set(name, undefined);
    }
  }

  // Properties that were set on the global itself all the same: they are copied to the program's object. An accessor is
  // copied as such, and is not called.
  #carry() {
    // What a script declares is enumerable, unlike what every global has: this list is short.
    for (const name of binding.own(() => Object.keys(this.#global))) {
      if (this.#native.has(name)) continue;
      const found = binding.own(() => Object.getOwnPropertyDescriptor(this.#global, name));
      const value = found.get ?? found.set ?? found.value;
      if (this.#carried.has(name) && this.#carried.get(name) === value) continue;
      this.#carried.set(name, value);
      if ('get' in found) {
        Reflect.defineProperty(this.#sandbox, name, found);
        continue;
      }
      if (value !== undefined || !(name in this.#sandbox)) this.#sandbox[name] = value;
    }
  }
}

function onRejection(promise, reason) {
  require('internal/process/promises').onRejection(promise, reason);
}

function realmOf(object) {
  return realms.get(object);
}

function isRealm(object) {
  return typeof object === 'object' && object !== null && realms.has(object);
}

function isContext(object) {
  validateObject(object, 'object', kValidateObjectAllowObjects);
  return realms.has(object);
}

function createContext(object = {}, options = {}) {
  const plain = object === constants.DONT_CONTEXTIFY;
  if (!plain) {
    validateObject(object, 'contextObject', kValidateObjectAllowObjects);
    if (realms.has(object)) return object;
  }
  validateObject(options, 'options');
  option(options, 'name', validateString);
  option(options, 'origin', validateString);
  const codeGeneration = option(options, 'codeGeneration', validateObject, {});
  for (const kind of ['strings', 'wasm']) option(codeGeneration, kind, validateBoolean, true, 'options.codeGeneration');
  const microtaskMode = option(options, 'microtaskMode', (value, name) =>
    validateOneOf(value, name, ['afterEvaluate', undefined]),
  );
  const realm = new Realm(plain ? undefined : object, { drains: microtaskMode === 'afterEvaluate' });
  const context = plain ? realm.global : object;
  realms.set(context, realm);
  const hardening = require('internal/process/hardening');
  if (codeGeneration.strings === false) realm.runCode(hardening.noCodeFromStrings, 'node:vm', 1);
  const stricter = hardening.textForRealms();
  if (stricter !== undefined) realm.runCode(stricter, 'node:vm', 1);
  return context;
}

function contextRealm(object) {
  validateObject(object, 'contextifiedObject', kValidateObjectAllowObjects);
  const realm = realmOf(object);
  if (realm === undefined) throw new codes.ERR_INVALID_ARG_TYPE('contextifiedObject', 'vm.Context', object);
  return realm;
}

// ---- text and its position ----

function placeOf(options, fallback) {
  const indent = option(options, 'columnOffset', validateInt32, 0);
  return {
    filename: option(options, 'filename', validateString, fallback),
    line: option(options, 'lineOffset', validateInt32, 0) + 1,
    indent: indent > 0 ? ' '.repeat(indent) : '',
  };
}

// A syntax error shows the text that contains it.
function checked(place, code, check) {
  try {
    check();
  } catch (error) {
    require('internal/modules/syntax_error').decorate(error, code, place.filename, false);
    const at = error.__rotaSyntax ?? { line: 1, column: 1, width: 1 };
    const underlined = `${code.split('\n')[at.line - 1] ?? ''}\n${' '.repeat(at.column - 1)}${'^'.repeat(at.width)}`;
    const report = `${place.filename}:${at.line + place.line - 1}\n${underlined}\n\n`;
    Object.defineProperty(error, 'stack', {
      __proto__: null,
      value: `${report}${error.name}: ${error.message}\n    at new Script (node:vm)`,
      writable: true,
      configurable: true,
      enumerable: false,
    });
    throw error;
  }
}

function runOptions(options) {
  option(options, 'breakOnSigint', validateBoolean);
  option(options, 'displayErrors', validateBoolean);
  return option(options, 'timeout', (value, name) => validateUint32(value, name, true));
}

function within(timeout, work) {
  if (timeout === undefined) return work();
  const outcome = binding.limited(timeout, work);
  if (outcome === null) throw new codes.ERR_SCRIPT_EXECUTION_TIMEOUT(timeout);
  return outcome[0];
}

// The cached data of a script: enough to recognize the text again.
function fingerprint(code) {
  return require('crypto').createHash('sha256').update(`rota\0${process.versions.node}\0${code}`).digest();
}

// Rewrites `using`, which the engine cannot parse (internal/modules/using), in text that it has refused.
const using = {
  lower(code, place) {
    const lowered = require('internal/modules/cjs/compile').rewriteUsing(code, true, place.filename);
    if (lowered === undefined) return undefined;
    try {
      modules.checkSyntax(lowered, place.filename, place.line);
      return lowered;
    } catch {
      return undefined; // the text has another error, too
    }
  },
  provideHere() {
    if (Object.hasOwn(globalThis, '__rota_import__')) return;
    const { importerFor, cwdUrl } = require('internal/modules/esm/loader');
    Object.defineProperty(globalThis, '__rota_import__', {
      value: importerFor(cwdUrl()),
      configurable: true,
      writable: true,
    });
  },
  provideIn(realm) {
    const { Resources } = require('internal/async/using');
    realm.runCode(
      `Object.defineProperty(globalThis, '__rota_import__', { value: { using: () => new (${Resources})() }, ` +
        `configurable: true })`,
      '',
      1,
    );
  },
};

class Script {
  #text;
  #place;
  #uses = false;

  constructor(code, options = {}) {
    code = `${code}`;
    if (typeof options === 'string') options = { filename: options };
    else validateObject(options, 'options');
    this.#place = placeOf(options, 'evalmachine.<anonymous>');
    const { cachedData, produceCachedData = false, importModuleDynamically } = options;
    if (cachedData !== undefined && !types.isArrayBufferView(cachedData)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.cachedData', ['Buffer', 'TypedArray', 'DataView'], cachedData);
    }
    validateBoolean(produceCachedData, 'options.produceCachedData');
    checkImporter(importModuleDynamically);
    if (importModuleDynamically !== undefined) importers.set(this.#place.filename, importModuleDynamically, this);
    this.#compile(this.#place.indent + code, code);
    if (cachedData !== undefined) {
      const bytes = Buffer.from(cachedData.buffer, cachedData.byteOffset, cachedData.byteLength);
      this.cachedDataRejected = !bytes.equals(fingerprint(code));
    }
    if (produceCachedData) {
      this.cachedData = fingerprint(code);
      this.cachedDataProduced = true;
    }
    this.sourceMapURL = this.#text.sourceMapURL;
  }

  #compile(whole, code) {
    const { filename, line } = this.#place;
    if (line === 1) sources.set(filename, whole);
    const prepare = (text) => textOf(text, filename, line, () => modules.checkSyntax(text, filename, line));
    checked(this.#place, code, () => {
      try {
        this.#text = prepare(whole);
        if (line === 1) sources.set(filename, this.#text.code); // one text for all that are equal
      } catch (error) {
        const lowered = using.lower(whole, this.#place);
        if (lowered === undefined) throw error;
        this.#text = prepare(lowered);
        this.#uses = true;
      }
    });
  }

  createCachedData() {
    return fingerprint(this.#text.code.slice(this.#place.indent.length));
  }

  runInThisContext(options = {}) {
    validateObject(options, 'options');
    const timeout = runOptions(options);
    if (this.#uses) using.provideHere();
    return within(timeout, () => modules.evaluate(this.#text.code, this.#place.filename, this.#place.line));
  }

  runInContext(contextifiedObject, options = {}) {
    const realm = contextRealm(contextifiedObject);
    validateObject(options, 'options');
    const timeout = runOptions(options);
    if (this.#uses) using.provideIn(realm);
    return realm.run(this.#text, this.#place.filename, this.#place.line, timeout);
  }

  runInNewContext(contextObject, options = {}) {
    validateObject(options, 'options');
    return this.runInContext(createContext(contextObject, contextOptions(options)), options);
  }
}
Object.defineProperty(Script.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'ContextifyScript',
  configurable: true,
});

function checkImporter(value) {
  if (value === undefined || typeof value === 'function' || value === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) return;
  throw new codes.ERR_INVALID_ARG_TYPE('options.importModuleDynamically', ['function', 'symbol'], value);
}

// The names of a context's options in the functions that make a context and run code in it.
function contextOptions(options) {
  const { contextName, contextOrigin, contextCodeGeneration, microtaskMode } = options;
  if (contextName !== undefined) validateString(contextName, 'options.contextName');
  if (contextOrigin !== undefined) validateString(contextOrigin, 'options.contextOrigin');
  if (contextCodeGeneration !== undefined) validateObject(contextCodeGeneration, 'options.contextCodeGeneration');
  return { name: contextName, origin: contextOrigin, codeGeneration: contextCodeGeneration, microtaskMode };
}

function named(options) {
  return typeof options === 'string' ? { filename: options } : options;
}

function runInThisContext(code, options) {
  options = named(options);
  return new Script(code, options).runInThisContext(options);
}

function runInContext(code, contextifiedObject, options) {
  contextRealm(contextifiedObject);
  options = named(options);
  return new Script(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options) {
  options = named(options);
  return new Script(code, options).runInNewContext(contextObject, options);
}

function compileFunction(code, params, options = {}) {
  validateString(code, 'code');
  if (params !== undefined) validateStringArray(params, 'params');
  validateObject(options, 'options');
  const place = placeOf(options, '');
  const cachedData = option(options, 'cachedData', validateBuffer);
  const produceCachedData = option(options, 'produceCachedData', validateBoolean, false);
  const realm = option(options, 'parsingContext', (value, name) => {
    if (!isRealm(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'Context', value);
  });
  const contextExtensions = option(options, 'contextExtensions', validateArray, []);
  for (const i of contextExtensions.keys())
    validateObject(contextExtensions[i], `options.contextExtensions[${i}]`, kValidateObjectAllowNullable);
  checkImporter(options.importModuleDynamically);
  // Neither parameters nor body may close the surrounding function: the language's own constructor checks that.
  const url = place.filename;
  checked(place, code, () => new runtime.Function(...(params ?? []), code));
  const list = (params ?? []).join(',');
  const head = `(function (${list}) {`;
  let text = `${head}${code}\n})`;
  if (contextExtensions.length > 0) {
    const names = contextExtensions.map((_, i) => `__scope${i}__`);
    text = `(function (${names}) { ${names.map((name) => `with (${name}) `).join('')}return ${text}; })`;
  }
  if (url !== '') {
    require('internal/errors/frames').registerSource(url, head.length);
    if (place.line === 1) sources.set(url, code);
  }
  let made =
    realm === undefined ? modules.evaluate(text, url, place.line) : realmOf(realm).runCode(text, url, place.line);
  if (contextExtensions.length > 0) made = made(...contextExtensions);
  if (options.importModuleDynamically !== undefined) importers.set(url, options.importModuleDynamically, made);
  Object.defineProperty(made, 'name', { __proto__: null, value: '', configurable: true });
  if (cachedData !== undefined) made.cachedDataRejected = !fingerprint(code).equals(cachedData);
  if (produceCachedData) {
    made.cachedData = fingerprint(code);
    made.cachedDataProduced = true;
  }
  return made;
}

function createScript(code, options) {
  return new Script(code, options);
}

// The engine counts its memory as a whole, not by context.
async function memoryFigures(mode) {
  const used = process.memoryUsage().heapUsed;
  const total = { jsMemoryEstimate: used, jsMemoryRange: [used, used] };
  return mode === 'detailed' ? { total, current: total, other: [] } : { total };
}

function measureMemory(options = {}) {
  validateObject(options, 'options');
  const mode = option(options, 'mode', (value, name) => validateOneOf(value, name, ['detailed', 'summary']), 'summary');
  option(options, 'execution', (value, name) => validateOneOf(value, name, ['default', 'eager']));
  return memoryFigures(mode);
}

module.exports = {
  Script,
  createContext,
  createScript,
  runInContext,
  runInNewContext,
  runInThisContext,
  isContext,
  compileFunction,
  measureMemory,
  constants,
};
