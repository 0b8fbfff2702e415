'use strict';

// Diffie-Hellman on elliptic curves.

const { codes, binding, getArrayBufferOrView, toBytes, encode } = require('internal/crypto/util');
const { callable, coded } = require('internal/crypto/work');
const { validateString } = require('internal/validators');
const { deprecate } = require('internal/util');

// How a point is written; the numbers are OpenSSL's.
const forms = { compressed: 2, uncompressed: 4, hybrid: 6 };

function readForm(format) {
  const form = format ? forms[format] : forms.uncompressed;
  if (form === undefined) throw new codes.ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
  return form;
}

const readKey = (key, encoding) => toBytes(getArrayBufferOrView(key, 'key', encoding));
const failed = (message) => coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);
const badPoint = () => failed('Failed to convert Buffer to EC_POINT');

class CurveExchange {
  #handle;

  constructor(curve) {
    validateString(curve, 'curve');
    this.#handle = binding.ecdhCreate(curve);
    if (this.#handle === null) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  }

  #need(value, which) {
    if (value === undefined) throw failed(`Failed to get ECDH ${which} key`);
    return value;
  }

  computeSecret(otherPublicKey, inputEncoding, outputEncoding) {
    const secret = binding.ecdhCompute(this.#handle, readKey(otherPublicKey, inputEncoding));
    if (secret === null && binding.ecdhPrivate(this.#handle) === undefined) throw failed('Failed to compute ECDH key');
    if (secret === null) throw new codes.ERR_CRYPTO_INVALID_KEYPAIR();
    if (secret === undefined) throw new codes.ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
    return encode(secret, outputEncoding);
  }

  generateKeys(encoding, format) {
    binding.ecdhGenerate(this.#handle);
    return this.getPublicKey(encoding, format);
  }

  getPublicKey(encoding, format) {
    return encode(this.#need(binding.ecdhPublic(this.#handle, readForm(format)), 'public'), encoding);
  }

  getPrivateKey(encoding) {
    return encode(this.#need(binding.ecdhPrivate(this.#handle), 'private'), encoding);
  }

  setPrivateKey(privateKey, encoding) {
    if (binding.ecdhSetPrivate(this.#handle, readKey(privateKey, encoding))) return this;
    throw coded(RangeError, 'ERR_CRYPTO_INVALID_KEYTYPE', 'Private key is not valid for specified curve.');
  }

  setPublicKey(publicKey, encoding) {
    if (!binding.ecdhSetPublic(this.#handle, readKey(publicKey, encoding))) throw badPoint();
    return this;
  }
}
CurveExchange.prototype.setPublicKey = deprecate(
  CurveExchange.prototype.setPublicKey,
  'ecdh.setPublicKey() is deprecated.',
  'DEP0031',
);

const ECDH = callable(CurveExchange, 'ECDH');

ECDH.convertKey = function convertKey(key, curve, inputEncoding, outputEncoding, format) {
  validateString(curve, 'curve');
  const point = binding.ecdhConvert(readKey(key, inputEncoding), curve, readForm(format));
  if (point === null) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  if (point === undefined) throw badPoint();
  return encode(point, outputEncoding);
};

let names;
function getCurves() {
  names ??= binding.curveNames().sort();
  return [...names];
}

module.exports = { ECDH, getCurves };
