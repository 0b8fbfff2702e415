'use strict';

// node:crypto. Each part lives in lib/internal/crypto and is loaded with its first use.

const { codes } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const { defineLazyProperties, deprecate } = require('internal/util');

const random = require('internal/crypto/random');
const hashing = require('internal/crypto/hash');

function notThere(name) {
  return { [name]: function() {
    throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`crypto.${name}`);
  } }[name];
}

const lazy = (id, name) => (...args) => require(id)[name](...args);

function createHash(algorithm, options) {
  return new hashing.Hash(algorithm, options);
}

function createHmac(hmac, key, options) {
  return new hashing.Hmac(hmac, key, options);
}

function createCipheriv(cipher, key, iv, options) {
  const { Cipheriv } = require('internal/crypto/cipher');
  return new Cipheriv(cipher, key, iv, options);
}

function createDecipheriv(cipher, key, iv, options) {
  const { Decipheriv } = require('internal/crypto/cipher');
  return new Decipheriv(cipher, key, iv, options);
}

function createDiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  const { DiffieHellman } = require('internal/crypto/dh');
  return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
}

function createDiffieHellmanGroup(name) {
  const { DiffieHellmanGroup } = require('internal/crypto/dh');
  return new DiffieHellmanGroup(name);
}

function createECDH(curve) {
  const { ECDH } = require('internal/crypto/dh');
  return new ECDH(curve);
}

function createSign(algorithm, options) {
  const { Sign } = require('internal/crypto/sig');
  return new Sign(algorithm, options);
}

function createVerify(algorithm, options) {
  const { Verify } = require('internal/crypto/sig');
  return new Verify(algorithm, options);
}

module.exports = {
  argon2: notThere('argon2'),
  argon2Sync: notThere('argon2Sync'),
  checkPrime: random.checkPrime,
  checkPrimeSync: random.checkPrimeSync,
  createCipheriv,
  createDecipheriv,
  createDiffieHellman,
  createDiffieHellmanGroup,
  createECDH,
  createHash,
  createHmac,
  createSign,
  createVerify,
  generatePrime: random.generatePrime,
  generatePrimeSync: random.generatePrimeSync,
  getDiffieHellman: createDiffieHellmanGroup,
  getHashes: hashing.getHashes,
  randomBytes: random.randomBytes,
  randomFill: random.randomFill,
  randomFillSync: random.randomFillSync,
  randomInt: random.randomInt,
  randomUUID: random.randomUUID,
  randomUUIDv7: random.randomUUIDv7,
  timingSafeEqual: random.timingSafeEqual,
  hash: hashing.hash,
  Hash: hashing.Hash,
  Hmac: hashing.Hmac,
  encapsulate: notThere('encapsulate'),
  decapsulate: notThere('decapsulate'),
  parsePKCS12: notThere('parsePKCS12'),
  createMac: notThere('createMac'),
  getMacs: notThere('getMacs'),
  setEngine: notThere('setEngine'),
  secureHeapUsed: () => undefined,
  getFips: () => 0,
  setFips(value) {
    validateBoolean(!!value, 'fips');
    if (value) throw new codes.ERR_CRYPTO_FIPS_UNAVAILABLE();
  },
  sign: lazy('internal/crypto/sig', 'signOneShot'),
  verify: lazy('internal/crypto/sig', 'verifyOneShot'),
};

defineLazyProperties(module.exports, 'internal/crypto/cipher',
                     ['Cipheriv', 'Decipheriv', 'getCiphers', 'getCipherInfo', 'publicEncrypt', 'privateDecrypt', 'privateEncrypt', 'publicDecrypt']);
defineLazyProperties(module.exports, 'internal/crypto/kdf', ['pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync', 'hkdf', 'hkdfSync']);
defineLazyProperties(module.exports, 'internal/crypto/keys', ['KeyObject', 'createSecretKey', 'createPublicKey', 'createPrivateKey']);
defineLazyProperties(module.exports, 'internal/crypto/keygen', ['generateKeyPair', 'generateKeyPairSync', 'generateKey', 'generateKeySync']);
defineLazyProperties(module.exports, 'internal/crypto/dh', ['DiffieHellman', 'DiffieHellmanGroup', 'ECDH', 'diffieHellman', 'getCurves']);
defineLazyProperties(module.exports, 'internal/crypto/sig', ['Sign', 'Verify']);
defineLazyProperties(module.exports, 'internal/crypto/x509', ['X509Certificate']);

// Old names for randomBytes.
for (const name of ['prng', 'pseudoRandomBytes', 'rng']) {
  const value = deprecate(random.randomBytes, `crypto.${name} is deprecated.`, 'DEP0115');
  Object.defineProperty(module.exports, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}

Object.defineProperties(module.exports, {
  Certificate: { __proto__: null, enumerable: true, configurable: true, writable: true, value: notThere('Certificate') },
  constants: { __proto__: null, configurable: false, enumerable: true, get: () => require('internal/crypto/constants') },
  fips: { __proto__: null, configurable: true, get: () => 0, set: (value) => module.exports.setFips(value) },
  webcrypto: { __proto__: null, configurable: false, enumerable: true, get: () => require('internal/crypto/webcrypto').webcrypto, set: undefined },
  subtle: { __proto__: null, configurable: false, enumerable: true, get: () => require('internal/crypto/webcrypto').subtle, set: undefined },
  getRandomValues: {
    __proto__: null, configurable: false, enumerable: true,
    get: () => (array) => require('internal/crypto/webcrypto').webcrypto.getRandomValues(array), set: undefined,
  },
});
