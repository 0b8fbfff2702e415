'use strict';

// What the parts of crypto share: bytes from any kind of input, jobs on the pool, and errors that only crypto has.

const { codes, E } = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');
const { once } = require('internal/async/bound');
const binding = internalBinding('crypto');

for (const [code, message, Base] of [
  ['ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length', RangeError],
  ['ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector', TypeError],
  ['ERR_CRYPTO_INVALID_AUTH_TAG', 'Invalid authentication tag length: %s', TypeError],
  ['ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher', RangeError],
  ['ERR_CRYPTO_INVALID_KEYTYPE', 'Invalid key type', RangeError],
  ['ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name', TypeError],
  ['ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data', TypeError],
  ['ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE', 'Unsupported JWK Key Type.', Error],
  ['ERR_CRYPTO_JWK_UNSUPPORTED_CURVE', 'Unsupported JWK EC curve: %s.', Error],
  ['ERR_CRYPTO_INVALID_KEYPAIR', 'Invalid key pair', RangeError],
  ['ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE', 'Invalid key object type %s, expected %s.', TypeError],
  ['ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', 'The selected key encoding %s %s.', Error],
  ['ERR_CRYPTO_INVALID_SCRYPT_PARAMS', 'Invalid scrypt params%s', RangeError],
  ['ERR_CRYPTO_OPERATION_FAILED', 'Operation failed', Error],
  ['ERR_CRYPTO_UNSUPPORTED_OPERATION', 'Unsupported crypto operation', Error],
  ['ERR_CRYPTO_INVALID_MESSAGELEN', 'Invalid message length', RangeError],
  ['ERR_CRYPTO_INVALID_COUNTER', 'Invalid counter', TypeError],
  ['ERR_MISSING_PASSPHRASE', 'Passphrase required for encrypted key', TypeError],
  ['ERR_CRYPTO_INITIALIZATION_FAILED', 'Initialization failed', Error],
  ['ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group', Error],
  ['ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY', 'Public key is not valid for specified curve', Error],
  ['ERR_CRYPTO_FIPS_FORCED', 'Cannot set FIPS mode, it was forced with --force-fips at startup.', Error],
  ['ERR_CRYPTO_FIPS_UNAVAILABLE', 'Cannot set FIPS mode in a non-FIPS build.', Error],
]) {
  if (codes[code] === undefined || code === 'ERR_CRYPTO_UNKNOWN_CIPHER') E(code, message, Base);
}

const views = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function getArrayBufferOrView(value, name, encoding) {
  if (isAnyArrayBuffer(value)) return value;
  if (typeof value === 'string') return Buffer.from(value, encoding === 'buffer' ? 'utf8' : encoding);
  if (!isArrayBufferView(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', ...views], value);
  return value;
}

// As bytes for the binding: array buffers of several kinds become views.
function toBytes(value) {
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : value;
}

function encode(result, encoding) {
  const buffer = Buffer.from(result);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

const waiting = new Map();
let lastId = 0;

binding.setCallback((id, error, value) => {
  const callback = waiting.get(id);
  waiting.delete(id);
  callback(error, value);
});

// job(callback(error, value), the type that it has as an asynchronous resource) -> the number to give to the binding
function job(callback, type) {
  const id = ++lastId;
  waiting.set(id, once(type, callback));
  return id;
}

function dropJob(id) {
  waiting.delete(id);
}

// ---- --secure-heap=SIZE and --secure-heap-min=SIZE ----

// Memory for private numbers that is neither swapped nor dumped. It is taken before there is a number to keep.

function sizeOf(option, otherwise) {
  const given = require('internal/process/flags')
    .words()
    .findLast((each) => each.startsWith(`${option}=`));
  return given === undefined ? otherwise : Number(given.slice(option.length + 1));
}

const least = sizeOf('--secure-heap-min', 2);
const wanted = sizeOf('--secure-heap', 0);
const total = wanted > 0 && binding.secureHeap(wanted, least) ? wanted : 0;

function secureHeapUsed() {
  const used = binding.secureHeapUsed();
  return { total, used, utilization: used / total, min: least };
}

module.exports = { binding, codes, getArrayBufferOrView, toBytes, encode, job, dropJob, views, secureHeapUsed };
