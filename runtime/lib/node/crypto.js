'use strict';

// node:crypto. Each part lives in runtime/lib/crypto and is loaded with its first use.

const { codes } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const { defineLazyProperties, deprecate } = require('internal/util');

const random = require('internal/crypto/random');
const hashing = require('internal/crypto/hash');

function notThere(name) {
  return {
    [name]: function () {
      throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`crypto.${name}`);
    },
  }[name];
}

const lazy =
  (id, name) =>
  (...args) =>
    require(id)[name](...args);

// create...: makes an instance of a class, which is loaded at that moment.
function maker(name, count, module, Kind) {
  const make = (...given) => new (require(`internal/crypto/${module}`)[Kind])(...given);
  Object.defineProperty(make, 'name', { value: name, configurable: true });
  Object.defineProperty(make, 'length', { value: count, configurable: true });
  return make;
}

module.exports = {
  argon2: notThere('argon2'),
  argon2Sync: notThere('argon2Sync'),
  checkPrime: random.checkPrime,
  checkPrimeSync: random.checkPrimeSync,
  createCipheriv: maker('createCipheriv', 4, 'cipher', 'Cipheriv'),
  createDecipheriv: maker('createDecipheriv', 4, 'cipher', 'Decipheriv'),
  createDiffieHellman: maker('createDiffieHellman', 4, 'dh', 'DiffieHellman'),
  createDiffieHellmanGroup: maker('createDiffieHellmanGroup', 1, 'dh', 'DiffieHellmanGroup'),
  createECDH: maker('createECDH', 1, 'dh', 'ECDH'),
  createHash: maker('createHash', 2, 'hash', 'Hash'),
  createHmac: maker('createHmac', 3, 'hash', 'Hmac'),
  createSign: maker('createSign', 2, 'sig', 'Sign'),
  createVerify: maker('createVerify', 2, 'sig', 'Verify'),
  generatePrime: random.generatePrime,
  generatePrimeSync: random.generatePrimeSync,
  getDiffieHellman: maker('getDiffieHellman', 1, 'dh', 'DiffieHellmanGroup'),
  getHashes: hashing.getHashes,
  randomBytes: random.randomBytes,
  randomFill: random.randomFill,
  randomFillSync: random.randomFillSync,
  randomInt: random.randomInt,
  randomUUID: random.randomUUID,
  randomUUIDv7: random.randomUUIDv7,
  timingSafeEqual: random.timingSafeEqual,
  hash: hashing.hash,
  Hash: deprecate(hashing.Hash, 'crypto.Hash constructor is deprecated.', 'DEP0179'),
  Hmac: deprecate(hashing.Hmac, 'crypto.Hmac constructor is deprecated.', 'DEP0181'),
  parsePKCS12: notThere('parsePKCS12'),
  createMac: notThere('createMac'),
  getMacs: notThere('getMacs'),
  setEngine: notThere('setEngine'),
  secureHeapUsed: lazy('internal/crypto/util', 'secureHeapUsed'),
  getFips: () => Number(internalBinding('crypto').fips()),
  setFips(value) {
    validateBoolean(!!value, 'fips');
    if (require('internal/process/flags').hasFlag('--force-fips')) {
      if (value) return;
      throw new codes.ERR_CRYPTO_FIPS_FORCED();
    }
    if (!internalBinding('crypto').fips(Boolean(value)) && value) throw new codes.ERR_CRYPTO_FIPS_UNAVAILABLE();
  },
  sign: lazy('internal/crypto/sig', 'signOneShot'),
  verify: lazy('internal/crypto/sig', 'verifyOneShot'),
};

defineLazyProperties(module.exports, 'internal/crypto/cipher', [
  'Cipheriv',
  'Decipheriv',
  'getCiphers',
  'getCipherInfo',
]);
defineLazyProperties(module.exports, 'internal/crypto/rsa_cipher', [
  'publicEncrypt',
  'privateDecrypt',
  'privateEncrypt',
  'publicDecrypt',
]);
defineLazyProperties(module.exports, 'internal/crypto/kdf', [
  'pbkdf2',
  'pbkdf2Sync',
  'scrypt',
  'scryptSync',
  'hkdf',
  'hkdfSync',
]);
defineLazyProperties(module.exports, 'internal/crypto/keys', [
  'KeyObject',
  'createSecretKey',
  'createPublicKey',
  'createPrivateKey',
]);
defineLazyProperties(module.exports, 'internal/crypto/keygen', [
  'generateKeyPair',
  'generateKeyPairSync',
  'generateKey',
  'generateKeySync',
]);
defineLazyProperties(module.exports, 'internal/crypto/dh', [
  'DiffieHellman',
  'DiffieHellmanGroup',
  'diffieHellman',
  'ECDH',
  'getCurves',
]);
defineLazyProperties(module.exports, 'internal/crypto/sig', ['Sign', 'Verify']);
defineLazyProperties(module.exports, 'internal/crypto/x509', ['X509Certificate']);
defineLazyProperties(module.exports, 'internal/crypto/rsa_cipher', ['encapsulate', 'decapsulate']);
defineLazyProperties(module.exports, 'internal/crypto/x509', ['Certificate']);

// Old names for randomBytes. Reading them gives a deprecation warning.
const isTold =
  process.env.NODE_PENDING_DEPRECATION === '1' || require('internal/process/flags').hasFlag('--pending-deprecation');
for (const name of ['prng', 'pseudoRandomBytes', 'rng']) {
  const value = isTold ? deprecate(random.randomBytes, `crypto.${name} is deprecated.`, 'DEP0115') : random.randomBytes;
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value,
  });
}

Object.defineProperties(module.exports, {
  constants: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get: () => require('internal/crypto/constants'),
  },
  fips: {
    __proto__: null,
    configurable: true,
    get: () => module.exports.getFips(),
    set: (value) => module.exports.setFips(value),
  },
  webcrypto: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get: () => require('internal/crypto/webcrypto').webcrypto,
    set: undefined,
  },
  subtle: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get: () => require('internal/crypto/webcrypto').subtle,
    set: undefined,
  },
  getRandomValues: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get: () => (array) => require('internal/crypto/webcrypto').webcrypto.getRandomValues(array),
    set: undefined,
  },
});
