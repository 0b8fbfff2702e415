'use strict';

// New keys: generateKeyPair and generateKey.

const { codes, binding, job, toBytes } = require('internal/crypto/util');
const keys = require('internal/crypto/keys');
const { validateFunction, validateInt32, validateInteger, validateObject, validateOneOf, validateString, validateUint32 } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { customPromisifyArgs } = require('internal/util');
const { Buffer } = require('buffer');

// What the pair is handed out as: key objects, or encoded.
function encodingsOf(type, options = {}) {
  const { publicKeyEncoding, privateKeyEncoding } = options;
  let encodePublic;
  let encodePrivate;
  if (publicKeyEncoding == null) {
    encodePublic = (handle) => new keys.PublicKeyObject(keys.publicHalf(handle));
  } else if (typeof publicKeyEncoding === 'object') {
    if (publicKeyEncoding.format === 'jwk') {
      encodePublic = (handle) => keys.exportJwk(handle, false);
    } else {
      const { format, type: encoding } = keys.publicEncoding(publicKeyEncoding, type, 'options.publicKeyEncoding');
      encodePublic = (handle) => keys.exportPublic(handle, format, encoding);
    }
  } else {
    throw new codes.ERR_INVALID_ARG_VALUE('options.publicKeyEncoding', publicKeyEncoding);
  }
  if (privateKeyEncoding == null) {
    encodePrivate = (handle) => new keys.PrivateKeyObject(handle);
  } else if (typeof privateKeyEncoding === 'object') {
    if (privateKeyEncoding.format === 'jwk') {
      if (privateKeyEncoding.passphrase !== undefined) throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('jwk', 'does not support encryption');
      encodePrivate = (handle) => keys.exportJwk(handle, true);
    } else {
      const { format, type: encoding, cipher, passphrase } = keys.privateEncoding(privateKeyEncoding, type, 'options.privateKeyEncoding');
      encodePrivate = (handle) => keys.exportPrivate(handle, format, encoding, cipher, passphrase);
    }
  } else {
    throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyEncoding', privateKeyEncoding);
  }
  return (handle) => ({ publicKey: encodePublic(handle), privateKey: encodePrivate(handle) });
}

function checkDigest(name, value) {
  if (value === undefined) return;
  validateString(value, name);
  if (binding.hashInfo(value) !== null) return;
  const error = new codes.ERR_CRYPTO_INVALID_DIGEST(value);
  if (name.includes('mgf1')) error.message = `Invalid MGF1 digest: ${value}`;
  throw error;
}

