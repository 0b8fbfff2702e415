'use strict';

// Keys from secrets: pbkdf2, scrypt, hkdf.

const { codes, binding, getArrayBufferOrView, job, toBytes, dropJob } = require('internal/crypto/util');
const { validateFunction, validateInt32, validateInteger, validateString, validateUint32 } = require('internal/validators');
const { Buffer } = require('buffer');

const PBKDF2 = 0;
const SCRYPT = 1;
const HKDF = 2;

// Through the pool with a callback, at once without. `wrap` makes of the bytes what the caller gets.
function run(callback, wrap, badDigest, ...args) {
  if (callback === undefined) {
    const value = binding.derive(-1, ...args);
    if (value === null) throw badDigest();
    return wrap(value);
  }
  const id = job((error, value) => (error ? callback(error) : callback(null, wrap(value))));
  if (binding.derive(id, ...args) === null) {
    dropJob(id);
    throw badDigest();
  }
  return undefined;
}

const asBuffer = (value) => Buffer.from(value);

function pbkdf2Arguments(password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  password = getArrayBufferOrView(password, 'password');
  salt = getArrayBufferOrView(salt, 'salt');
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  return [PBKDF2, toBytes(password), toBytes(salt), keylen, digest, undefined, iterations];
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const args = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  validateFunction(callback, 'callback');
  run(callback, asBuffer, () => new codes.ERR_CRYPTO_INVALID_DIGEST(digest), ...args);
}

function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  const args = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  return run(undefined, asBuffer, () => new codes.ERR_CRYPTO_INVALID_DIGEST(digest), ...args);
}

function scryptArguments(password, salt, keylen, options) {
  password = getArrayBufferOrView(password, 'password');
  salt = getArrayBufferOrView(salt, 'salt');
  validateInt32(keylen, 'keylen', 0);
  let N = 16384;
  let r = 8;
  let p = 1;
  let maxmem = 32 * 1024 * 1024;
  if (options && options !== null) {
    const pick = (short, long, value) => {
      // Read once each: a getter could answer differently the next time.
      const first = options[short];
      const second = options[long];
      if (first !== undefined) {
        validateUint32(first, short);
        value = first;
      }
      if (second !== undefined) {
        if (first !== undefined) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR(short, long);
        validateUint32(second, long);
        value = second;
      }
      return value;
    };
    N = pick('N', 'cost', N) || 16384;
    r = pick('r', 'blockSize', r) || 8;
    p = pick('p', 'parallelization', p) || 1;
    if (options.maxmem !== undefined) {
      maxmem = options.maxmem;
      validateInteger(maxmem, 'maxmem', 0);
    }
    if (maxmem === 0) maxmem = 32 * 1024 * 1024;
  }
  const problem = binding.scryptFits(N, r, p, maxmem);
  if (problem !== undefined) throw new codes.ERR_CRYPTO_INVALID_SCRYPT_PARAMS(problem ? `: ${problem}` : '');
  return [SCRYPT, toBytes(password), toBytes(salt), keylen, undefined, undefined, N, r, p, maxmem];
}

function scrypt(password, salt, keylen, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const args = scryptArguments(password, salt, keylen, options);
  validateFunction(callback, 'callback');
  run(callback, asBuffer, undefined, ...args);
}

function scryptSync(password, salt, keylen, options = undefined) {
  return run(undefined, asBuffer, undefined, ...scryptArguments(password, salt, keylen, options));
}

function hkdfArguments(hash, key, salt, info, length) {
  const { isKeyObject, isCryptoKey, getKeyObject } = require('internal/crypto/keys');
  validateString(hash, 'digest');
  let secret;
  if (isKeyObject(key) || isCryptoKey(key)) {
    const object = getKeyObject(key);
    if (object.type !== 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(object.type, 'secret');
    secret = object.export();
  } else {
    try {
      secret = getArrayBufferOrView(key, 'key');
    } catch {
      throw new codes.ERR_INVALID_ARG_TYPE('ikm', ['string', 'SecretKeyObject', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'], key);
    }
  }
  salt = getArrayBufferOrView(salt, 'salt');
  info = getArrayBufferOrView(info, 'info');
  validateInteger(length, 'length', 0, 2 ** 31 - 1);
  if (info.byteLength > 1024) throw new codes.ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', info.byteLength);
  const known = binding.hashInfo(hash);
  if (known !== null && length > known[0] * 255) throw new codes.ERR_CRYPTO_INVALID_KEYLEN();
  return [HKDF, toBytes(secret), toBytes(salt), length, hash, toBytes(info)];
}

const asArrayBuffer = (value) => value;

function hkdf(hash, key, salt, info, length, callback) {
  const args = hkdfArguments(hash, key, salt, info, length);
  validateFunction(callback, 'callback');
  run(callback, asArrayBuffer, () => new codes.ERR_CRYPTO_INVALID_DIGEST(hash), ...args);
}

function hkdfSync(hash, key, salt, info, length) {
  return run(undefined, asArrayBuffer, () => new codes.ERR_CRYPTO_INVALID_DIGEST(hash), ...hkdfArguments(hash, key, salt, info, length));
}

module.exports = { pbkdf2, pbkdf2Sync, scrypt, scryptSync, hkdf, hkdfSync };
