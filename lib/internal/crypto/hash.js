'use strict';

// Hash, Hmac, and a hash in one call.

const { codes, binding, encode, toBytes, getArrayBufferOrView } = require('internal/crypto/util');
const { validateEncoding, validateString, validateUint32, validateObject } = require('internal/validators');
const { isArrayBufferView, isAnyArrayBuffer } = require('internal/util/types');
const { normalizeEncoding } = require('internal/util');
const { Buffer } = require('buffer');
const { Transform } = require('stream');

const kHandle = Symbol('kHandle');
const kState = Symbol('kState');

function checkData(data) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
}

function asInput(data, encoding) {
  if (typeof data !== 'string' || encoding === undefined || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'buffer') return data;
  return Buffer.from(data, normalizeEncoding(encoding) ?? 'utf8');
}

function digestError() {
  return new Error('Digest method not supported');
}

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  const copies = algorithm instanceof Hash;
  if (!copies) validateString(algorithm, 'algorithm');
  const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  const handle = binding.hashCreate(copies ? algorithm[kHandle] : algorithm);
  if (handle === null) throw digestError();
  const name = copies ? algorithm[kState].algorithm : algorithm;
  const info = binding.hashInfo(name);
  if (length !== undefined && length !== info[0] && !info[1]) {
    throw Object.assign(new Error('error:030000B2:digital envelope routines::not XOF or invalid length'),
                        { code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH', reason: 'not XOF or invalid length', library: 'digital envelope routines' });
  }
  this[kHandle] = handle;
  this[kState] = { finalized: false, algorithm: name, length: length ?? (copies ? algorithm[kState].length : undefined), result: undefined };
  Reflect.apply(Transform, this, [typeof options === 'object' && options !== null ? options : undefined]);
}
Object.setPrototypeOf(Hash.prototype, Transform.prototype);
Object.setPrototypeOf(Hash, Transform);

Hash.prototype.copy = function copy(options) {
  if (this[kState].finalized) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  binding.hashUpdate(this[kHandle], asInput(chunk, encoding));
  callback();
};

// The stream's own digest does not count: the program may ask for it once more.
Hash.prototype._flush = function _flush(callback) {
  try {
    const state = this[kState];
    state.result = binding.hashDigest(this[kHandle], state.length);
    this.push(Buffer.from(state.result));
  } catch (error) {
    callback(error);
    return;
  }
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  checkData(data);
  const state = this[kState];
  if (state.finalized) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  if (typeof data === 'string') validateEncoding(data, encoding);
  if (!binding.hashUpdate(this[kHandle], asInput(data, encoding))) throw new codes.ERR_CRYPTO_HASH_UPDATE_FAILED();
  return this;
};

Hash.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  if (state.finalized) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  const result = state.result ?? binding.hashDigest(this[kHandle], state.length);
  state.finalized = true;
  return encode(result, outputEncoding && `${outputEncoding}`);
};

function keyBytes(key, encoding) {
  const { isKeyObject, isCryptoKey, getKeyObject } = require('internal/crypto/keys');
  if (isKeyObject(key) || isCryptoKey(key)) {
    const object = getKeyObject(key);
    if (object.type !== 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(object.type, 'secret');
    return object.export();
  }
  if (key === null || key === undefined || (typeof key !== 'string' && !isArrayBufferView(key) && !isAnyArrayBuffer(key))) {
    throw new codes.ERR_INVALID_ARG_TYPE('key', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'], key);
  }
  return toBytes(getArrayBufferOrView(key, 'key', encoding));
}

function Hmac(hmac, key, options) {
  if (!new.target) return new Hmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const encoding = typeof options === 'object' && options !== null ? options.encoding : undefined;
  const handle = binding.hmacCreate(/^dss1$/i.test(hmac) ? 'sha1' : hmac, keyBytes(key, encoding));
  if (handle === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(hmac);
  this[kHandle] = handle;
  this[kState] = { finalized: false };
  Reflect.apply(Transform, this, [typeof options === 'object' && options !== null ? options : undefined]);
}
Object.setPrototypeOf(Hmac.prototype, Transform.prototype);
Object.setPrototypeOf(Hmac, Transform);

Hmac.prototype.update = function update(data, encoding) {
  checkData(data);
  if (this[kState].finalized) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  if (typeof data === 'string') validateEncoding(data, encoding);
  binding.hmacUpdate(this[kHandle], asInput(data, encoding));
  return this;
};

Hmac.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  if (state.finalized) {
    // A second time there is nothing, and no error: programs rely on that.
    const nothing = Buffer.from('');
    return outputEncoding && outputEncoding !== 'buffer' ? nothing.toString(outputEncoding) : nothing;
  }
  state.finalized = true;
  return encode(binding.hmacDigest(this[kHandle]), outputEncoding);
};

Hmac.prototype._transform = function _transform(chunk, encoding, callback) {
  binding.hmacUpdate(this[kHandle], asInput(chunk, encoding));
  callback();
};
Hmac.prototype._flush = function _flush(callback) {
  this.push(this.digest());
  callback();
};

function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !isArrayBufferView(input)) throw new codes.ERR_INVALID_ARG_TYPE('input', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  let outputEncoding;
  let length;
  if (typeof options === 'string') {
    outputEncoding = options;
  } else if (options !== undefined) {
    validateObject(options, 'options');
    ({ outputEncoding, outputLength: length } = options);
  }
  outputEncoding ??= 'hex';
  validateString(outputEncoding, 'outputEncoding');
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  const normalized = outputEncoding === 'buffer' ? 'buffer' : normalizeEncoding(outputEncoding);
  if (normalized === undefined) throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
  const handle = binding.hashCreate(algorithm);
  if (handle === null) throw digestError();
  binding.hashUpdate(handle, input);
  return encode(binding.hashDigest(handle, length), normalized);
}

// Some names are known, but belong to OpenSSL's legacy provider, which is not loaded.
function isThere(name) {
  try {
    return binding.hashCreate(name) !== null;
  } catch {
    return false;
  }
}

let hashNames;
function getHashes() {
  hashNames ??= [...new Set(binding.hashNames())].filter(isThere).sort();
  return hashNames.slice();
}

module.exports = { Hash, Hmac, hash, getHashes, keyBytes };
