'use strict';

// Hash and Hmac: streams that take data and then give one digest; and crypto.hash, which does it in one call.

const { codes, binding, encode, toBytes, getArrayBufferOrView, views } = require('internal/crypto/util');
const { callable } = require('internal/crypto/work');
const { validateEncoding, validateString, validateUint32, validateObject } = require('internal/validators');
const { isArrayBufferView, isAnyArrayBuffer } = require('internal/util/types');
const { normalizeEncoding } = require('internal/util');
const { Buffer } = require('internal/buffer/class');
const { Transform } = require('stream');

const dataKinds = ['string', 'Buffer', 'TypedArray', 'DataView'];
const asItIs = new Set([undefined, 'utf8', 'utf-8', 'buffer']);

// The binding takes text as UTF-8 by itself; in other encodings it is made bytes here.
function input(data, encoding) {
  return typeof data !== 'string' || asItIs.has(encoding)
    ? data
    : Buffer.from(data, normalizeEncoding(encoding) ?? 'utf8');
}

// An unknown encoding gives bytes.
const knownEncoding = (encoding) => (encoding ? normalizeEncoding(`${encoding}`) : undefined);

const optionsOf = (options) => (typeof options === 'object' && options !== null ? options : undefined);

// What both have in common. `#engine` adds bytes and, once, gives the result.
class Digester extends Transform {
  #add;
  #isOver = false;

  constructor(add, options) {
    super(optionsOf(options));
    this.#add = add;
  }

  get _isOver() {
    return this.#isOver;
  }

  _end() {
    this.#isOver = true;
  }

  update(data, encoding) {
    const isText = typeof data === 'string';
    if (!isText && !isArrayBufferView(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', dataKinds, data);
    if (this.#isOver) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    if (isText) validateEncoding(data, encoding);
    if (this.#add(input(data, encoding)) === false) throw new codes.ERR_CRYPTO_HASH_UPDATE_FAILED();
    return this;
  }

  _transform(chunk, encoding, callback) {
    this.#add(input(chunk, encoding));
    callback();
  }
}

function unknownDigest() {
  return new Error('Digest method not supported');
}

class HashStream extends Digester {
  #handle;
  #algorithm;
  #length;
  #result;

  constructor(algorithm, options) {
    const model = algorithm !== null && typeof algorithm === 'object' && #handle in algorithm ? algorithm : undefined;
    if (model === undefined) validateString(algorithm, 'algorithm');
    const length = optionsOf(options)?.outputLength;
    if (length !== undefined) validateUint32(length, 'options.outputLength');
    const handle = binding.hashCreate(model === undefined ? algorithm : model.#handle);
    if (handle === null) throw unknownDigest();
    const name = model === undefined ? algorithm : model.#algorithm;
    const [size, isFree] = binding.hashInfo(name);
    if (length !== undefined && length !== size && !isFree) {
      throw Object.assign(new Error('error:030000B2:digital envelope routines::not XOF or invalid length'), {
        library: 'digital envelope routines',
        reason: 'not XOF or invalid length',
        code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH',
      });
    }
    super((data) => binding.hashUpdate(handle, data), options);
    this.#handle = handle;
    this.#algorithm = name;
    this.#length = length ?? model?.#length;
  }

  copy(options) {
    if (this._isOver) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return new Hash(this, options);
  }

  #finish() {
    this.#result ??= binding.hashDigest(this.#handle, this.#length);
    return this.#result;
  }

  // The digest that the stream emits does not count: the program may call digest() once more.
  _flush(callback) {
    let result;
    try {
      result = this.#finish();
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, Buffer.from(result));
  }

  digest(outputEncoding) {
    if (this._isOver) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    const result = this.#finish();
    this._end();
    return encode(result, knownEncoding(outputEncoding));
  }
}
const Hash = callable(HashStream, 'Hash');

// The bytes of a secret, whether it is a KeyObject, a CryptoKey or bytes.
function keyBytes(key, encoding) {
  const { isKeyObject, isCryptoKey, getKeySlots } = require('internal/crypto/keys');
  if (isKeyObject(key) || isCryptoKey(key)) {
    const { type, handle } = getKeySlots(key);
    if (type !== 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'secret');
    return handle;
  }
  if (typeof key !== 'string' && !isArrayBufferView(key) && !isAnyArrayBuffer(key)) {
    throw new codes.ERR_INVALID_ARG_TYPE('key', [...views, 'string', 'KeyObject', 'CryptoKey'], key);
  }
  return toBytes(getArrayBufferOrView(key, 'key', encoding));
}

class HmacStream extends Digester {
  #handle;

  constructor(hmac, key, options) {
    validateString(hmac, 'hmac');
    const handle = binding.hmacCreate(
      hmac.toLowerCase() === 'dss1' ? 'sha1' : hmac,
      keyBytes(key, optionsOf(options)?.encoding),
    );
    if (handle === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(hmac);
    super((data) => binding.hmacUpdate(handle, data), options);
    this.#handle = handle;
  }

  _flush(callback) {
    callback(null, this.digest());
  }

  // A second call gives an empty result without an error: programs rely on that.
  digest(outputEncoding) {
    const encoding = knownEncoding(outputEncoding);
    if (this._isOver) return encode('', encoding);
    this._end();
    return encode(binding.hmacDigest(this.#handle), encoding);
  }
}
const Hmac = callable(HmacStream, 'Hmac');

function readOneShotOptions(options) {
  if (typeof options === 'string') return { outputEncoding: options };
  if (options !== undefined) validateObject(options, 'options');
  return { outputEncoding: options?.outputEncoding ?? 'hex', outputLength: options?.outputLength };
}

function hash(algorithm, data, options) {
  validateString(algorithm, 'algorithm');
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('input', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  const { outputEncoding, outputLength } = readOneShotOptions(options);
  validateString(outputEncoding, 'outputEncoding');
  if (outputLength !== undefined) validateUint32(outputLength, 'options.outputLength');
  const encoding = outputEncoding === 'buffer' ? outputEncoding : normalizeEncoding(outputEncoding);
  if (encoding === undefined) throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
  const handle = binding.hashCreate(algorithm);
  if (handle === null) throw unknownDigest();
  binding.hashUpdate(handle, data);
  return encode(binding.hashDigest(handle, outputLength), encoding);
}

// Some names are known, but belong to OpenSSL's legacy provider, which is not loaded.
function isThere(name) {
  try {
    return binding.hashCreate(name) !== null;
  } catch {
    return false;
  }
}

let names;
function getHashes() {
  names ??= [...new Set(binding.hashNames())].filter(isThere).sort();
  return [...names];
}

module.exports = { Hash, Hmac, hash, getHashes, keyBytes };
