'use strict';

// What JavaScript adds to bindings, by the binding's name. Each function gets the object of the C side.

module.exports = {
  __proto__: null,

  uv(binding) {
    const rows = binding.errors();
    let map;
    binding.getErrorMap = () => (map ??= new Map(rows.map(([errno, name, text]) => [errno, [name, text]])));
    binding.errname = (errno) => binding.getErrorMap().get(errno)?.[0] ?? `Unknown system error ${errno}`;
    for (const [errno, name] of rows) binding[`UV_${name}`] = errno;
  },

  util(binding) {
    binding.getPromiseDetails = binding.promiseDetails;
    binding.getProxyDetails = (value, both = true) => {
      const details = binding.proxyDetails(value);
      if (details !== undefined && require('internal/state').namespaces.has(value)) return undefined;
      return details === undefined || both ? details : details[0];
    };
    binding.getCallSites = (count) =>
      require('internal/errors/stacks')
        .callSites(count + 1)
        .slice(1)
        .map((frame) => ({
          functionName: frame.name === '__rota_module__' ? '' : frame.name,
          scriptId: '0',
          scriptName: frame.file ?? '',
          lineNumber: frame.line,
          columnNumber: frame.column,
          column: frame.column,
        }));
    binding.adoptError = (error) => require('internal/errors/stacks').adopt(error);
    binding.sleep = (ms) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    };
  },

  types(binding) {
    const kindOf = internalBinding('runtime').hidesKinds
      ? require('internal/inspect/kind_by_methods').kindOf
      : internalBinding('util').cellType;
    // A sample is made when it is first needed. The constructors are taken now: a program may change the globals.
    const { Date, Map, Promise, Set, WeakMap, WeakSet } = globalThis;
    const { entries } = Map.prototype;
    const { values } = Set.prototype;
    const like = (makeSample) => {
      let type;
      return (value) =>
        typeof value === 'object' && value !== null && kindOf(value) === (type ??= kindOf(makeSample()));
    };
    let promiseKind; // asked for before hooks hear of promises (internal/async/promise_jobs)
    binding.promiseKind = () => (promiseKind ??= kindOf(new Promise(() => {})));
    binding.isPromise = (value) =>
      typeof value === 'object' && value !== null && kindOf(value) === binding.promiseKind();
    binding.isMap = like(() => new Map());
    binding.isSet = like(() => new Set());
    binding.isWeakMap = like(() => new WeakMap());
    binding.isWeakSet = like(() => new WeakSet());
    binding.isDate = like(() => new Date());
    binding.isRegExp = like(() => /a/);
    binding.isMapIterator = like(() => Reflect.apply(entries, new Map(), []));
    binding.isSetIterator = like(() => Reflect.apply(values, new Set(), []));
    binding.isProxy = (value) =>
      (typeof value === 'object' || typeof value === 'function') &&
      value !== null &&
      internalBinding('util').getProxyDetails(value) !== undefined;
    binding.isModuleNamespaceObject = (value) =>
      typeof value === 'object' && value !== null && require('internal/state').namespaces.has(value);
    binding.isNativeError = (value) => require('internal/errors/stacks').isNativeError(value);
  },
};
