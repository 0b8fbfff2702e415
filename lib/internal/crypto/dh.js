'use strict';

// Diffie-Hellman: with numbers, on curves, and between key objects.

const { codes, binding, getArrayBufferOrView, toBytes, encode } = require('internal/crypto/util');
const { validateInt32, validateObject, validateString, validateFunction } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');

const kHandle = Symbol('kHandle');
const DH_GENERATOR = 2;
const forms = { compressed: 2, uncompressed: 4, hybrid: 6 };

// The bytes of any view, whatever its elements are.
function rawBuffer(value) {
  const view = toBytes(value);
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && !isArrayBufferView(sizeOrKey) && !isAnyArrayBuffer(sizeOrKey)) {
    throw new codes.ERR_INVALID_ARG_TYPE('sizeOrKey', ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') validateInt32(sizeOrKey, 'sizeOrKey');
  if (keyEncoding && !Buffer.isEncoding(keyEncoding) && keyEncoding !== 'buffer') {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = false;
  }
  if (typeof sizeOrKey !== 'number') sizeOrKey = toBytes(getArrayBufferOrView(sizeOrKey, 'sizeOrKey', keyEncoding || undefined));
  if (!generator) {
    generator = DH_GENERATOR;
  } else if (typeof generator === 'number') {
    validateInt32(generator, 'generator');
  } else if (typeof generator === 'string') {
    generator = toBytes(getArrayBufferOrView(generator, 'generator', genEncoding));
  } else if (!isArrayBufferView(generator) && !isAnyArrayBuffer(generator)) {
    throw new codes.ERR_INVALID_ARG_TYPE('generator', ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], generator);
  }
  if (typeof sizeOrKey === 'number') {
    if (typeof generator !== 'number') generator = Number(BigInt(`0x0${rawBuffer(generator).toString('hex')}`));
    if (sizeOrKey < 2) throw Object.assign(new Error('error:02800080:Diffie-Hellman routines::modulus too small'), { code: 'ERR_OSSL_DH_MODULUS_TOO_SMALL' });
    if (generator < 2) throw Object.assign(new Error('error:02800065:Diffie-Hellman routines::bad generator'), { code: 'ERR_OSSL_DH_BAD_GENERATOR' });
    this[kHandle] = binding.dhCreate(sizeOrKey, generator);
  } else {
    if (typeof generator === 'number') {
      if (generator < 2) throw Object.assign(new Error('error:02800065:Diffie-Hellman routines::bad generator'), { code: 'ERR_OSSL_DH_BAD_GENERATOR' });
      const hex = generator.toString(16);
      generator = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
    } else if (rawBuffer(generator).every((byte, i, all) => byte === 0 || (byte === 1 && i === all.length - 1))) {
      throw Object.assign(new Error('error:02800065:Diffie-Hellman routines::bad generator'), { code: 'ERR_OSSL_DH_BAD_GENERATOR' });
    }
    const number = (bytes) => BigInt(`0x0${rawBuffer(bytes).toString('hex')}`);
    if (number(generator) >= number(sizeOrKey) && number(sizeOrKey) > 4n) {
      throw Object.assign(new Error('error:02800065:Diffie-Hellman routines::bad generator'), { code: 'ERR_OSSL_DH_BAD_GENERATOR' });
    }
    this[kHandle] = binding.dhCreate(sizeOrKey, toBytes(generator));
  }
  defineVerifyError(this);
}

function defineVerifyError(object) {
  Object.defineProperty(object, 'verifyError', { __proto__: null, enumerable: true, value: binding.dhGet(object[kHandle], 4), writable: false });
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  validateString(name, 'name');
  const handle = binding.dhCreate(name);
  if (handle === null) throw new codes.ERR_CRYPTO_UNKNOWN_DH_GROUP();
  this[kHandle] = handle;
  defineVerifyError(this);
}

function present(object, which, encoding, text) {
  const value = binding.dhGet(object[kHandle], which);
  if (value === undefined) throw Object.assign(new Error(text), { code: 'ERR_CRYPTO_INVALID_STATE' });
  return encode(value, encoding);
}

