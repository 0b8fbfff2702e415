'use strict';

// CryptoKey: the key of the Web Cryptography API. The slots are private; `algorithm` and `usages` are copies that the
// program may change without any effect on the key.

const { codes } = require('internal/errors');
const keys = require('internal/crypto/keys');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kClone = Symbol.for('rota.clone');
const token = Symbol('token');

// Every usage, in the order in which keys list them.
const usageNames = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
  'encapsulateKey',
  'encapsulateBits',
  'decapsulateKey',
  'decapsulateBits',
];

let slotsOf;
let isCryptoKey;

// With the algorithm's own properties, and without those of Object.prototype.
function copyAlgorithm(algorithm) {
  const copy = {};
  for (const name of Object.keys(algorithm)) {
    const value = algorithm[name];
    const own =
      value instanceof Uint8Array ? new Uint8Array(value) : typeof value === 'object' ? copyAlgorithm(value) : value;
    Object.defineProperty(copy, name, {
      __proto__: null,
      value: own,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

class CryptoKey {
  #slots;
  #algorithm;
  #usages;

  static {
    isCryptoKey = (value) => typeof value === 'object' && value !== null && #slots in value;
    slotsOf = (value) => {
      if (!isCryptoKey(value)) throw new codes.ERR_INVALID_THIS('CryptoKey');
      return value.#slots;
    };
  }

  constructor(given, slots) {
    if (given !== token) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#slots = slots;
  }

  get type() {
    return slotsOf(this).type;
  }

  get extractable() {
    return slotsOf(this).extractable;
  }

  get algorithm() {
    const { algorithm } = slotsOf(this);
    return (this.#algorithm ??= copyAlgorithm(algorithm));
  }

  get usages() {
    const { usages } = slotsOf(this);
    return (this.#usages ??= [...usages]);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { type, extractable, algorithm, usages } = slotsOf(this);
    const shown = { type, extractable, algorithm, usages };
    const { inspect } = require('internal/util/inspect');
    return `CryptoKey ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}
for (const name of ['type', 'extractable', 'algorithm', 'usages'])
  Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, {
  __proto__: null,
  configurable: true,
  value: 'CryptoKey',
});
Object.defineProperty(CryptoKey, 'length', { value: 0, configurable: true });

// Programs see the class CryptoKey but cannot construct it: keys are instances of a class that is not exported.
class Key extends CryptoKey {
  [kClone]() {
    return new Key(token, slotsOf(this));
  }
}
Object.defineProperty(Key.prototype, 'constructor', {
  value: CryptoKey,
  writable: true,
  enumerable: false,
  configurable: true,
});

// handle: bytes of a secret, or the binding's key
function makeKey(type, handle, algorithm, extractable, usages) {
  const wanted = new Set(usages);
  const slots = {
    type,
    handle,
    algorithm: { __proto__: null, ...algorithm },
    extractable,
    usages: usageNames.filter((name) => wanted.has(name)),
  };
  slots.algorithm = Object.freeze(copyAlgorithm(slots.algorithm));
  return new Key(token, slots);
}

const keyObjectOf = (key) => {
  const { type, handle } = slotsOf(key);
  return keys.fromHandle(type, handle);
};

// For the transfer to another thread.
function toPlain(key) {
  const { algorithm, extractable, usages } = slotsOf(key);
  return { ...keys.toPlain(keyObjectOf(key)), algorithm, extractable, usages };
}

function fromPlain(plain) {
  const { type, algorithm, extractable, usages } = plain;
  // node:crypto recognizes CryptoKeys once this module is loaded.
  require('internal/crypto/webcrypto');
  return makeKey(type, keys.handleOf(keys.fromPlain(plain)), algorithm, extractable, usages);
}

module.exports = { CryptoKey, makeKey, slotsOf, isCryptoKey, keyObjectOf, usageNames, toPlain, fromPlain };
Object.assign(require('internal/crypto/brands'), { isCryptoKey });
