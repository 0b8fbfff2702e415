'use strict';

// globalThis.crypto: the Web Cryptography API on top of the rest.

const { codes, binding } = require('internal/crypto/util');
const keys = require('internal/crypto/keys');
const random = require('internal/crypto/random');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

const kToken = Symbol('kToken');
const slots = new WeakMap();

function domError(message, name, cause) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, cause === undefined ? name : { name, cause });
}

class CryptoKey {
  constructor(token, keyObject, algorithm, extractable, usages) {
    if (token !== kToken) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    slots.set(this, { keyObject, algorithm, extractable, usages });
  }
  get type() { return slotOf(this).keyObject.type; }
  get extractable() { return slotOf(this).extractable; }
  get algorithm() { return slotOf(this).algorithm; }
  get usages() { return slotOf(this).usages.slice(); }
  [kInspect](depth, options) {
    if (depth < 0) return this;
    const shown = { type: this.type, extractable: this.extractable, algorithm: this.algorithm, usages: this.usages };
    return `CryptoKey ${require('internal/util/inspect').inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'CryptoKey' });
for (const name of ['type', 'extractable', 'algorithm', 'usages']) Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });

function slotOf(key) {
  const slot = slots.get(key);
  if (slot === undefined) throw new codes.ERR_INVALID_THIS('CryptoKey');
  return slot;
}

const isCryptoKey = (value) => typeof value === 'object' && value !== null && slots.has(value);
const keyObjectOf = (key) => slotOf(key).keyObject;
const allUsages = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];

const names = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'HMAC', 'AES-CTR', 'AES-CBC', 'AES-GCM', 'RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP',
  'ECDSA', 'ECDH', 'Ed25519', 'X25519', 'Ed448', 'X448', 'PBKDF2', 'HKDF', 'SHA3-256', 'SHA3-384', 'SHA3-512'];
const byLowerName = new Map(names.map((name) => [name.toLowerCase(), name]));

function normalize(algorithm, operation) {
  if (typeof algorithm === 'string') algorithm = { name: algorithm };
  if (typeof algorithm !== 'object' || algorithm === null || typeof algorithm.name !== 'string') {
    throw new TypeError('Algorithm: name: required member is missing');
  }
  const name = byLowerName.get(algorithm.name.toLowerCase());
  if (name === undefined) throw domError('Unrecognized algorithm name', 'NotSupportedError');
  const result = { ...algorithm, name };
  if (algorithm.hash !== undefined) result.hash = normalize(algorithm.hash, operation);
  return result;
}

const digestNames = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512', 'SHA3-256': 'sha3-256', 'SHA3-384': 'sha3-384', 'SHA3-512': 'sha3-512' };
function digestOf(hash) {
  const name = digestNames[hash?.name];
  if (name === undefined) throw domError('Unrecognized algorithm name', 'NotSupportedError');
  return name;
}

function bytesOf(data) {
  if (isAnyArrayBuffer(data)) return Buffer.from(new Uint8Array(data));
  if (isArrayBufferView(data)) return Buffer.from(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  throw new codes.ERR_INVALID_ARG_TYPE('data', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], data);
}

// An array buffer of its own, whatever it was part of.
function arrayBufferOf(buffer) {
  return new Uint8Array(buffer).slice().buffer;
}

function failed(cause) {
  return domError('The operation failed for an operation-specific reason', 'OperationError', cause);
}

function attempt(fn) {
  try {
    return fn();
  } catch (error) {
    throw failed(error);
  }
}

function need(key, name, usage) {
  if (!isCryptoKey(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
  const { algorithm, usages } = slotOf(key);
  if (algorithm.name !== name) throw domError('Key algorithm mismatch', 'InvalidAccessError');
  if (!usages.includes(usage)) throw domError(`Unable to use this key to ${usage}`, 'InvalidAccessError');
  return slotOf(key);
}

const curvesByName = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const crypto = () => require('crypto');
const isAes = (name) => name.startsWith('AES-');
const isRsa = (name) => name.startsWith('RSA');
const isOkp = (name) => /^(Ed|X)/.test(name);

function checkUsages(usages, allowed) {
  for (const usage of usages) {
    if (!allUsages.includes(usage)) throw new TypeError(`Invalid KeyUsage: ${usage}`);
    if (!allowed.includes(usage)) throw domError('Unsupported key usage', 'SyntaxError');
  }
}

function allowedUsages(name, type) {
  if (name === 'HMAC') return ['sign', 'verify'];
  if (isAes(name)) return ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
  if (name === 'PBKDF2' || name === 'HKDF') return ['deriveKey', 'deriveBits'];
  if (name === 'ECDH' || name === 'X25519' || name === 'X448') return type === 'public' ? [] : ['deriveKey', 'deriveBits'];
  if (name === 'RSA-OAEP') return type === 'public' ? ['encrypt', 'wrapKey'] : type === 'private' ? ['decrypt', 'unwrapKey'] : ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
  return type === 'public' ? ['verify'] : type === 'private' ? ['sign'] : ['sign', 'verify'];
}

function describe(algorithm, keyObject) {
  const { name, hash, namedCurve } = algorithm;
  if (name === 'HMAC') return { name, length: algorithm.length ?? keyObject.symmetricKeySize * 8, hash: { name: hash.name } };
  if (isAes(name)) return { name, length: keyObject.symmetricKeySize * 8 };
  if (isRsa(name)) {
    const { modulusLength, publicExponent } = keyObject.asymmetricKeyDetails;
    const hex = publicExponent.toString(16);
    return { name, modulusLength, publicExponent: new Uint8Array(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')), hash: { name: hash.name } };
  }
  if (name === 'ECDSA' || name === 'ECDH') return { name, namedCurve };
  return { name };
}

function make(keyObject, algorithm, extractable, usages) {
  return new CryptoKey(kToken, keyObject, describe(algorithm, keyObject), Boolean(extractable), allUsages.filter((usage) => usages.includes(usage)));
}

function toCryptoKey(keyObject, algorithm, extractable, usages) {
  const normalized = normalize(algorithm);
  checkUsages(usages, allowedUsages(normalized.name, keyObject.type));
  return make(keyObject, normalized, extractable, usages);
}

class SubtleCrypto {
  constructor(token) {
    if (token !== kToken) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  async digest(algorithm, data) {
    algorithm = normalize(algorithm);
    const digest = digestOf(algorithm);
    const bytes = bytesOf(data);
    return arrayBufferOf(crypto().createHash(digest).update(bytes).digest());
  }

  async generateKey(algorithm, extractable, usages) {
    algorithm = normalize(algorithm);
    const { name } = algorithm;
    checkUsages(usages, allowedUsages(name));
    if (name === 'HMAC' || isAes(name)) {
      if (usages.length === 0) throw domError('Usages cannot be empty when creating a key.', 'SyntaxError');
      let length = algorithm.length;
      if (name === 'HMAC') length ??= { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 }[algorithm.hash.name];
      else if (![128, 192, 256].includes(length)) throw domError('Invalid key length', 'OperationError');
      return make(keys.createSecretKey(random.randomBytes(Math.ceil(length / 8))), algorithm, extractable, usages);
    }
    let type;
    let options;
    if (isRsa(name)) {
      const exponent = Number(BigInt(`0x${Buffer.from(algorithm.publicExponent).toString('hex')}`));
      type = 'rsa';
      options = { modulusLength: algorithm.modulusLength, publicExponent: exponent };
    } else if (name === 'ECDSA' || name === 'ECDH') {
      if (curvesByName[algorithm.namedCurve] === undefined) throw domError('Unrecognized namedCurve', 'NotSupportedError');
      type = 'ec';
      options = { namedCurve: curvesByName[algorithm.namedCurve] };
    } else if (isOkp(name)) {
      type = name.toLowerCase();
    } else {
      throw domError('Unrecognized algorithm name', 'NotSupportedError');
    }
    const pair = await new Promise((resolve, reject) => {
      crypto().generateKeyPair(type, options, (error, publicKey, privateKey) => (error ? reject(failed(error)) : resolve({ publicKey, privateKey })));
    });
    const privateUsages = usages.filter((usage) => allowedUsages(name, 'private').includes(usage));
    const publicUsages = usages.filter((usage) => allowedUsages(name, 'public').includes(usage));
    if (privateUsages.length === 0) throw domError('Usages cannot be empty when creating a key.', 'SyntaxError');
    return { publicKey: make(pair.publicKey, algorithm, true, publicUsages), privateKey: make(pair.privateKey, algorithm, extractable, privateUsages) };
  }

  async importKey(format, data, algorithm, extractable, usages) {
    algorithm = normalize(algorithm);
    const { name } = algorithm;
    let keyObject;
    if (name === 'HMAC' || isAes(name) || name === 'PBKDF2' || name === 'HKDF') {
      if (format === 'raw' || format === 'raw-secret') keyObject = keys.createSecretKey(bytesOf(data));
      else if (format === 'jwk' && data?.kty === 'oct') keyObject = keys.createSecretKey(Buffer.from(data.k, 'base64url'));
      else throw domError('Unable to import the key in this format', format === 'jwk' ? 'DataError' : 'NotSupportedError');
      if (isAes(name) && ![16, 24, 32].includes(keyObject.symmetricKeySize)) throw domError('Invalid key length', 'DataError');
      if (name === 'HMAC' && keyObject.symmetricKeySize === 0) throw domError('Zero-length key is not supported', 'DataError');
    } else {
      try {
        if (format === 'spki') {
          keyObject = keys.createPublicKey({ key: bytesOf(data), format: 'der', type: 'spki' });
        } else if (format === 'pkcs8') {
          keyObject = keys.createPrivateKey({ key: bytesOf(data), format: 'der', type: 'pkcs8' });
        } else if (format === 'jwk') {
          keyObject = data.d === undefined ? keys.createPublicKey({ key: data, format: 'jwk' }) : keys.createPrivateKey({ key: data, format: 'jwk' });
        } else if (format === 'raw' || format === 'raw-public') {
          const bytes = bytesOf(data);
          if (isOkp(name)) {
            keyObject = new keys.PublicKeyObject(binding.keyFromParts(name.toLowerCase(), [bytes], false, false) ?? unusable());
          } else {
            const point = Buffer.from(binding.ecdhConvert(bytes, curvesByName[algorithm.namedCurve], 4) ?? unusable()).subarray(1);
            const half = point.length / 2;
            keyObject = new keys.PublicKeyObject(binding.keyFromParts(curvesByName[algorithm.namedCurve], [point.subarray(0, half), point.subarray(half)], false, true) ?? unusable());
          }
        } else {
          throw new Error(`format ${format}`);
        }
      } catch (error) {
        throw domError('Invalid keyData', 'DataError', error);
      }
      if ((name === 'ECDSA' || name === 'ECDH') && keyObject.asymmetricKeyDetails.namedCurve !== curvesByName[algorithm.namedCurve]) {
        throw domError('Named curve mismatch', 'DataError');
      }
    }
    checkUsages(usages, allowedUsages(name, keyObject.type));
    if (usages.length === 0 && keyObject.type !== 'public') throw domError(`Usages cannot be empty when importing a ${keyObject.type} key.`, 'SyntaxError');
    return make(keyObject, algorithm, extractable, usages);
  }

  async exportKey(format, key) {
    if (!isCryptoKey(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    const { keyObject, extractable, algorithm, usages } = slotOf(key);
    if (!extractable) throw domError('key is not extractable', 'InvalidAccessError');
    if (format === 'jwk') {
      const jwk = { key_ops: usages.slice(), ext: extractable };
      if (algorithm.name === 'HMAC') jwk.alg = `HS${algorithm.hash.name.slice(4)}`;
      else if (isAes(algorithm.name)) jwk.alg = `A${algorithm.length}${algorithm.name.slice(4)}`;
      else if (algorithm.name === 'RSASSA-PKCS1-v1_5') jwk.alg = `RS${algorithm.hash.name.slice(4)}`;
      else if (algorithm.name === 'RSA-PSS') jwk.alg = `PS${algorithm.hash.name.slice(4)}`;
      else if (algorithm.name === 'RSA-OAEP') jwk.alg = algorithm.hash.name === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${algorithm.hash.name.slice(4)}`;
      else if (/^Ed/.test(algorithm.name)) jwk.alg = algorithm.name;
      return Object.assign(jwk, keyObject.export({ format: 'jwk' }));
    }
    if (format === 'raw' || format === 'raw-secret' || format === 'raw-public') {
      if (keyObject.type === 'secret') return arrayBufferOf(keyObject.export());
      if (keyObject.type === 'public' && !isRsa(algorithm.name)) {
        const parts = binding.keyParts(keys.handleOf(keyObject), false);
        return arrayBufferOf(isOkp(algorithm.name) ? Buffer.from(parts[0]) : Buffer.concat([Buffer.from([4]), Buffer.from(parts[0]), Buffer.from(parts[1])]));
      }
    }
    if (format === 'spki' && keyObject.type === 'public') return arrayBufferOf(keyObject.export({ format: 'der', type: 'spki' }));
    if (format === 'pkcs8' && keyObject.type === 'private') return arrayBufferOf(keyObject.export({ format: 'der', type: 'pkcs8' }));
    throw domError(`Unable to export a ${keyObject.type} key using ${format} format`, 'NotSupportedError');
  }

  async sign(algorithm, key, data) {
    algorithm = normalize(algorithm);
    const slot = need(key, algorithm.name, 'sign');
    const bytes = bytesOf(data);
    return attempt(() => arrayBufferOf(signature(algorithm, slot, bytes)));
  }

  async verify(algorithm, key, given, data) {
    algorithm = normalize(algorithm);
    const slot = need(key, algorithm.name, 'verify');
    const bytes = bytesOf(data);
    const other = bytesOf(given);
    if (algorithm.name === 'HMAC') {
      const own = signature(algorithm, slot, bytes);
      return own.length === other.length && crypto().timingSafeEqual(own, other);
    }
    const [digest, options] = signOptions(algorithm, slot);
    return crypto().verify(digest, bytes, { key: slot.keyObject, ...options }, other);
  }

  async encrypt(algorithm, key, data) {
    algorithm = normalize(algorithm);
    const slot = need(key, algorithm.name, 'encrypt');
    return cipher(algorithm, slot, bytesOf(data), true);
  }

  async decrypt(algorithm, key, data) {
    algorithm = normalize(algorithm);
    const slot = need(key, algorithm.name, 'decrypt');
    return cipher(algorithm, slot, bytesOf(data), false);
  }

  async deriveBits(algorithm, key, length = null) {
    algorithm = normalize(algorithm);
    return derive(algorithm, need(key, algorithm.name, 'deriveBits'), length);
  }

  async deriveKey(algorithm, key, derivedKey, extractable, usages) {
    algorithm = normalize(algorithm);
    const wanted = normalize(derivedKey);
    const slot = need(key, algorithm.name, 'deriveKey');
    let length = isAes(wanted.name) ? wanted.length : wanted.length ?? null;
    if (wanted.name === 'HMAC') length ??= { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 }[wanted.hash.name];
    const bits = await derive(algorithm, slot, length);
    return this.importKey('raw', bits, derivedKey, extractable, usages);
  }

  async wrapKey(format, key, wrappingKey, algorithm) {
    algorithm = normalize(algorithm);
    const slot = need(wrappingKey, algorithm.name, 'wrapKey');
    const exported = await this.exportKey(format, key);
    return cipher(algorithm, slot, format === 'jwk' ? Buffer.from(JSON.stringify(exported)) : bytesOf(exported), true);
  }

  async unwrapKey(format, wrapped, unwrappingKey, algorithm, keyAlgorithm, extractable, usages) {
    algorithm = normalize(algorithm);
    const slot = need(unwrappingKey, algorithm.name, 'unwrapKey');
    const data = cipher(algorithm, slot, bytesOf(wrapped), false);
    return this.importKey(format, format === 'jwk' ? JSON.parse(Buffer.from(data).toString()) : data, keyAlgorithm, extractable, usages);
  }
}
Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'SubtleCrypto' });

