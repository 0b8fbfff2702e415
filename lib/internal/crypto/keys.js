'use strict';

// KeyObject and its makers, and the many ways to name a key in an argument.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { validateObject, validateOneOf, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');

const kToken = Symbol('kToken');

const encodings = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'];

const slots = new WeakMap(); // KeyObject -> { type, handle } ; handle: bytes of a secret, or the binding's key

class KeyObject {
  constructor(type, handle, token) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('type', type);
    if (token !== kToken) throw new codes.ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    slots.set(this, { type, handle });
  }

  get type() {
    return slotOf(this).type;
  }

  static from(key) {
    if (!isCryptoKey(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    return getKeyObject(key);
  }

  equals(other) {
    if (!isKeyObject(other)) throw new codes.ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', other);
    const a = slotOf(this);
    const b = slotOf(other);
    if (a.type !== b.type) return false;
    if (a.type === 'secret') return a.handle.length === b.handle.length && binding.timingSafeEqual(a.handle, b.handle);
    return binding.keyEquals(a.handle, b.handle);
  }
}
Object.defineProperty(KeyObject.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'KeyObject' });

Object.defineProperty(KeyObject.prototype, Symbol.for('rota.clone'), {
  __proto__: null,
  configurable: true,
  value() {
    const { type, handle } = slotOf(this);
    return fromHandle(type, handle);
  },
});

function slotOf(object) {
  const slot = slots.get(object);
  if (slot === undefined) throw new codes.ERR_INVALID_THIS('KeyObject');
  return slot;
}

class SecretKeyObject extends KeyObject {
  constructor(handle) {
    super('secret', handle, kToken);
  }

  get symmetricKeySize() {
    return slotOf(this).handle.length;
  }

  export(options) {
    const { handle } = slotOf(this);
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') return { kty: 'oct', k: handle.toString('base64url') };
    }
    return Buffer.from(handle);
  }

  toCryptoKey(algorithm, extractable, usages) {
    return require('internal/crypto/webcrypto').toCryptoKey(this, algorithm, extractable, usages);
  }
}

const jwkCurves = { 'prime256v1': 'P-256', 'secp256k1': 'secp256k1', 'secp384r1': 'P-384', 'secp521r1': 'P-521' };
const okpCurves = { ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' };
const url = (value) => Buffer.from(value).toString('base64url');

function exportJwk(handle, isPrivate) {
  const type = binding.keyType(handle);
  const parts = binding.keyParts(handle, isPrivate);
  if (type === 'rsa') {
    const names = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
    const jwk = { kty: 'RSA' };
    parts.forEach((part, i) => { jwk[names[i]] = url(part); });
    return jwk;
  }
  if (type === 'ec') {
    const curve = binding.keyDetails(handle)[2];
    if (jwkCurves[curve] === undefined) throw new codes.ERR_CRYPTO_JWK_UNSUPPORTED_CURVE(curve);
    const jwk = { kty: 'EC', x: url(parts[0]), y: url(parts[1]), crv: jwkCurves[curve] };
    if (isPrivate) jwk.d = url(parts[2]);
    return jwk;
  }
  if (okpCurves[type] !== undefined) {
    const jwk = { crv: okpCurves[type], x: url(parts[0]), kty: 'OKP' };
    if (isPrivate) jwk.d = url(parts[1]);
    return jwk;
  }
  throw new codes.ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
}

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType() {
    return binding.keyType(slotOf(this).handle);
  }

  get asymmetricKeyDetails() {
    const { handle } = slotOf(this);
    const [bits, exponent, curve, divisor, digest, mgf1, salt] = binding.keyDetails(handle);
    switch (binding.keyType(handle)) {
      case 'rsa':
      case 'rsa-pss': {
        const details = { modulusLength: bits, publicExponent: BigInt(`0x${Buffer.from(exponent).toString('hex')}`) };
        if (digest !== undefined && binding.keyType(handle) === 'rsa-pss') {
          details.hashAlgorithm = shortDigest(digest);
          details.mgf1HashAlgorithm = shortDigest(mgf1 ?? digest);
          details.saltLength = salt;
        }
        return details;
      }
      case 'dsa':
        return { modulusLength: bits, divisorLength: divisor };
      case 'ec':
        return { namedCurve: curve };
      default:
        return {};
    }
  }

  toCryptoKey(algorithm, extractable, usages) {
    return require('internal/crypto/webcrypto').toCryptoKey(this, algorithm, extractable, usages);
  }
}

