'use strict';

// process.versions: the versions that the libraries report. A library that is loaded on first use (such as OpenSSL) is
// asked when its entry is read: a program that reads Node's version loads none of them. Programs may add entries, as
// Yarn does with Plug'n'Play.

const binding = internalBinding('process');

function make(node) {
  const { acorn, amaro, undici, 'cjs-module-lexer': lexer } = require('internal/deps/versions');
  const { ares, cldr, icu, jsc, llhttp, tz, unicode, zlib, zstd } = binding.libraryVersions();
  const entries = {
    node,
    rota: '0.1.0',
    acorn,
    amaro,
    ares,
    brotli: () => binding.loadedVersion(1),
    cjs_module_lexer: lexer,
    cldr,
    icu,
    jsc,
    llhttp,
    modules: '147',
    napi: '10',
    nghttp2: () => internalBinding('http2').version,
    openssl: () => binding.loadedVersion(0),
    sqlite: () => internalBinding('sqlite').version,
    tz,
    undici,
    unicode,
    uv: binding.uvVersion,
    v8: '14.6.202.34-node.34',
    zlib,
    zstd,
  };
  const versions = {};
  for (const [name, value] of Object.entries(entries)) {
    const entry = { enumerable: true, configurable: true };
    if (typeof value === 'string') Object.defineProperty(versions, name, { ...entry, __proto__: null, value });
    else if (typeof value === 'function')
      Object.defineProperty(versions, name, { ...entry, __proto__: null, get: value });
  }
  Object.defineProperty(versions, Symbol.for('nodejs.util.inspect.custom'), {
    __proto__: null,
    value: () => ({ ...versions }),
  });
  return versions;
}

module.exports = { make };
