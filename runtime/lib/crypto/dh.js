'use strict';

// Diffie-Hellman, with numbers and on elliptic curves.
//
// Diffie-Hellman with numbers: own parameters or well-known groups, and between key objects.

const { codes, binding, getArrayBufferOrView, toBytes, encode, views } = require('internal/crypto/util');
const { Work, callable, coded } = require('internal/crypto/work');
const { validateInt32, validateObject, validateFunction, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');
const { deprecate } = require('internal/util');

const numberKinds = ['number', 'string', ...views];
const usualGenerator = 2;

// The parts of an exchange, by the binding's numbers.
const part = { prime: 0, generator: 1, publicKey: 2, privateKey: 3, problems: 4 };

const isMemory = (value) => isArrayBufferView(value) || isAnyArrayBuffer(value);

function hexOf(bytes) {
  const view = toBytes(bytes);
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex');
}

const numberOf = (value) => (typeof value === 'number' ? BigInt(value) : BigInt(`0x0${hexOf(value)}`));

function bytesOfNumber(value) {
  const digits = value.toString(16);
  return Buffer.from(digits.length & 1 ? `0${digits}` : digits, 'hex');
}

// As OpenSSL would say it.
const refusals = {
  generator: () => coded(Error, 'ERR_OSSL_DH_BAD_GENERATOR', 'error:02800065:Diffie-Hellman routines::bad generator'),
  modulus: () =>
    coded(Error, 'ERR_OSSL_DH_MODULUS_TOO_SMALL', 'error:0280007E:Diffie-Hellman routines::modulus too small'),
};

// A prime or a generator in any form: a number stays a number, everything else becomes bytes.
function readNumber(value, name, encoding) {
  if (typeof value === 'number') {
    validateInt32(value, name);
    return value;
  }
  if (typeof value !== 'string' && !isMemory(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, numberKinds, value);
  return toBytes(getArrayBufferOrView(value, name, encoding || undefined));
}

function makeExchange(sizeOrPrime, generator) {
  if (typeof sizeOrPrime === 'number') {
    const number = Number(numberOf(generator));
    if (sizeOrPrime < 2) throw refusals.modulus();
    if (number < 2) throw refusals.generator();
    return binding.dhCreate(sizeOrPrime, number);
  }
  const number = numberOf(generator);
  const prime = numberOf(sizeOrPrime);
  if (number < 2n || (number >= prime && prime > 4n)) throw refusals.generator();
  return binding.dhCreate(sizeOrPrime, typeof generator === 'number' ? bytesOfNumber(generator) : toBytes(generator));
}

// The error for a key of the peer, by the result of the binding.
const wrongKeys = {
  1: () => coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too small'),
  2: () => coded(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too large'),
  3: () => coded(Error, 'ERR_CRYPTO_INVALID_KEYTYPE', 'Invalid key'),
  4: () => coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Failed to compute shared secret'),
};

class Exchange {
  #handle;

  constructor(handle) {
    this.#handle = handle;
    Object.defineProperty(this, 'verifyError', { value: binding.dhGet(handle, part.problems), enumerable: true });
  }

  #get(which, encoding, complaint) {
    const value = binding.dhGet(this.#handle, which);
    if (value === undefined) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', complaint);
    return encode(value, encoding);
  }

  generateKeys(encoding) {
    return encode(binding.dhGenerate(this.#handle), encoding);
  }

  computeSecret(otherPublicKey, inputEncoding, outputEncoding) {
    const answer = binding.dhCompute(this.#handle, toBytes(getArrayBufferOrView(otherPublicKey, 'key', inputEncoding)));
    if (typeof answer === 'number') throw wrongKeys[answer]();
    return encode(answer, outputEncoding);
  }

  getPrime(encoding) {
    return this.#get(part.prime, encoding, 'No prime');
  }

  getGenerator(encoding) {
    return this.#get(part.generator, encoding, 'No generator');
  }

  getPublicKey(encoding) {
    return this.#get(part.publicKey, encoding, 'No public key - did you forget to generate one?');
  }

  getPrivateKey(encoding) {
    return this.#get(part.privateKey, encoding, 'No private key - did you forget to generate one?');
  }

  _set(isPrivate, key, encoding) {
    binding.dhSet(this.#handle, isPrivate, toBytes(getArrayBufferOrView(key, 'key', encoding)));
    return this;
  }
}

class OwnExchange extends Exchange {
  // (size or prime[, its encoding][, generator[, its encoding]])
  constructor(sizeOrKey, ...rest) {
    const isEncoding = !rest[0] || rest[0] === 'buffer' || Buffer.isEncoding(rest[0]);
    const [keyEncoding, generator, generatorEncoding] = isEncoding ? rest : [undefined, ...rest];
    const prime = readNumber(sizeOrKey, 'sizeOrKey', keyEncoding);
    super(makeExchange(prime, generator ? readNumber(generator, 'generator', generatorEncoding) : usualGenerator));
  }

  setPublicKey(publicKey, encoding) {
    return this._set(false, publicKey, encoding);
  }

  setPrivateKey(privateKey, encoding) {
    return this._set(true, privateKey, encoding);
  }
}

class GroupExchange extends Exchange {
  constructor(name) {
    if (typeof name !== 'string') throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'Group name must be a string');
    const handle = binding.dhCreate(name);
    if (handle === null) throw new codes.ERR_CRYPTO_UNKNOWN_DH_GROUP();
    super(handle);
  }
}

const agreeing = new Set(['dh', 'ec', 'x448', 'x25519']);

function readPair(options) {
  const keys = require('internal/crypto/keys');
  for (const name of ['privateKey', 'publicKey']) {
    if (options[name] == null) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
  }
  const pair = [
    keys.preparePrivateKey(options.privateKey, 'options.privateKey').handle,
    keys.preparePublicKey(options.publicKey, 'options.publicKey').handle,
  ];
  const [own, other] = pair.map((handle) => binding.keyType(handle));
  if (own !== other || !agreeing.has(own))
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${own} and ${other}`);
  return pair;
}

function diffieHellman(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const work = new Work(binding.agree, readPair(options), (secret) => Buffer.from(secret));
  return callback === undefined ? work.now() : work.later(callback);
}

const DiffieHellman = callable(OwnExchange, 'DiffieHellman');
const DiffieHellmanGroup = callable(GroupExchange, 'DiffieHellmanGroup');

// Diffie-Hellman on elliptic curves.

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

module.exports = { DiffieHellman, DiffieHellmanGroup, diffieHellman, ECDH, getCurves };