function shortDigest(name) {
  return name.toLowerCase().replace(/^sha2-/, 'sha').replace(/^sha-/, 'sha').replace('sha512/', 'sha512-');
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('public', handle, kToken);
  }

  export(options) {
    if (options !== undefined && options?.format === 'jwk') return exportJwk(slotOf(this).handle, false);
    const { format, type } = publicEncoding(options, this.asymmetricKeyType, 'options');
    return exportPublic(slotOf(this).handle, format, type);
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('private', handle, kToken);
  }

  export(options) {
    if (options !== undefined && options?.format === 'jwk') {
      if (options.passphrase !== undefined) throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('jwk', 'does not support encryption');
      return exportJwk(slotOf(this).handle, true);
    }
    const { format, type, cipher, passphrase } = privateEncoding(options, this.asymmetricKeyType, 'options');
    return exportPrivate(slotOf(this).handle, format, type, cipher, passphrase);
  }
}

// ---------------------------------------------------------------- encodings

function optionName(prefix, name) {
  return prefix === undefined ? name : `${prefix}.${name}`;
}

function checkFormat(format, prefix) {
  if (format !== 'pem' && format !== 'der') throw new codes.ERR_INVALID_ARG_VALUE(optionName(prefix, 'format'), format);
}

function publicEncoding(options, keyType, prefix) {
  validateObject(options, prefix ?? 'options');
  const { format, type } = options;
  checkFormat(format, prefix);
  if (type !== 'pkcs1' && type !== 'spki') throw new codes.ERR_INVALID_ARG_VALUE(optionName(prefix, 'type'), type);
  if (type === 'pkcs1' && keyType !== undefined && keyType !== 'rsa') {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for RSA keys');
  }
  return { format, type };
}

function privateEncoding(options, keyType, prefix) {
  validateObject(options, prefix ?? 'options');
  const { format, type, cipher, passphrase, encoding } = options;
  checkFormat(format, prefix);
  if (type !== 'pkcs1' && type !== 'pkcs8' && type !== 'sec1') throw new codes.ERR_INVALID_ARG_VALUE(optionName(prefix, 'type'), type);
  if (type === 'pkcs1' && keyType !== undefined && keyType !== 'rsa') {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for RSA keys');
  }
  if (type === 'sec1' && keyType !== undefined && keyType !== 'ec') {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for EC keys');
  }
  if (cipher != null) {
    if (typeof cipher !== 'string') throw new codes.ERR_INVALID_ARG_VALUE(optionName(prefix, 'cipher'), cipher);
    if (format === 'der' && (type === 'pkcs1' || type === 'sec1')) {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'does not support encryption');
    }
  } else if (passphrase !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE(optionName(prefix, 'cipher'), cipher);
  }
  if (cipher != null && (typeof passphrase !== 'string' && !isArrayBufferView(passphrase) && !isAnyArrayBuffer(passphrase))) {
    throw new codes.ERR_INVALID_ARG_VALUE(optionName(prefix, 'passphrase'), passphrase);
  }
  return { format, type, cipher: cipher ?? undefined, passphrase: passphrase === undefined ? undefined : toBytes(getArrayBufferOrView(passphrase, 'passphrase', encoding)) };
}

function exportPublic(handle, format, type) {
  const result = binding.keyExport(handle, false, format === 'pem', type);
  return format === 'pem' ? result : Buffer.from(result);
}

function exportPrivate(handle, format, type, cipher, passphrase) {
  const result = binding.keyExport(handle, true, format === 'pem', type, cipher, passphrase);
  if (result === 1) throw new codes.ERR_CRYPTO_UNKNOWN_CIPHER();
  return format === 'pem' ? result : Buffer.from(result);
}

// ---------------------------------------------------------------- making

function isKeyObject(value) {
  return typeof value === 'object' && value !== null && slots.has(value);
}

function isCryptoKey(value) {
  const { isCryptoKey: test } = webcryptoLoaded ?? {};
  return test !== undefined && test(value);
}
let webcryptoLoaded;
function setWebcrypto(module) {
  webcryptoLoaded = module;
}

function getKeyObject(value) {
  return isKeyObject(value) ? value : webcryptoLoaded.keyObjectOf(value);
}

function invalidKey(key, name = 'key') {
  return new codes.ERR_INVALID_ARG_TYPE(name, encodings, key);
}

// What OpenSSL says when nobody gives it the passphrase that it asks for.
function interrupted() {
  return Object.assign(new Error('error:07880109:common libcrypto routines::interrupted or cancelled'),
                       { library: 'common libcrypto routines', reason: 'interrupted or cancelled', code: 'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED' });
}

