'use strict';

// Sign and Verify, and both in one call.

const { codes, binding, getArrayBufferOrView, job, toBytes, dropJob } = require('internal/crypto/util');
const { preparePrivateKey, preparePublicKey } = require('internal/crypto/keys');
const { validateEncoding, validateFunction, validateString } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');
const { Writable } = require('stream');

const kParts = Symbol('kParts');
const kAlgorithm = Symbol('kAlgorithm');
const kDone = Symbol('kDone');

function integerOption(name, options) {
  const value = options?.[name];
  if (value === undefined) return undefined;
  if (value === (value >> 0)) return value;
  throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value);
}

function wantsPlainPair(options) {
  if (typeof options !== 'object' || options === null) return false;
  const { dsaEncoding } = options;
  if (dsaEncoding === undefined || dsaEncoding === 'der') return false;
  if (dsaEncoding === 'ieee-p1363') return true;
  throw new codes.ERR_INVALID_ARG_VALUE('options.dsaEncoding', dsaEncoding);
}

const settings = (options) => [
  typeof options === 'object' && options !== null ? integerOption('padding', options) : undefined,
  typeof options === 'object' && options !== null ? integerOption('saltLength', options) : undefined,
  wantsPlainPair(options),
];

// 'RSA-SHA256' and the like name a digest together with the kind of key.
function digestName(algorithm) {
  return algorithm;
}

function construct(stream, algorithm, options) {
  validateString(algorithm, 'algorithm');
  if (binding.hashInfo(digestName(algorithm)) === null) {
    throw Object.assign(new Error('Invalid digest: ' + algorithm), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
  }
  stream[kParts] = [];
  stream[kAlgorithm] = algorithm;
  stream[kDone] = false;
  Reflect.apply(Writable, stream, [options]);
}

function add(data, encoding) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  if (typeof data === 'string') validateEncoding(data, encoding);
  this[kParts].push(typeof data === 'string' ? Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding) :
    Buffer.from(Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
  return this;
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  construct(this, algorithm, options);
}
Object.setPrototypeOf(Sign.prototype, Writable.prototype);
Object.setPrototypeOf(Sign, Writable);

Sign.prototype._write = function _write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
};
Sign.prototype.update = function update(data, encoding) {
  return Reflect.apply(add, this, [data, encoding]);
};
Sign.prototype.sign = function sign(options, encoding) {
  if (!options) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const { handle } = preparePrivateKey(options);
  const [padding, salt, plain] = settings(options);
  if (this[kDone]) throw Object.assign(new Error('Not initialised'), { code: 'ERR_CRYPTO_INVALID_STATE' });
  this[kDone] = true;
  const result = Buffer.from(binding.sign(-1, handle, digestName(this[kAlgorithm]), Buffer.concat(this[kParts]), padding, salt, plain));
  return encoding && encoding !== 'buffer' ? result.toString(encoding) : result;
};

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  construct(this, algorithm, options);
}
Object.setPrototypeOf(Verify.prototype, Writable.prototype);
Object.setPrototypeOf(Verify, Writable);

Verify.prototype._write = Sign.prototype._write;
Verify.prototype.update = Sign.prototype.update;
Verify.prototype.verify = function verify(options, signature, encoding) {
  const { handle } = preparePublicKey(options);
  const [padding, salt, plain] = settings(options);
  const bytes = toBytes(getArrayBufferOrView(signature, 'signature', encoding));
  if (this[kDone]) throw Object.assign(new Error('Not initialised'), { code: 'ERR_CRYPTO_INVALID_STATE' });
  this[kDone] = true;
  return binding.sign(-1, handle, digestName(this[kAlgorithm]), Buffer.concat(this[kParts]), padding, salt, plain, bytes);
};

function oneShot(algorithm, data, key, signature, callback, prepare) {
  if (algorithm != null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  data = toBytes(getArrayBufferOrView(data, 'data'));
  if (!key) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const [padding, salt, plain] = settings(key);
  const { handle } = prepare(key);
  const args = [handle, algorithm ?? undefined, data, padding, salt, plain];
  if (signature !== undefined) args.push(signature);
  const wrap = (value) => (signature === undefined ? Buffer.from(value) : value);
  if (callback === undefined) {
    const value = binding.sign(-1, ...args);
    if (value === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
    return wrap(value);
  }
  const id = job((error, value) => (error ? callback(error) : callback(null, wrap(value))));
  if (binding.sign(id, ...args) === null) {
    dropJob(id);
    throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
  }
  return undefined;
}

function signOneShot(algorithm, data, key, callback) {
  return oneShot(algorithm, data, key, undefined, callback, preparePrivateKey);
}

function verifyOneShot(algorithm, data, key, signature, callback) {
  if (algorithm != null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  data = getArrayBufferOrView(data, 'data');
  if (!isArrayBufferView(data)) data = toBytes(data);
  if (!isArrayBufferView(signature) && !(signature instanceof ArrayBuffer)) {
    throw new codes.ERR_INVALID_ARG_TYPE('signature', ['Buffer', 'TypedArray', 'DataView'], signature);
  }
  return oneShot(algorithm, data, key, toBytes(signature), callback, preparePublicKey);
}

module.exports = { Sign, Verify, signOneShot, verifyOneShot };
