'use strict';

// globalThis.crypto: the Web Cryptography API. The methods of SubtleCrypto convert and check what they are given, and
// settle their promises: at once where nothing has to be computed, else when the pool is done.

const { codes } = require('internal/errors');
const random = require('internal/crypto/random');
const { Work } = require('internal/crypto/work');
const {
  Place,
  convertArguments,
  types,
  unsupported,
  badData,
  badAccess,
  operationFailed,
} = require('internal/crypto/web/convert');
const { normalize, has, warn } = require('internal/crypto/web/algorithms');
const { CryptoKey, isCryptoKey, keyObjectOf, slotsOf } = require('internal/crypto/web/key');
const secrets = require('internal/crypto/web/secrets');
const pairs = require('internal/crypto/web/pairs');
const operations = require('internal/crypto/web/operations');
const { Buffer } = require('internal/buffer/class');

const { Promise } = globalThis;
const { parse, stringify } = JSON;
const token = Symbol('token');

const { algorithmIdentifier, boolean, bytes, cryptoKey, keyData, keyFormat, longOrNull, text, usageList } = types;

// ---------------------------------------------------------------- promises

// A promise looks for `then` on what it is resolved with. Results are none of the program's promises, whatever it has
// put onto prototypes.
function settle(resolve, value) {
  if (typeof value !== 'object' || value === null || !('then' in value)) return resolve(value);
  Object.defineProperty(value, 'then', { __proto__: null, value: undefined, configurable: true });
  resolve(value);
  return delete value.then;
}

// begin() gives a value, or the work that gives it. then(value): what follows the work.
function promised(begin, then = (value) => value) {
  return new Promise((resolve, reject) => {
    const outcome = begin();
    if (!(outcome instanceof Work)) return settle(resolve, then(outcome));
    const heard = (error, value) => {
      if (error) return reject(isException(error) ? error : operationFailed(error));
      try {
        const result = then(value);
        return settle(resolve, result);
      } catch (failure) {
        return reject(failure);
      }
    };
    try {
      outcome.later(heard);
    } catch (error) {
      reject(operationFailed(error));
    }
    return undefined;
  });
}

const isException = (error) => require('internal/dom_exception').isDOMException(error);

// ---------------------------------------------------------------- what methods have in common

const implementationOf = (family) => (['rsa', 'ec', 'okp'].includes(family) ? pairs : secrets);

function needKey(key, algorithm, usage) {
  const { algorithm: own, usages } = slotsOf(key);
  if (own.name !== algorithm.name) throw badAccess('Key algorithm mismatch');
  if (!usages.includes(usage)) throw badAccess(`Unable to use this key to ${usage}`);
}

function needBaseKey(key, algorithm, usage) {
  if (!slotsOf(key).usages.includes(usage)) throw badAccess(`baseKey does not have ${usage} usage`);
  needKey(key, algorithm, usage);
}

function importAs(format, data, algorithm, extractable, usages) {
  return implementationOf(algorithm.family).importKey(format, data, algorithm, extractable, usages);
}

function exportAs(format, key) {
  const { type, extractable, algorithm } = slotsOf(key);
  if (!has(algorithm.name, 'exportKey')) throw unsupported(`${algorithm.name} key export is not supported`);
  if (!extractable) throw badAccess('key is not extractable');
  const { family } = normalize(algorithm.name, 'exportKey', { quietly: true });
  const result = implementationOf(family).exportKey(format, key, family);
  if (result === undefined) throw unsupported(`Unable to export ${algorithm.name} ${type} key using ${format} format`);
  return result;
}

// Wrapping is encryption, unless an algorithm is for wrapping only.
function normalizeWrapping(identifier, operation, instead) {
  try {
    return normalize(identifier, operation);
  } catch {
    return normalize(identifier, instead);
  }
}

function parseWrapped(data) {
  try {
    return types.jsonWebKey(parse(Buffer.from(data).toString()), new Place('Failed to unwrap', 'the key'));
  } catch (error) {
    throw badData('Invalid wrapped JWK key', error);
  }
}

// AES-KW takes whole blocks of eight bytes; JSON may be followed by blanks.
function textForWrapping(jwk, { name }) {
  const json = stringify({ __proto__: null, ...jwk });
  return Buffer.from(name === 'AES-KW' ? json.padEnd(Math.ceil(json.length / 8) * 8) : json);
}

// ---------------------------------------------------------------- the methods