function parse(isPrivate, data, format, type, passphrase) {
  const bytes = toBytes(data);
  const result = binding.keyParse(isPrivate, bytes, format !== 'der', type ?? (isPrivate ? 'pkcs8' : 'spki'), passphrase);
  if (result === 1) throw format === 'der' ? new codes.ERR_MISSING_PASSPHRASE() : interrupted();
  return result;
}

function fromJwk(jwk, wantsPublic) {
  validateObject(jwk, 'key.key');
  validateOneOf(jwk.kty, 'key.key.kty', ['RSA', 'EC', 'OKP', 'AKP'].slice(0, 3));
  const isPrivate = !wantsPublic && jwk.d !== undefined;
  const field = (name) => {
    validateString(jwk[name], `key.key.${name}`);
    return Buffer.from(jwk[name], 'base64url');
  };
  let handle;
  if (jwk.kty === 'RSA') {
    const names = isPrivate ? ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] : ['n', 'e'];
    handle = binding.keyFromParts('rsa', names.map(field), isPrivate, false);
  } else if (jwk.kty === 'EC') {
    validateOneOf(jwk.crv, 'key.key.crv', ['P-256', 'secp256k1', 'P-384', 'P-521']);
    const curve = Object.keys(jwkCurves).find((name) => jwkCurves[name] === jwk.crv);
    const parts = [field('x'), field('y')];
    if (isPrivate) parts.push(field('d'));
    handle = binding.keyFromParts(curve, parts, isPrivate, true);
  } else {
    validateOneOf(jwk.crv, 'key.key.crv', ['Ed25519', 'Ed448', 'X25519', 'X448']);
    const parts = [field('x')];
    if (isPrivate) parts.push(field('d'));
    handle = binding.keyFromParts(jwk.crv.toLowerCase(), parts, isPrivate, false);
  }
  if (handle === null) throw new codes.ERR_CRYPTO_INVALID_JWK();
  return { handle, isPrivate };
}

function checkInput(key, name, options) {
  const format = options.format ?? 'pem';
  if (format !== 'pem' && format !== 'der') throw new codes.ERR_INVALID_ARG_VALUE(`${name}.format`, format);
  if (typeof key !== 'string' && !isArrayBufferView(key) && !isAnyArrayBuffer(key)) throw invalidKey(key, name === 'key' ? 'key.key' : name);
  return getArrayBufferOrView(key, 'key', options.encoding);
}

function passphraseOf(options) {
  const { passphrase, encoding } = options;
  if (passphrase === undefined || passphrase === null) return undefined;
  if (typeof passphrase !== 'string' && !isArrayBufferView(passphrase) && !isAnyArrayBuffer(passphrase)) {
    throw new codes.ERR_INVALID_ARG_VALUE('key.passphrase', passphrase);
  }
  return toBytes(getArrayBufferOrView(passphrase, 'passphrase', encoding));
}

function checkType(options, isPrivate) {
  const { type, format } = options;
  if (format === 'der') {
    const allowed = isPrivate ? ['pkcs1', 'pkcs8', 'sec1'] : ['pkcs1', 'spki', 'pkcs8', 'sec1'];
    if (!allowed.includes(type)) throw new codes.ERR_INVALID_ARG_VALUE('key.type', type);
  }
  return type;
}

// A private key from any argument that can name one: { handle }.
function preparePrivateKey(key, name = 'key') {
  if (isKeyObject(key) || isCryptoKey(key)) {
    const object = getKeyObject(key);
    if (object.type !== 'private') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(object.type, 'private');
    return { handle: slotOf(object).handle };
  }
  if (typeof key === 'string' || isArrayBufferView(key) || isAnyArrayBuffer(key)) {
    return { handle: parse(true, getArrayBufferOrView(key, 'key'), 'pem') };
  }
  if (typeof key !== 'object' || key === null) throw invalidKey(key, name);
  const { key: data } = key;
  if (isKeyObject(data) || isCryptoKey(data)) return preparePrivateKey(data);
  if (key.format === 'jwk') {
    validateObject(data, 'key.key');
    if (data.d === undefined) throw new codes.ERR_CRYPTO_INVALID_JWK();
    return { handle: fromJwk(data, false).handle };
  }
  const input = checkInput(data, name, key);
  return { handle: parse(true, input, key.format, checkType(key, true), passphraseOf(key)) };
}

