'use strict';

// RSA's encryption of short messages, with either half of a key.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { coded, Work } = require('internal/crypto/work');
const { preparePrivateKey, preparePublicKey } = require('internal/crypto/keys');
const { isMemory } = require('internal/crypto/key_input');
const { validateString, validateFunction } = require('internal/validators');
const { Buffer } = require('internal/buffer/class');

const paddings = { pkcs1: 1, oaep: 4 };
const steps = { publicEncrypt: 0, privateDecrypt: 1, privateEncrypt: 2, publicDecrypt: 3 };

function readDigest(options, name) {
  const digest = options[name];
  if (digest !== undefined) validateString(digest, `key.${name}`);
  return digest;
}

function readLabel({ oaepLabel, encoding }) {
  if (oaepLabel === undefined) return undefined;
  const label = typeof oaepLabel === 'string' ? Buffer.from(oaepLabel, encoding) : oaepLabel;
  if (isMemory(label)) return toBytes(label);
  throw new codes.ERR_INVALID_ARG_TYPE(
    'key.oaepLabel',
    ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'],
    label,
  );
}

// Options are properties of the same object as the key.
const optionsIn = (key) => (typeof key === 'object' && key !== null && 'key' in key ? key : {});

const privateHalf = (key) => preparePrivateKey(key, 'privateKey');

function operation(name, prepare, usualPadding) {
  return {
    [name](key, buffer) {
      const options = optionsIn(key);
      const digests = [readDigest(options, 'oaepHash'), readDigest(options, 'mgf1Hash')];
      const label = readLabel(options);
      const data = toBytes(getArrayBufferOrView(buffer, 'buffer', options.encoding));
      for (const digest of digests) {
        if (digest !== undefined && binding.hashInfo(digest) === null)
          throw coded(Error, 'ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest used');
      }
      const { handle } = prepare(key);
      const [digest, maskDigest] = digests;
      return Buffer.from(
        binding.rsaCrypt(-1, steps[name], handle, data, key?.padding ?? usualPadding, digest, label, maskDigest),
      );
    },
  }[name];
}

// encapsulate and decapsulate: a shared secret, encrypted for the owner of a key. The library implements
// this for RSA (RSASVE).

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

module.exports = {
  publicEncrypt: operation('publicEncrypt', preparePublicKey, paddings.oaep),
  privateDecrypt: operation('privateDecrypt', privateHalf, paddings.oaep),
  privateEncrypt: operation('privateEncrypt', privateHalf, paddings.pkcs1),
  publicDecrypt: operation('publicDecrypt', preparePublicKey, paddings.pkcs1),
  encapsulate,
  decapsulate,
};
