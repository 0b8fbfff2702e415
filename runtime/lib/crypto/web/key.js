'use strict';

// CryptoKey, and keys as JSON Web Keys.
//
// CryptoKey: the key of the Web Cryptography API. The slots are private; `algorithm` and `usages` are copies that the
// program may change without any effect on the key.

const { codes } = require('internal/errors');
const keys = require('internal/crypto/keys');
const badData = (message) => require('internal/crypto/web/convert').badData(message); // it requires this module, too

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

Object.assign(require('internal/state').keys, { isCryptoKey });

// Keys as JSON Web Keys: the checks before one is used, and the names of algorithms there.

const hashNumber = ({ name }) => name.slice('SHA-'.length);
const isSha2 = ({ name }) => name.startsWith('SHA-');

// The "alg" of a key; undefined where there is none.
const algorithmNames = {
  '__proto__': null,
  'AES-CBC': ({ length }) => `A${length}CBC`,
  'AES-CTR': ({ length }) => `A${length}CTR`,
  'AES-GCM': ({ length }) => `A${length}GCM`,
  'AES-OCB': ({ length }) => `A${length}OCB`,
  'AES-KW': ({ length }) => `A${length}KW`,
  'ChaCha20-Poly1305': () => 'C20P',
  'HMAC': ({ hash }) => (isSha2(hash) ? `HS${hashNumber(hash)}` : undefined),
  'KMAC128': () => 'K128',
  'KMAC256': () => 'K256',
  'RSASSA-PKCS1-v1_5': ({ hash }) => (isSha2(hash) ? `RS${hashNumber(hash)}` : undefined),
  'RSA-PSS': ({ hash }) => (isSha2(hash) ? `PS${hashNumber(hash)}` : undefined),
  'RSA-OAEP': ({ hash }) =>
    !isSha2(hash) ? undefined : hash.name === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${hashNumber(hash)}`,
  'Ed25519': () => 'Ed25519',
  'Ed448': () => 'Ed448',
};

const nameOf = (algorithm) => algorithmNames[algorithm.name]?.(algorithm);

// Names that are accepted but not written.
const curveSignatures = { '__proto__': null, 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
function acceptedNames(algorithm) {
  if (algorithm.name === 'ECDSA') return [curveSignatures[algorithm.namedCurve]];
  if (algorithm.name.startsWith('Ed')) return [algorithm.name, 'EdDSA'];
  const name = nameOf(algorithm);
  return name === undefined ? undefined : [name];
}

// use: the purpose of this algorithm's keys, 'sig' or 'enc'; needed: the required members
function check(jwk, { type, use, needed, extractable, usages }) {
  if (jwk.kty === undefined) throw badData('Invalid keyData');
  if (jwk.kty !== type) throw badData('Invalid JWK "kty" Parameter');
  if (needed.some((name) => jwk[name] === undefined)) throw badData('Invalid keyData');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) throw badData('Invalid JWK "use" Parameter');
  if (jwk.key_ops !== undefined) {
    const known = jwk.key_ops.filter((usage) => usageNames.includes(usage));
    if (new Set(known).size !== known.length) throw badData('Duplicate key operation');
    if (!usages.every((usage) => known.includes(usage))) throw badData('Key operations and usage mismatch');
  }
  if (jwk.ext === false && extractable) throw badData('JWK "ext" Parameter and extractable mismatch');
}

function checkName(jwk, algorithm) {
  if (jwk.alg === undefined) return;
  const accepted = acceptedNames(algorithm);
  if (accepted !== undefined && !accepted.includes(jwk.alg))
    throw badData('JWK "alg" does not match the requested algorithm');
}

// The members that every key has, in the order of the output; those of its type follow.
function begin({ usages, extractable, algorithm }) {
  const jwk = { key_ops: [...usages], ext: extractable };
  const alg = nameOf(algorithm);
  if (alg !== undefined) jwk.alg = alg;
  return jwk;
}

module.exports = {
  CryptoKey,
  makeKey,
  slotsOf,
  isCryptoKey,
  keyObjectOf,
  usageNames,
  toPlain,
  fromPlain,
  check,
  checkName,
  begin,
};