// A public key; a private one does as well, since it contains the other.
function preparePublicKey(key, name = 'key') {
  if (isKeyObject(key) || isCryptoKey(key)) {
    const object = getKeyObject(key);
    if (object.type === 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(object.type, 'public or private');
    return { handle: slotOf(object).handle, isPrivate: object.type === 'private' };
  }
  if (typeof key === 'string' || isArrayBufferView(key) || isAnyArrayBuffer(key)) return parseEither(getArrayBufferOrView(key, 'key'), 'pem', undefined, undefined);
  if (typeof key !== 'object' || key === null) throw invalidKey(key, name);
  const { key: data } = key;
  if (isKeyObject(data) || isCryptoKey(data)) return preparePublicKey(data);
  if (key.format === 'jwk') return fromJwk(data, true);
  const input = checkInput(data, name, key);
  return parseEither(input, key.format, checkType(key, false), passphraseOf(key));
}

function parseEither(input, format, type, passphrase) {
  const text = format === 'der' ? '' : Buffer.from(toBytes(input)).toString('latin1');
  const isPrivate = format === 'der' ? type === 'pkcs8' || type === 'sec1' : /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/.test(text);
  if (format === 'der' && type === 'pkcs1') {
    try {
      return { handle: parse(false, input, format, type), isPrivate: false };
    } catch {
      return { handle: parse(true, input, format, type, passphrase), isPrivate: true };
    }
  }
  return { handle: parse(isPrivate, input, format, type, passphrase), isPrivate };
}

function createSecretKey(key, encoding) {
  if (typeof key !== 'string' && !isArrayBufferView(key) && !isAnyArrayBuffer(key)) {
    throw new codes.ERR_INVALID_ARG_TYPE('key', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], key);
  }
  const bytes = toBytes(getArrayBufferOrView(key, 'key', encoding));
  return new SecretKeyObject(Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

function createPublicKey(key) {
  if (isKeyObject(key)) {
    if (key.type !== 'private') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(key.type, 'private');
  } else if (typeof key === 'object' && key !== null && isKeyObject(key.key) && key.key.type !== 'private') {
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(key.key.type, 'private');
  }
  const { handle, isPrivate } = preparePublicKey(key);
  return new PublicKeyObject(isPrivate ? publicHalf(handle) : handle);
}

// Keys of the modern curves: the public number that is given must be that of the private one.
function curveKey(kind, parts, isPrivate) {
  const handle = binding.keyFromParts(kind, parts, isPrivate, false);
  if (handle === null || !isPrivate) return handle;
  return Buffer.from(binding.keyParts(handle, false)[0]).equals(parts[0]) ? handle : null;
}

function readDer(isPrivate, bytes) {
  return parse(isPrivate, bytes, 'der', isPrivate ? 'pkcs8' : 'spki', undefined);
}

function fromHandle(type, handle) {
  return new ({ secret: SecretKeyObject, public: PublicKeyObject, private: PrivateKeyObject }[type])(handle);
}

// For another thread.
function toPlain(object) {
  const { type, handle } = slotOf(object);
  if (type === 'secret') return { type, bytes: new Uint8Array(handle) };
  return { type, bytes: new Uint8Array(binding.keyExport(handle, type === 'private', false, type === 'private' ? 'pkcs8' : 'spki')) };
}

function fromPlain({ type, bytes }) {
  return fromHandle(type, type === 'secret' ? Buffer.from(bytes) : readDer(type === 'private', bytes));
}

// Without the private numbers, so that the object cannot give them away.
function publicHalf(handle) {
  return binding.keyParse(false, new Uint8Array(binding.keyExport(handle, false, false, 'spki')), false, 'spki');
}

function createPrivateKey(key) {
  if (isKeyObject(key) || (typeof key === 'object' && key !== null && isKeyObject(key.key))) {
    throw new codes.ERR_INVALID_ARG_TYPE(isKeyObject(key) ? 'key' : 'key.key', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string'], isKeyObject(key) ? key : key.key);
  }
  return new PrivateKeyObject(preparePrivateKey(key).handle);
}

module.exports = {
  KeyObject, SecretKeyObject, PublicKeyObject, PrivateKeyObject, createSecretKey, createPublicKey, createPrivateKey, isKeyObject, isCryptoKey,
  getKeyObject, preparePrivateKey, preparePublicKey, publicEncoding, privateEncoding, exportPublic, exportPrivate, exportJwk, publicHalf,
  handleOf: (object) => slotOf(object).handle, setWebcrypto, fromJwk, curveKey, readDer, fromHandle, toPlain, fromPlain,
};
Object.assign(require('internal/crypto/brands'), { isKeyObject });