// Each: the types of its parameters, how many of them must be there if not all, and what it does: begin(arguments) and
// what follows. They are made methods below.
const methods = {
  encrypt: {
    types: [algorithmIdentifier, cryptoKey, bytes],
    begin([identifier, key, data]) {
      const algorithm = normalize(identifier, 'encrypt');
      needKey(key, algorithm, 'encrypt');
      return operations.cipher(algorithm, key, data, true);
    },
  },
  decrypt: {
    types: [algorithmIdentifier, cryptoKey, bytes],
    begin([identifier, key, data]) {
      const algorithm = normalize(identifier, 'decrypt');
      needKey(key, algorithm, 'decrypt');
      return operations.cipher(algorithm, key, data, false);
    },
  },
  sign: {
    types: [algorithmIdentifier, cryptoKey, bytes],
    begin([identifier, key, data]) {
      const algorithm = normalize(identifier, 'sign');
      needKey(key, algorithm, 'sign');
      return operations.sign(algorithm, key, data);
    },
  },
  verify: {
    types: [algorithmIdentifier, cryptoKey, bytes, bytes],
    begin([identifier, key, signature, data]) {
      const algorithm = normalize(identifier, 'verify');
      needKey(key, algorithm, 'verify');
      return operations.verify(algorithm, key, signature, data);
    },
  },
  digest: {
    types: [algorithmIdentifier, bytes],
    begin: ([identifier, data]) => operations.digest(normalize(identifier, 'digest'), data),
  },
  generateKey: {
    types: [algorithmIdentifier, boolean, usageList],
    begin([identifier, extractable, usages]) {
      const algorithm = normalize(identifier, 'generateKey');
      return implementationOf(algorithm.family).generate(algorithm, extractable, usages);
    },
  },
  deriveKey: {
    types: [algorithmIdentifier, cryptoKey, algorithmIdentifier, boolean, usageList],
    begin([identifier, key, wanted, extractable, usages], follow) {
      const algorithm = normalize(identifier, 'deriveBits');
      const kind = normalize(wanted, 'importKey');
      const length = normalize(wanted, 'getKeyLength');
      needBaseKey(key, algorithm, 'deriveKey');
      const work = operations.deriveBits(algorithm, key, secrets.keyLength(length));
      secrets.checkUsages(kind, usages);
      return follow(work, (bits) => secrets.importKey('raw-secret', bits, kind, extractable, usages));
    },
  },
  deriveBits: {
    types: [algorithmIdentifier, cryptoKey, longOrNull],
    needed: 2,
    begin([identifier, key, length = null]) {
      const algorithm = normalize(identifier, 'deriveBits');
      needBaseKey(key, algorithm, 'deriveBits');
      return operations.deriveBits(algorithm, key, length);
    },
  },
  importKey: {
    types: [keyFormat, keyData, algorithmIdentifier, boolean, usageList],
    begin: ([format, data, identifier, extractable, usages]) =>
      importAs(format, data, normalize(identifier, 'importKey'), extractable, usages),
  },
  exportKey: {
    types: [keyFormat, cryptoKey],
    begin: ([format, key]) => exportAs(format, key),
  },
  wrapKey: {
    types: [keyFormat, cryptoKey, cryptoKey, algorithmIdentifier],
    begin([format, key, wrappingKey, identifier]) {
      const algorithm = normalizeWrapping(identifier, 'wrapKey', 'encrypt');
      needKey(wrappingKey, algorithm, 'wrapKey');
      const written = exportAs(format, key);
      return operations.cipher(
        algorithm,
        wrappingKey,
        format === 'jwk' ? textForWrapping(written, algorithm) : written,
        true,
      );
    },
  },
  unwrapKey: {
    types: [keyFormat, bytes, cryptoKey, algorithmIdentifier, algorithmIdentifier, boolean, usageList],
    begin([format, wrapped, key, identifier, keyIdentifier, extractable, usages], follow) {
      const algorithm = normalizeWrapping(identifier, 'unwrapKey', 'decrypt');
      const kind = normalize(keyIdentifier, 'importKey');
      needKey(key, algorithm, 'unwrapKey');
      return follow(operations.cipher(algorithm, key, wrapped, false), (data) =>
        importAs(format, format === 'jwk' ? parseWrapped(data) : data, kind, extractable, usages),
      );
    },
  },
  getPublicKey: {
    types: [cryptoKey, usageList],
    isNew: true,
    begin([key, usages]) {
      const { type, algorithm } = slotsOf(key);
      if (type === 'secret') throw unsupported('key must be a private key');
      if (type !== 'private') throw badAccess('key must be a private key');
      return pairs.publicKeyOf(key, algorithm, usages);
    },
  },
  // The library has no algorithm that encapsulates keys.
  encapsulateBits: {
    types: [algorithmIdentifier, cryptoKey],
    isNew: true,
    begin: ([identifier]) => normalize(identifier, 'encapsulate'),
  },
  encapsulateKey: {
    types: [algorithmIdentifier, cryptoKey, algorithmIdentifier, boolean, usageList],
    isNew: true,
    begin: ([identifier]) => normalize(identifier, 'encapsulate'),
  },
  decapsulateBits: {
    types: [algorithmIdentifier, cryptoKey, bytes],
    isNew: true,
    begin: ([identifier]) => normalize(identifier, 'encapsulate'),
  },
  decapsulateKey: {
    types: [algorithmIdentifier, cryptoKey, bytes, algorithmIdentifier, boolean, usageList],
    isNew: true,
    begin: ([identifier]) => normalize(identifier, 'encapsulate'),
  },
};

// ---------------------------------------------------------------- whether something is supported

function attempt(check) {
  try {
    return check() !== false;
  } catch {
    return false;
  }
}

const normalizes = (operation) => (identifier) => attempt(() => normalize(identifier, operation, { quietly: true }));

