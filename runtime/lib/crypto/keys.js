'use strict';

// Key objects: their classes, and the functions that make them.
//
// KeyObject and its classes. The key is in a private field, which programs can neither read nor forge.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const input = require('internal/crypto/key_input');
const { readForm, writeJwk } = input;
const { validateObject, validateOneOf } = require('internal/validators');
const { keys: brands } = require('internal/state');
const { Buffer } = require('internal/buffer/class');

const token = Symbol('token');
const types = new Set(['secret', 'public', 'private']);

let slotsOf; // { type, handle }: handle is the bytes of a secret, or the binding's key
let isKeyObject;

function areSame(own, other) {
  if (own.type !== other.type) return false;
  if (own.type !== 'secret') return binding.keyEquals(own.handle, other.handle);
  return own.handle.length === other.handle.length && binding.timingSafeEqual(own.handle, other.handle);
}

class KeyObject {
  #slots;

  static {
    isKeyObject = (value) => typeof value === 'object' && value !== null && #slots in value;
    slotsOf = (value) => {
      if (!isKeyObject(value)) throw new codes.ERR_INVALID_THIS('KeyObject');
      return value.#slots;
    };
  }

  constructor(type, handle, given) {
    if (!types.has(type)) throw new codes.ERR_INVALID_ARG_VALUE('type', type);
    if (given !== token) throw new codes.ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    this.#slots = { type, handle };
  }

  get type() {
    return slotsOf(this).type;
  }

  static from(key) {
    if (!brands.isCryptoKey(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    return require('internal/crypto/web/key').keyObjectOf(key);
  }

  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject))
      throw new codes.ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', otherKeyObject);
    return areSame(slotsOf(this), slotsOf(otherKeyObject));
  }

  toCryptoKey(algorithm, extractable, keyUsages) {
    const { type, handle } = slotsOf(this);
    return require('internal/crypto/webcrypto').toCryptoKey(type, handle, algorithm, extractable, keyUsages);
  }
}
Object.defineProperty(KeyObject.prototype, Symbol.toStringTag, {
  __proto__: null,
  configurable: true,
  value: 'KeyObject',
});
Object.defineProperty(KeyObject.prototype, Symbol.for('rota.clone'), {
  __proto__: null,
  configurable: true,
  value() {
    const { type, handle } = slotsOf(this);
    return fromHandle(type, handle);
  },
});

// The slots of a key that is, or is not, a secret.
function slotsOfKind(key, isSecret) {
  const slots = slotsOf(key);
  if ((slots.type === 'secret') !== isSecret)
    throw new codes.ERR_INVALID_THIS(isSecret ? 'SecretKeyObject' : 'AsymmetricKeyObject');
  return slots;
}

const secretForms = new Map([
  [undefined, (bytes) => Buffer.from(bytes)],
  ['buffer', (bytes) => Buffer.from(bytes)],
  ['jwk', (bytes) => ({ kty: 'oct', k: bytes.base64urlSlice() })],
]);

class SecretKeyObject extends KeyObject {
  constructor(bytes) {
    super('secret', bytes, token);
  }

  get symmetricKeySize() {
    return slotsOfKind(this, true).handle.length;
  }

  export(options = {}) {
    const { handle } = slotsOfKind(this, true);
    validateObject(options, 'options');
    const { format } = options;
    validateOneOf(format, 'options.format', [...secretForms.keys()]);
    return secretForms.get(format)(handle);
  }
}

const shortDigest = (name) =>
  name
    .toLowerCase()
    .replace(/^sha2?-/, 'sha')
    .replace('sha512/', 'sha512-');

