'use strict';

// Globals whose work the engine finishes later, by tasks of its own: modules of WebAssembly that are compiled, objects of a
// FinalizationRegistry that were collected. The loop looks for such tasks once a program touches one
// of these (runtime/binding/tasks.c), and stays alive while promises that depend on them are pending.

const binding = internalBinding('tasks');

let isWatching = false;
function watch() {
  if (isWatching) return;
  isWatching = true;
  binding.watch();
}

function settled(value) {
  binding.reference(-1);
  return value;
}

function failed(error) {
  binding.reference(-1);
  throw error;
}

// The loop lives at least until the promise is settled.
function kept(promise) {
  binding.reference(1);
  return promise.then(settled, failed);
}

// In the place of a method that gives a promise.
function keep(object, name) {
  const method = object[name];
  if (typeof method !== 'function') return;
  const keeping = { [name](...given) { return kept(Reflect.apply(method, this, given)); } }[name];
  Object.defineProperty(keeping, 'length', { value: method.length, configurable: true });
  object[name] = keeping;
}

// ---- from responses of fetch ----

async function bytesOf(source) {
  const { codes } = require('internal/errors');
  const { Response } = globalThis;
  const response = await source;
  const refuse = (reason) => Object.assign(new TypeError(`WebAssembly response ${reason}`), { code: 'ERR_WEBASSEMBLY_RESPONSE' });
  if (!(response instanceof Response)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
  const type = response.headers.get('Content-Type');
  if (type !== 'application/wasm') throw refuse(`has unsupported MIME type '${type}'`);
  if (!response.ok) throw refuse(`has status code ${response.status}`);
  if (response.bodyUsed) throw refuse('body has already been used');
  return response.arrayBuffer();
}

const preparations = {
  FinalizationRegistry() {},
  WebAssembly(namespace) {
    keep(namespace, 'compile');
    keep(namespace, 'instantiate');
    const { compile, instantiate } = namespace;
    Object.assign(namespace, {
      async compileStreaming(source) {
        return compile(await bytesOf(source));
      },
      async instantiateStreaming(source, imports = undefined) {
        return instantiate(await bytesOf(source), imports);
      },
    });
  },
};

function prepare(name, original) {
  watch();
  preparations[name](original);
  return original;
}

module.exports = { prepare };