function derives(identifier, length) {
  return attempt(() => operations.checkDerivation(normalize(identifier, 'deriveBits', { quietly: true }), length));
}

const canEncrypt = normalizes('encrypt');
const canImport = normalizes('importKey');
const canExport = normalizes('exportKey');

// (algorithm, another algorithm or a length)
const questions = {
  __proto__: null,
  encrypt: canEncrypt,
  decrypt: normalizes('decrypt'),
  sign: normalizes('sign'),
  verify: normalizes('verify'),
  digest: normalizes('digest'),
  generateKey: normalizes('generateKey'),
  importKey: canImport,
  exportKey: canExport,
  getPublicKey: normalizes('getPublicKey'),
  deriveBits: (identifier, length) => derives(identifier, length),
  deriveKey: (identifier, wanted) =>
    canImport(wanted) &&
    attempt(() => derives(identifier, secrets.keyLength(normalize(wanted, 'getKeyLength', { quietly: true })))),
  wrapKey: (identifier, other) =>
    (normalizes('wrapKey')(identifier) || canEncrypt(identifier)) && other != null && canExport(other),
  unwrapKey: (identifier, other) =>
    (normalizes('unwrapKey')(identifier) || normalizes('decrypt')(identifier)) && other != null && canImport(other),
};

// ---------------------------------------------------------------- the classes

class SubtleCrypto {
  #isSubtle = true;

  constructor(given) {
    if (given !== token) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
    warn('supports', 'method');
    if (this !== SubtleCrypto) throw new codes.ERR_INVALID_THIS('SubtleCrypto constructor');
    const [name, identifier, other = null] = convertArguments(
      'SubtleCrypto',
      'supports',
      arguments,
      [
        text,
        algorithmIdentifier,
        (value, place, [asked]) =>
          asked === 'deriveBits' ? longOrNull(value, place) : value == null ? null : algorithmIdentifier(value, place),
      ],
      2,
    );
    return questions[name]?.(identifier, other) ?? false;
  }

  static {
    for (const [name, { types: parameters, needed, isNew, begin }] of Object.entries(methods)) {
      const method = {
        [name](...given) {
          if (isNew) warn(name, 'method');
          let next;
          return promised(
            () => {
              if (typeof this !== 'object' || this === null || !(#isSubtle in this))
                throw new codes.ERR_INVALID_THIS('SubtleCrypto');
              return begin(convertArguments('SubtleCrypto', name, given, parameters, needed), (work, then) => {
                next = then;
                return work;
              });
            },
            (value) => (next === undefined ? value : next(value)),
          );
        },
      }[name];
      Object.defineProperty(method, 'length', { value: needed ?? parameters.length, configurable: true });
      Object.defineProperty(this.prototype, name, {
        __proto__: null,
        value: method,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }
}
Object.defineProperty(SubtleCrypto, 'supports', { enumerable: true });
Object.defineProperty(SubtleCrypto.supports, 'length', { value: 2, configurable: true });
Object.defineProperty(SubtleCrypto, 'length', { value: 0, configurable: true });

class Crypto {
  #subtle = new SubtleCrypto(token);

  constructor(given) {
    if (given !== token) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static #check(value) {
    if (typeof value !== 'object' || value === null || !(#subtle in value)) throw new codes.ERR_INVALID_THIS('Crypto');
  }

  get subtle() {
    Crypto.#check(this);
    return this.#subtle;
  }

  getRandomValues(typedArray) {
    Crypto.#check(this);
    convertArguments('Crypto', 'getRandomValues', arguments, [(value) => value]);
    return random.getRandomValues(typedArray);
  }

  randomUUID() {
    Crypto.#check(this);
    return random.randomUUID();
  }
}
for (const name of ['subtle', 'getRandomValues', 'randomUUID'])
  Object.defineProperty(Crypto.prototype, name, { enumerable: true });
for (const Kind of [Crypto, SubtleCrypto]) {
  Object.defineProperty(Kind.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: Kind.name });
}
Object.defineProperty(Crypto, 'length', { value: 0, configurable: true });

const webcrypto = new Crypto(token);

// KeyObject.prototype.toCryptoKey
function toCryptoKey(type, handle, identifier, extractable, usages) {
  const algorithm = normalize(
    convertArguments('KeyObject', 'toCryptoKey', [identifier], [algorithmIdentifier])[0],
    'importKey',
  );
  const [canLeave, wanted] = convertArguments('KeyObject', 'toCryptoKey', [extractable, usages], [boolean, usageList]);
  const isSecret = type === 'secret';
  if (isSecret !== (implementationOf(algorithm.family) === secrets)) throw unsupported('Unrecognized algorithm name');
  if (!isSecret) return pairs.adopt(type, handle, algorithm, canLeave, wanted);
  return secrets.importKey('raw-secret', handle, algorithm, canLeave, wanted);
}

module.exports = {
  webcrypto,
  subtle: webcrypto.subtle,
  Crypto,
  CryptoKey,
  SubtleCrypto,
  isCryptoKey,
  keyObjectOf,
  toCryptoKey,
};