function detailsOf(handle) {
  const [bits, exponent, curve, divisor, digest, mgf1, salt] = binding.keyDetails(handle);
  const kind = binding.keyType(handle);
  if (kind === 'dsa') return { modulusLength: bits, divisorLength: divisor };
  if (kind === 'ec') return { namedCurve: curve };
  if (kind !== 'rsa' && kind !== 'rsa-pss') return {};
  const details = { modulusLength: bits, publicExponent: BigInt(`0x${Buffer.from(exponent).hexSlice()}`) };
  // A key that is bound to parameters lists those that are not the default, and at least one.
  if (kind === 'rsa-pss' && [digest, mgf1, salt].some((parameter) => parameter !== undefined)) {
    Object.assign(details, {
      hashAlgorithm: shortDigest(digest ?? 'sha1'),
      mgf1HashAlgorithm: shortDigest(mgf1 ?? 'sha1'),
      saltLength: salt ?? 20,
    });
  }
  return details;
}

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType() {
    return binding.keyType(slotsOfKind(this, false).handle);
  }

  get asymmetricKeyDetails() {
    return detailsOf(slotsOfKind(this, false).handle);
  }

  export(options) {
    const { type, handle } = slotsOfKind(this, false);
    return readForm(type, options, 'options', binding.keyType(handle))(handle);
  }
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('public', handle, token);
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('private', handle, token);
  }
}

const classes = { secret: SecretKeyObject, public: PublicKeyObject, private: PrivateKeyObject };

function fromHandle(type, handle) {
  return new classes[type](handle);
}

Object.assign(brands, { isKeyObject });

// Keys for the rest of crypto: the makers of key objects, and what the other parts need of the files around this one.

function createSecretKey(key, encoding) {
  if (!input.isBytes(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', input.memoryKinds, key);
  const bytes = toBytes(getArrayBufferOrView(key, 'key', encoding));
  return new SecretKeyObject(Buffer.copyBytesFrom(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

// Without the private numbers, so that the object cannot reveal them.
function publicHalf(handle) {
  return input.readDer(false, new Uint8Array(binding.keyExport(handle, false, false, 'spki')));
}

const objectIn = (argument) => [argument, argument?.key].find(input.isKey);

function createPublicKey(key) {
  const object = objectIn(key);
  if (object !== undefined) {
    const { type } = getKeySlots(object);
    if (type !== 'private') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private');
  }
  const { handle, isPrivate } = input.preparePublicKey(key);
  return new PublicKeyObject(isPrivate ? publicHalf(handle) : handle);
}

function createPrivateKey(key) {
  const object = objectIn(key);
  if (object !== undefined) throw new codes.ERR_INVALID_ARG_TYPE('key', input.creationKinds, object);
  return new PrivateKeyObject(input.preparePrivateKey(key, 'key', input.creationKinds).handle);
}

// ---------------------------------------------------------------- for others

function getKeySlots(key) {
  return isKeyObject(key) ? slotsOf(key) : require('internal/crypto/web/key').slotsOf(key);
}

// For the transfer to another thread.
function toPlain(object) {
  const { type, handle } = slotsOf(object);
  if (type === 'secret') return { type, bytes: new Uint8Array(handle) };
  return {
    type,
    bytes: new Uint8Array(binding.keyExport(handle, type === 'private', false, type === 'private' ? 'pkcs8' : 'spki')),
  };
}

function fromPlain({ type, bytes }) {
  return fromHandle(type, type === 'secret' ? Buffer.from(bytes) : input.readDer(type === 'private', bytes));
}

module.exports = {
  KeyObject,
  SecretKeyObject,
  PublicKeyObject,
  PrivateKeyObject,
  isKeyObject,
  slotsOf,
  areSame,
  fromHandle,
  createSecretKey,
  createPublicKey,
  createPrivateKey,
  publicHalf,
  getKeySlots,
  toPlain,
  fromPlain,
  readForm,
  writeJwk,
  isCryptoKey: (value) => brands.isCryptoKey(value),
  preparePrivateKey: input.preparePrivateKey,
  preparePublicKey: input.preparePublicKey,
  curveKey: input.curveKey,
  readDer: input.readDer,
  pointOf: input.pointOf,
  handleOf: (object) => slotsOf(object).handle,
};