const shared = {
  generateKeys(encoding) {
    return encode(binding.dhGenerate(this[kHandle]), encoding);
  },
  computeSecret(key, inEncoding, outEncoding) {
    const bytes = toBytes(getArrayBufferOrView(key, 'otherPublicKey', inEncoding));
    const result = binding.dhCompute(this[kHandle], bytes);
    if (result === 1) throw Object.assign(new RangeError('Supplied key is too small'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
    if (result === 2) throw Object.assign(new RangeError('Supplied key is too large'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
    if (result === 3) throw Object.assign(new Error('Invalid key'), { code: 'ERR_CRYPTO_INVALID_KEYTYPE' });
    return encode(result, outEncoding);
  },
  getPrime(encoding) {
    return present(this, 0, encoding, 'No prime');
  },
  getGenerator(encoding) {
    return present(this, 1, encoding, 'No generator');
  },
  getPublicKey(encoding) {
    return present(this, 2, encoding, 'No public key - did you forget to generate one?');
  },
  getPrivateKey(encoding) {
    return present(this, 3, encoding, 'No private key - did you forget to generate one?');
  },
};
Object.assign(DiffieHellman.prototype, shared);
Object.assign(DiffieHellmanGroup.prototype, shared);

DiffieHellman.prototype.setPublicKey = function setPublicKey(key, encoding) {
  binding.dhSet(this[kHandle], false, toBytes(getArrayBufferOrView(key, 'key', encoding)));
  return this;
};
DiffieHellman.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  binding.dhSet(this[kHandle], true, toBytes(getArrayBufferOrView(key, 'key', encoding)));
  return this;
};

function formOf(format) {
  if (!format) return forms.uncompressed;
  if (forms[format] === undefined) throw new codes.ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
  return forms[format];
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validateString(curve, 'curve');
  const handle = binding.ecdhCreate(curve);
  if (handle === null) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  this[kHandle] = handle;
}

ECDH.prototype.computeSecret = function computeSecret(key, inEncoding, outEncoding) {
  const bytes = toBytes(getArrayBufferOrView(key, 'otherPublicKey', inEncoding));
  const result = binding.ecdhCompute(this[kHandle], bytes);
  if (result === null) throw new codes.ERR_CRYPTO_INVALID_KEYPAIR();
  if (result === undefined) throw new codes.ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
  return encode(result, outEncoding);
};
ECDH.prototype.generateKeys = function generateKeys(encoding, format) {
  binding.ecdhGenerate(this[kHandle]);
  return this.getPublicKey(encoding, format);
};
ECDH.prototype.getPublicKey = function getPublicKey(encoding, format) {
  const value = binding.ecdhPublic(this[kHandle], formOf(format));
  if (value === undefined) throw Object.assign(new Error('Failed to get ECDH public key'), { code: 'ERR_CRYPTO_INVALID_STATE' });
  return encode(value, encoding);
};
ECDH.prototype.getPrivateKey = function getPrivateKey(encoding) {
  const value = binding.ecdhPrivate(this[kHandle]);
  if (value === undefined) throw Object.assign(new Error('Failed to get ECDH private key'), { code: 'ERR_CRYPTO_INVALID_STATE' });
  return encode(value, encoding);
};
ECDH.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  const bytes = toBytes(getArrayBufferOrView(key, 'key', encoding));
  if (!binding.ecdhSetPrivate(this[kHandle], bytes)) {
    throw Object.assign(new Error('Private key is not valid for specified curve.'), { code: 'ERR_CRYPTO_INVALID_KEYTYPE' });
  }
};
let warnedSetPublic = false;
ECDH.prototype.setPublicKey = function setPublicKey(key, encoding) {
  if (!warnedSetPublic) {
    warnedSetPublic = true;
    process.emitWarning('ecdh.setPublicKey() is deprecated.', 'DeprecationWarning', 'DEP0031');
  }
  const bytes = toBytes(getArrayBufferOrView(key, 'key', encoding));
  if (!binding.ecdhSetPublic(this[kHandle], bytes)) throw new Error('Failed to convert Buffer to EC_POINT');
};
ECDH.convertKey = function convertKey(key, curve, inEncoding, outEncoding, format) {
  validateString(curve, 'curve');
  const bytes = toBytes(getArrayBufferOrView(key, 'key', inEncoding));
  const form = formOf(format);
  const value = binding.ecdhConvert(bytes, curve, form);
  if (value === null) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  if (value === undefined) throw new Error('Failed to convert Buffer to EC_POINT');
  return encode(value, outEncoding);
};

const agreeing = new Set(['dh', 'ec', 'x448', 'x25519']);

function diffieHellman(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { preparePrivateKey, preparePublicKey } = require('internal/crypto/keys');
  const { privateKey, publicKey } = options;
  if (privateKey === undefined || privateKey === null) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKey', privateKey);
  if (publicKey === undefined || publicKey === null) throw new codes.ERR_INVALID_ARG_VALUE('options.publicKey', publicKey);
  const own = preparePrivateKey(privateKey, 'options.privateKey').handle;
  const other = preparePublicKey(publicKey, 'options.publicKey').handle;
  const ownType = binding.keyType(own);
  const otherType = binding.keyType(other);
  if (ownType !== otherType || !agreeing.has(ownType)) {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${ownType} and ${otherType}`);
  }
  if (callback === undefined) return Buffer.from(binding.agree(own, other));
  let result;
  let failure = null;
  try {
    result = Buffer.from(binding.agree(own, other));
  } catch (error) {
    failure = error;
  }
  setImmediate(() => callback(failure, result));
  return undefined;
}

let curves;
function getCurves() {
  curves ??= binding.curveNames().sort();
  return curves.slice();
}

module.exports = { DiffieHellman, DiffieHellmanGroup, ECDH, diffieHellman, getCurves };