function unusable() {
  throw new Error('unusable key');
}

function signOptions(algorithm, slot) {
  switch (algorithm.name) {
    case 'RSASSA-PKCS1-v1_5':
      return [digestOf(slot.algorithm.hash), { padding: 1 }];
    case 'RSA-PSS':
      return [digestOf(slot.algorithm.hash), { padding: 6, saltLength: algorithm.saltLength }];
    case 'ECDSA':
      return [digestOf(algorithm.hash), { dsaEncoding: 'ieee-p1363' }];
    default:
      return [undefined, {}];
  }
}

function signature(algorithm, slot, bytes) {
  if (algorithm.name === 'HMAC') return crypto().createHmac(digestOf(slot.algorithm.hash), slot.keyObject).update(bytes).digest();
  const [digest, options] = signOptions(algorithm, slot);
  return crypto().sign(digest, bytes, { key: slot.keyObject, ...options });
}

function cipher(algorithm, slot, data, encrypts) {
  const { name } = algorithm;
  if (name === 'RSA-OAEP') {
    const options = { key: slot.keyObject, padding: 4, oaepHash: digestOf(slot.algorithm.hash), oaepLabel: algorithm.label === undefined ? undefined : bytesOf(algorithm.label) };
    return attempt(() => arrayBufferOf(encrypts ? crypto().publicEncrypt(options, data) : crypto().privateDecrypt(options, data)));
  }
  const bits = slot.algorithm.length;
  if (name === 'AES-GCM') {
    const tagLength = (algorithm.tagLength ?? 128) / 8;
    if (![4, 8, 12, 13, 14, 15, 16].includes(tagLength)) throw domError(`${algorithm.tagLength} is not a valid AES-GCM tag length`, 'OperationError');
    const iv = bytesOf(algorithm.iv);
    const make = encrypts ? crypto().createCipheriv : crypto().createDecipheriv;
    return attempt(() => {
      const stream = make(`aes-${bits}-gcm`, slot.keyObject, iv, { authTagLength: tagLength });
      if (algorithm.additionalData !== undefined) stream.setAAD(bytesOf(algorithm.additionalData));
      if (encrypts) return arrayBufferOf(Buffer.concat([stream.update(data), stream.final(), stream.getAuthTag()]));
      if (data.length < tagLength) throw new Error('The provided data is too small.');
      stream.setAuthTag(data.subarray(data.length - tagLength));
      return arrayBufferOf(Buffer.concat([stream.update(data.subarray(0, data.length - tagLength)), stream.final()]));
    });
  }
  const iv = bytesOf(name === 'AES-CTR' ? algorithm.counter : algorithm.iv);
  if (iv.length !== 16) throw domError('algorithm.iv must contain exactly 16 bytes', 'OperationError');
  return attempt(() => {
    const make = encrypts ? crypto().createCipheriv : crypto().createDecipheriv;
    const stream = make(`aes-${bits}-${name.slice(4).toLowerCase()}`, slot.keyObject, iv);
    return arrayBufferOf(Buffer.concat([stream.update(data), stream.final()]));
  });
}