// (type, bits, exponent, curve, explicit curve, digest, mgf1 digest, salt length, divisor bits, prime, generator)
function generationOf(type, options) {
  validateString(type, 'type');
  switch (type) {
    case 'rsa':
    case 'rsa-pss': {
      validateObject(options, 'options');
      const { modulusLength } = options;
      validateUint32(modulusLength, 'options.modulusLength');
      let { publicExponent } = options;
      if (publicExponent == null) publicExponent = 0x10001;
      else validateUint32(publicExponent, 'options.publicExponent');
      if (type === 'rsa') return [type, modulusLength, publicExponent];
      const { hash, mgf1Hash, hashAlgorithm = hash, mgf1HashAlgorithm = mgf1Hash, saltLength } = options;
      if (hash !== undefined && options.hashAlgorithm === undefined) {
        process.emitWarning('"options.hash" is deprecated, use "options.hashAlgorithm" instead.', 'DeprecationWarning', 'DEP0154');
      }
      if (mgf1Hash !== undefined && options.mgf1HashAlgorithm === undefined) {
        process.emitWarning('"options.mgf1Hash" is deprecated, use "options.mgf1HashAlgorithm" instead.', 'DeprecationWarning', 'DEP0154');
      }
      if (saltLength !== undefined) validateInt32(saltLength, 'options.saltLength', 0);
      checkDigest('options.hashAlgorithm', hashAlgorithm);
      checkDigest('options.mgf1HashAlgorithm', mgf1HashAlgorithm);
      return [type, modulusLength, publicExponent, undefined, false, hashAlgorithm, mgf1HashAlgorithm, saltLength];
    }
    case 'dsa': {
      validateObject(options, 'options');
      const { modulusLength, divisorLength } = options;
      validateUint32(modulusLength, 'options.modulusLength');
      if (divisorLength != null) validateInt32(divisorLength, 'options.divisorLength', 0);
      return [type, modulusLength, undefined, undefined, false, undefined, undefined, undefined, divisorLength ?? undefined];
    }
    case 'ec': {
      validateObject(options, 'options');
      const { namedCurve, paramEncoding } = options;
      validateString(namedCurve, 'options.namedCurve');
      if (paramEncoding != null && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
        throw new codes.ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
      }
      const known = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1', 'P-224': 'secp224r1' }[namedCurve] ?? namedCurve;
      if (!binding.curveNames().includes(known)) throw new codes.ERR_CRYPTO_INVALID_CURVE();
      return [type, undefined, undefined, known, paramEncoding === 'explicit'];
    }
    case 'ed25519':
    case 'ed448':
    case 'x25519':
    case 'x448':
      if (options !== undefined) validateObject(options, 'options');
      return [type];
    case 'dh': {
      validateObject(options, 'options');
      const { group, primeLength, prime, generator } = options;
      if (group != null) {
        for (const name of ['prime', 'primeLength', 'generator']) {
          if (options[name] != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('group', name);
        }
        validateString(group, 'options.group');
        const dh = binding.dhCreate(group);
        if (dh === null) throw new codes.ERR_CRYPTO_UNKNOWN_DH_GROUP();
        return [type, undefined, undefined, undefined, false, undefined, undefined, undefined, undefined, binding.dhGet(dh, 0), 2];
      }
      if (prime != null) {
        if (primeLength != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
        if (!isArrayBufferView(prime)) throw new codes.ERR_INVALID_ARG_TYPE('options.prime', ['Buffer', 'TypedArray', 'DataView'], prime);
      } else if (primeLength != null) {
        validateInt32(primeLength, 'options.primeLength', 0);
      } else {
        throw new codes.ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
      }
      if (generator != null) validateInt32(generator, 'options.generator', 0);
      return [type, primeLength ?? undefined, undefined, undefined, false, undefined, undefined, undefined, undefined, prime == null ? undefined : toBytes(prime), generator ?? 2];
    }
    default:
      throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const args = generationOf(type, options);
  const encode = encodingsOf(type, options);
  binding.keyGenerate(job((error, handle) => {
    if (error) return callback(error);
    let pair;
    try {
      pair = encode(handle);
    } catch (failure) {
      return callback(failure);
    }
    callback(null, pair.publicKey, pair.privateKey);
  }), ...args);
}
Object.defineProperty(generateKeyPair, customPromisifyArgs, { __proto__: null, value: ['publicKey', 'privateKey'], enumerable: false });

function generateKeyPairSync(type, options) {
  const args = generationOf(type, options);
  const encode = encodingsOf(type, options);
  return encode(binding.keyGenerate(-1, ...args));
}

function secretLength(type, options) {
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options;
  switch (type) {
    case 'hmac':
      validateInteger(length, 'options.length', 8, 2 ** 31 - 1);
      break;
    case 'aes':
      validateOneOf(length, 'options.length', [128, 192, 256]);
      break;
    default:
      throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
  return Math.floor(length / 8);
}

function generateKey(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const length = secretLength(type, options);
  validateFunction(callback, 'callback');
  const bytes = Buffer.alloc(length);
  binding.randomFill(job((error) => (error ? callback(error) : callback(undefined, keys.createSecretKey(bytes)))), bytes, 0, length);
}

function generateKeySync(type, options) {
  const bytes = Buffer.alloc(secretLength(type, options));
  binding.randomFill(-1, bytes, 0, bytes.length);
  return keys.createSecretKey(bytes);
}

module.exports = { generateKeyPair, generateKeyPairSync, generateKey, generateKeySync };
