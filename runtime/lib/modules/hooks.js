'use strict';

// module.registerHooks(): functions of the program between a specifier and its URL, and between a URL and its source.
// Both loaders test `active` first, so that a program without hooks pays for one test. The loaders pass in their own
// default steps.

const { codes } = require('internal/errors');

class Context {
  constructor(fields) {
    Object.assign(this, fields);
  }
}
class ModuleResolveContext extends Context {}
class ModuleLoadContext extends Context {}

const registered = []; // the newest comes first

function checkResolved(result, isEnd) {
  if (isEnd && result?.shortCircuit !== true) throw bad('true', 'resolve', 'shortCircuit', result?.shortCircuit);
  const { url, format, importAttributes } = result;
  if (typeof url !== 'string') throw bad('a URL string', 'resolve', 'url', url);
  if (format != null && typeof format !== 'string') throw bad('a string', 'resolve', 'format', format);
  if (importAttributes != null && typeof importAttributes !== 'object')
    throw bad('an object', 'resolve', 'importAttributes', importAttributes);
}

const isBytes = (value) => ArrayBuffer.isView(value) || require('util').types.isAnyArrayBuffer(value);

function checkLoaded(result, isEnd) {
  if (isEnd && result?.shortCircuit !== true) throw bad('true', 'load', 'shortCircuit', result?.shortCircuit);
  const { format, source } = result;
  if (format != null && typeof format !== 'string') throw bad('a string', 'load', 'format', format);
  if (source != null && typeof source !== 'string' && !isBytes(source)) {
    throw bad('a string, an ArrayBuffer, or a TypedArray', 'load', 'source', source);
  }
}

function bad(wanted, hook, property, value) {
  return new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(wanted, hook, property, value, 'hook');
}

// Runs the hooks of one kind from `list`, each with a `next` that runs the rest; the last step is the loader's.
function runChain(list, kind, subject, context, check, lastStep) {
  const [first, ...rest] = list;
  if (first === undefined) return lastStep(subject, context);
  let passedOn = false;
  const next = (nextSubject = subject, nextContext = undefined) => {
    passedOn = true;
    const merged =
      nextContext == null
        ? context
        : Object.assign(Object.create(Object.getPrototypeOf(context)), context, nextContext);
    return runChain(rest, kind, nextSubject, merged, check, lastStep);
  };
  const result = first[kind](subject, context, next);
  check(result, !passedOn);
  return result;
}

function withHook(kind) {
  return registered.filter((hooks) => typeof hooks[kind] === 'function');
}

const hooks = {
  active: false, // any at all
  inThread: false, // those of registerHooks(): they are require()'s, too
  remote: undefined, // internal/modules/hooks_remote, once it has some

  resolve(specifier, parentURL, importAttributes, conditions, lastStep) {
    const context = new ModuleResolveContext({ parentURL, importAttributes, conditions });
    const result = runChain(withHook('resolve'), 'resolve', specifier, context, checkResolved, lastStep);
    if (!URL.canParse(result.url)) throw new codes.ERR_INVALID_URL(result.url);
    return result;
  },

  load(url, format, importAttributes, conditions, lastStep) {
    const context = new ModuleLoadContext({ format, importAttributes, conditions });
    return runChain(withHook('load'), 'load', url, context, checkLoaded, lastStep);
  },

  needSource(source) {
    return bad('a string, an ArrayBuffer, or a TypedArray', 'load', 'source', source);
  },
};

class ModuleHooks {
  constructor(resolve, load) {
    this.resolve = resolve;
    this.load = load;
  }

  deregister() {
    const at = registered.indexOf(this);
    if (at !== -1) registered.splice(at, 1);
    hooks.inThread = registered.length > 0;
    hooks.active = hooks.inThread || hooks.remote !== undefined;
  }

  [Symbol.dispose]() {
    this.deregister();
  }
}

function registerHooks(given) {
  const { validateFunction } = require('internal/validators');
  const { resolve, load } = given;
  if (resolve) validateFunction(resolve, 'hooks.resolve');
  if (load) validateFunction(load, 'hooks.load');
  const entry = new ModuleHooks(resolve, load);
  registered.unshift(entry);
  hooks.inThread = hooks.active = true;
  return entry;
}

// The source that a hook gave, as text.
function textOf(source) {
  const text = typeof source === 'string' ? source : new TextDecoder('utf-8', { ignoreBOM: true }).decode(source);
  return require('internal/modules/helpers').stripBOM(text);
}

module.exports = { hooks, registerHooks, textOf };
