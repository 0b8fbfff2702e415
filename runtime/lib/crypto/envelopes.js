'use strict';

// encapsulate and decapsulate: a shared secret, encrypted for the owner of a key. The library implements this for RSA
// (RSASVE).

const { binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { Work, coded } = require('internal/crypto/work');
const { validateFunction } = require('internal/validators');
const { preparePrivateKey, preparePublicKey } = require('internal/crypto/keys');
const { Buffer } = require('internal/buffer/class');

const keyKinds = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'];

// The error says only which operation failed.
function carryOut(given, message, present, callback) {
  const failure = () => coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);
  const work = new Work(binding.encapsulate, given, ([secret, envelope]) =>
    present(Buffer.from(secret), Buffer.from(envelope)),
  );
  if (callback !== undefined)
    return work.later((error, result) => (error ? callback(failure()) : callback(null, result)));
  try {
    return work.now();
  } catch {
    throw failure();
  }
}

function encapsulate(key, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { handle } = preparePublicKey(key);
  return carryOut([handle], 'Encapsulation failed', (sharedKey, ciphertext) => ({ sharedKey, ciphertext }), callback);
}

function decapsulate(key, ciphertext, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { handle } = preparePrivateKey(key, 'key', [...keyKinds, 'URL']);
  const envelope = toBytes(getArrayBufferOrView(ciphertext, 'ciphertext'));
  return carryOut([handle, envelope], 'Decapsulation failed', (sharedKey) => sharedKey, callback);
}

module.exports = { encapsulate, decapsulate };
