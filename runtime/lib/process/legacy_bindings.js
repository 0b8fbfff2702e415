'use strict';

// process.binding(), deprecated: the few of Node's internal objects that packages still use. `natives` has the names of
// built-in modules, not their text.

const makers = {
  __proto__: null,

  natives() {
    const names = require('module').builtinModules.filter((name) => !name.startsWith('node:'));
    return Object.fromEntries(names.map((name) => [name, '']));
  },

  constants() {
    return {
      os: require('os').constants,
      fs: require('fs').constants,
      crypto: require('crypto').constants,
      zlib: require('zlib').constants,
      trace: {},
    };
  },

  config() {
    return {
      isDebugBuild: false,
      hasOpenSSL: true,
      hasIntl: true,
      hasInspector: false,
      noBrowserGlobals: false,
      bits: 64,
    };
  },

  uv() {
    const { errname, getErrorMap } = internalBinding('uv');
    const names = [...getErrorMap()].map(([number, [name]]) => [`UV_${name}`, number]);
    return { errname, ...Object.fromEntries(names) };
  },

  util() {
    const { types } = require('util');
    const names = [
      'isArrayBuffer',
      'isAsyncFunction',
      'isDate',
      'isExternal',
      'isMap',
      'isMapIterator',
      'isNativeError',
      'isPromise',
      'isRegExp',
      'isSet',
      'isSetIterator',
      'isAnyArrayBuffer',
      'isArrayBufferView',
      'isDataView',
      'isTypedArray',
      'isUint8Array',
    ];
    return Object.fromEntries(names.map((name) => [name, types[name]]));
  },

  tty_wrap() {
    return { isTTY: require('tty').isatty };
  },

  spawn_sync() {
    return require('internal/child_process/child').waiting;
  },
};

const made = new Map();

function find(name) {
  if (!made.has(name)) {
    if (makers[name] === undefined) throw new Error(`No such module: ${name}`);
    made.set(name, makers[name]());
  }
  return made.get(name);
}

module.exports = { find };
