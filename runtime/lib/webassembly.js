'use strict';

// The asynchronous functions of WebAssembly. The engine would deliver their results through the main loop of another
// library. These functions compile synchronously, which is fast (functions are translated when they are first called),
// and deliver the result in a later iteration of the loop, which they keep alive until then.

const { codes, E } = require('internal/errors');
const { setImmediate } = require('internal/timers/immediates');

E('ERR_WEBASSEMBLY_RESPONSE', 'WebAssembly response %s', TypeError);

const kBytes = 'a buffer source';
const kEither = 'a buffer source or a WebAssembly.Module object';

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

function later(work) {
  let outcome;
  try {
    outcome = [work()];
  } catch (error) {
    return new Promise((_, reject) => setImmediate(reject, error));
  }
  return new Promise((resolve) => setImmediate(resolve, outcome[0]));
}

function install(wasm) {
  const { Module, Instance } = wasm;

  function compileBytes(bytes) {
    return later(() => new Module(bytes));
  }
  function instantiateBytes(bytes, imports, given) {
    return later(() => {
      const module = new Module(bytes);
      return { module, instance: given ? new Instance(module, imports) : new Instance(module) };
    });
  }
  function checkImports(imports) {
    if (imports !== undefined && (imports === null || (typeof imports !== 'object' && typeof imports !== 'function'))) {
      throw new TypeError('WebAssembly.instantiate(): Argument 1 must be an object');
    }
  }

  // The bytes of a response, or of the promise of one.
  async function bytesOf(source) {
    const response = await source;
    if (!(response instanceof Response)) {
      throw new codes.ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
    }
    const type = response.headers.get('content-type');
    if (type !== 'application/wasm') throw new codes.ERR_WEBASSEMBLY_RESPONSE(`has unsupported MIME type '${type}'`);
    if (!response.ok) throw new codes.ERR_WEBASSEMBLY_RESPONSE(`has status code ${response.status}`);
    if (response.bodyUsed) throw new codes.ERR_WEBASSEMBLY_RESPONSE('body has already been used');
    return response.arrayBuffer();
  }

  const functions = {
    async compile(bytes) {
      if (!isBytes(bytes)) throw new TypeError(`WebAssembly.compile(): Argument 0 must be ${kBytes}`);
      return compileBytes(bytes);
    },
    async instantiate(source, imports = undefined) {
      checkImports(imports);
      if (source instanceof Module) return imports === undefined ? new Instance(source) : new Instance(source, imports);
      if (!isBytes(source)) throw new TypeError(`WebAssembly.instantiate(): Argument 0 must be ${kEither}`);
      return instantiateBytes(source, imports, imports !== undefined);
    },
    async compileStreaming(source) {
      return compileBytes(await bytesOf(source));
    },
    async instantiateStreaming(source, imports = undefined) {
      checkImports(imports);
      return instantiateBytes(await bytesOf(source), imports, imports !== undefined);
    },
  };
  for (const name of Object.keys(functions)) {
    Object.defineProperty(wasm, name, {
      __proto__: null,
      value: functions[name],
      writable: true,
      configurable: true,
      enumerable: true,
    });
  }
  return wasm;
}

module.exports = { install };
