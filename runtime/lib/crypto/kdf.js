'use strict';

// Keys from secrets: pbkdf2, scrypt, hkdf. One function of the binding does all three; it returns null for a digest
// that it does not have.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { Work, twoForms } = require('internal/crypto/work');
const { validateInt32, validateInteger, validateString, validateUint32 } = require('internal/validators');
const { Buffer } = require('internal/buffer/class');

const { kPbkdf2, kScrypt, kHkdf } = require('internal/shared').derivation;
const mostMemory = 32 * 1024 * 1024;
const longestInfo = 1024;

const bytesOf = (value, name) => toBytes(getArrayBufferOrView(value, name));

function derivation(kind, given, digest, wrap) {
  return new Work(binding.derive, [kind, ...given], (value) => {
    if (value === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
    return wrap(value);
  });
}

const asBuffer = (value) => Buffer.from(value);
const asMemory = (value) => value;

function preparePbkdf2(password, salt, iterations, keylen, digest) {
  validateString(typeof digest === 'function' ? undefined : digest, 'digest');
  const secret = bytesOf(password, 'password');
  const grains = bytesOf(salt, 'salt');
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  return derivation(kPbkdf2, [secret, grains, keylen, digest, undefined, iterations], digest, asBuffer);
}

// Each setting has a short name and a long one, and only one of them may be given. 0 stands for the default. Options
// are read once: a getter could give another value the next time.
const scryptSettings = [
  ['N', 'cost', 16384],
  ['r', 'blockSize', 8],
  ['p', 'parallelization', 1],
];

function readScryptSettings(options) {
  const values = [];
  for (const [short, long, usual] of scryptSettings) {
    const given = [
      [short, options?.[short]],
      [long, options?.[long]],
    ].filter(([, value]) => value !== undefined);
    if (given.length === 2) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR(short, long);
    for (const [name, value] of given) validateUint32(value, name);
    values.push((given.length === 1 && given[0][1]) || usual);
  }
  const memory = options?.maxmem;
  if (memory !== undefined) validateInteger(memory, 'maxmem', 0);
  return [...values, memory || mostMemory];
}

function prepareScrypt(password, salt, keylen, options) {
  const secret = bytesOf(password, 'password');
  const grains = bytesOf(salt, 'salt');
  validateInt32(keylen, 'keylen', 0);
  const settings = readScryptSettings(options || undefined);
  const problem = binding.scryptFits(...settings);
  if (problem !== undefined) throw new codes.ERR_CRYPTO_INVALID_SCRYPT_PARAMS(problem ? `: ${problem}` : '');
  return derivation(kScrypt, [secret, grains, keylen, undefined, undefined, ...settings], undefined, asBuffer);
}

function readSecret(key) {
  const { isKeyObject, isCryptoKey } = require('internal/crypto/keys');
  if (isKeyObject(key) || isCryptoKey(key)) return require('internal/crypto/hash').keyBytes(key);
  try {
    return getArrayBufferOrView(key, 'key');
  } catch {
    throw new codes.ERR_INVALID_ARG_TYPE(
      'ikm',
      ['string', 'SecretKeyObject', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'],
      key,
    );
  }
}

function prepareHkdf(digest, ikm, salt, info, keylen) {
  validateString(digest, 'digest');
  const secret = readSecret(ikm);
  const grains = bytesOf(salt, 'salt');
  const context = bytesOf(info, 'info');
  validateInteger(keylen, 'length', 0, Number.MAX_SAFE_INTEGER);
  if (context.byteLength > longestInfo) {
    throw new codes.ERR_OUT_OF_RANGE('info', `must not contain more than ${longestInfo} bytes`, context.byteLength);
  }
  const [size] = binding.hashInfo(digest) ?? [Infinity];
  if (keylen > size * 255) throw new codes.ERR_CRYPTO_INVALID_KEYLEN();
  return derivation(kHkdf, [toBytes(secret), grains, keylen, digest, context], digest, asMemory);
}

const [pbkdf2, pbkdf2Sync] = twoForms('pbkdf2', 5, preparePbkdf2);
const [scrypt, scryptSync] = twoForms('scrypt', 4, prepareScrypt, { optional: 3 });
const [hkdf, hkdfSync] = twoForms('hkdf', 5, prepareHkdf);

module.exports = { pbkdf2, pbkdf2Sync, scrypt, scryptSync, hkdf, hkdfSync };