async function derive(algorithm, slot, length) {
  const { name } = algorithm;
  if (name === 'PBKDF2' || name === 'HKDF') {
    if (length === null || length % 8 !== 0) throw domError('length must be a multiple of 8', 'OperationError');
    const digest = digestOf(algorithm.hash);
    const secret = slot.keyObject.export();
    return new Promise((resolve, reject) => {
      const done = (error, value) => (error ? reject(failed(error)) : resolve(arrayBufferOf(value)));
      if (name === 'PBKDF2') crypto().pbkdf2(secret, bytesOf(algorithm.salt), algorithm.iterations, length / 8, digest, done);
      else crypto().hkdf(digest, secret, bytesOf(algorithm.salt), bytesOf(algorithm.info), length / 8, done);
    });
  }
  const other = slotOf(algorithm.public);
  if (other.keyObject.type !== 'public') throw domError('algorithm.public must be a public key', 'InvalidAccessError');
  if (other.algorithm.name !== name) throw domError('algorithm.public and key algorithms mismatch', 'InvalidAccessError');
  const bits = attempt(() => crypto().diffieHellman({ privateKey: slot.keyObject, publicKey: other.keyObject }));
  if (length === null) return arrayBufferOf(bits);
  if (bits.length * 8 < length) throw domError('derived bit length is too small', 'OperationError');
  return arrayBufferOf(bits.subarray(0, Math.ceil(length / 8)));
}

class Crypto {
  constructor(token) {
    if (token !== kToken) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }
  get subtle() {
    if (this !== webcrypto) throw new codes.ERR_INVALID_THIS('Crypto');
    return subtle;
  }
  getRandomValues(array) {
    if (this !== webcrypto) throw new codes.ERR_INVALID_THIS('Crypto');
    return Reflect.apply(random.getRandomValues, this, arguments);
  }
  randomUUID(options) {
    if (this !== webcrypto) throw new codes.ERR_INVALID_THIS('Crypto');
    return random.randomUUID(options);
  }
}
Object.defineProperty(Crypto.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Crypto' });
for (const name of ['subtle', 'getRandomValues', 'randomUUID']) Object.defineProperty(Crypto.prototype, name, { enumerable: true });

const subtle = new SubtleCrypto(kToken);
const webcrypto = new Crypto(kToken);

module.exports = { webcrypto, subtle, Crypto, CryptoKey, SubtleCrypto, isCryptoKey, keyObjectOf, toCryptoKey };
keys.setWebcrypto(module.exports);
