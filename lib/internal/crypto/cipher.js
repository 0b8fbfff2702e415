'use strict';

// Cipheriv and Decipheriv, and RSA's encryption of short messages.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { validateEncoding, validateString, validateInt32, validateObject } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { normalizeEncoding } = require('internal/util');
const { Buffer } = require('buffer');
const { StringDecoder } = require('string_decoder');
const { Transform } = require('stream');

const kHandle = Symbol('kHandle');
const kDecoder = Symbol('kDecoder');
const kDone = Symbol('kDone');
const kInfo = Symbol('kInfo');

const RSA_PKCS1_PADDING = 1;
const RSA_PKCS1_OAEP_PADDING = 4;

const modes = { 1: 'ecb', 2: 'cbc', 3: 'cfb', 4: 'ofb', 5: 'ctr', 6: 'gcm', 7: 'ccm', 0x10001: 'xts', 0x10002: 'wrap', 0x10003: 'ocb', 0x10004: 'siv' };

const { keyBytes: cipherKey } = require('internal/crypto/hash');

function construct(stream, encrypts, cipher, key, iv, options) {
  validateString(cipher, 'cipher');
  const encoding = options?.encoding;
  const bytes = cipherKey(key, encoding);
  if (iv !== null && iv !== undefined && typeof iv !== 'string' && !isArrayBufferView(iv) && !isAnyArrayBuffer(iv)) {
    throw new codes.ERR_INVALID_ARG_TYPE('iv', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], iv);
  }
  if (iv === undefined) throw new codes.ERR_INVALID_ARG_TYPE('iv', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], iv);
  const ivBytes = iv === null ? null : toBytes(getArrayBufferOrView(iv, 'iv'));
  let tagLength = -1;
  if (options?.authTagLength !== undefined && options.authTagLength !== null) {
    tagLength = options.authTagLength;
    if (!(Number.isInteger(tagLength) && tagLength >= 0 && tagLength <= 2 ** 31 - 1)) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.authTagLength', tagLength);
    }
  }
  const handle = binding.cipherCreate(encrypts, cipher, bytes, ivBytes, tagLength);
  switch (handle) {
    case 1: throw new codes.ERR_CRYPTO_UNKNOWN_CIPHER();
    case 2: throw new codes.ERR_CRYPTO_INVALID_KEYLEN();
    case 3: throw new codes.ERR_CRYPTO_INVALID_IV();
    case 4: throw new codes.ERR_CRYPTO_INVALID_AUTH_TAG(tagLength);
    case 5: {
      const error = new codes.ERR_CRYPTO_INVALID_AUTH_TAG('');
      error.message = `authTagLength required for ${cipher}`;
      throw error;
    }
    default:
  }
  stream[kHandle] = handle;
  stream[kDone] = false;
  const info = binding.cipherInfo(cipher);
  const mode = modes[info[0]];
  stream[kInfo] = {
    encrypts, mode, tagLength, authenticates: mode === 'gcm' || mode === 'ccm' || mode === 'ocb' || /chacha20-poly1305/i.test(cipher),
    tagSet: false, updated: false, aadSet: false, failed: false,
  };
  Reflect.apply(Transform, stream, [options]);
}

function decodeInput(data, encoding) {
  if (typeof data !== 'string') return data;
  return Buffer.from(data, encoding === undefined || encoding === 'buffer' ? 'utf8' : normalizeEncoding(encoding) ?? 'utf8');
}

function decodeOutput(stream, result, encoding, last) {
  const buffer = Buffer.from(result);
  if (!encoding || encoding === 'buffer') return buffer;
  const normalized = normalizeEncoding(encoding);
  if (stream[kDecoder] === undefined) {
    if (normalized === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    stream[kDecoder] = new StringDecoder(encoding);
  } else if (normalizeEncoding(stream[kDecoder].encoding) !== normalized) {
    if (normalized === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', encoding, `cannot be changed from '${stream[kDecoder].encoding}'`);
  }
  return last ? stream[kDecoder].end(buffer) : stream[kDecoder].write(buffer);
}

const methods = {
  _transform(chunk, encoding, callback) {
    this.push(Buffer.from(binding.cipherUpdate(this[kHandle], decodeInput(chunk, encoding), this[kInfo].tagSet)));
    callback();
  },

  _flush(callback) {
    try {
      this.push(this.final());
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  },

  update(data, inputEncoding, outputEncoding) {
    if (typeof data !== 'string' && !isArrayBufferView(data)) {
      throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    }
    if (typeof data === 'string') validateEncoding(data, inputEncoding);
    if (this[kDone]) throw new codes.ERR_CRYPTO_INVALID_STATE('update');
    this[kInfo].updated = true;
    const result = binding.cipherUpdate(this[kHandle], decodeInput(data, inputEncoding), this[kInfo].tagSet);
    return decodeOutput(this, result, outputEncoding, false);
  },

  final(outputEncoding) {
    if (this[kDone]) throw new codes.ERR_CRYPTO_INVALID_STATE('final');
    const info = this[kInfo];
    this[kDone] = true;
    if (!info.encrypts && info.authenticates && !info.tagSet) throw new Error('Unsupported state or unable to authenticate data');
    const result = binding.cipherFinal(this[kHandle]);
    if (result === null) throw new Error('Unsupported state or unable to authenticate data');
    return decodeOutput(this, result, outputEncoding, true);
  },

  setAutoPadding(autoPadding) {
    if (this[kDone] || !binding.cipherSetPadding(this[kHandle], autoPadding === undefined || !!autoPadding)) {
      throw new codes.ERR_CRYPTO_INVALID_STATE('setAutoPadding');
    }
    return this;
  },

  setAAD(aad, options) {
    const encoding = options?.encoding;
    if (options !== undefined) validateObject(options, 'options', { nullable: true });
    aad = toBytes(getArrayBufferOrView(aad, 'buffer', encoding));
    let length = -1;
    if (options?.plaintextLength !== undefined) {
      length = options.plaintextLength;
      if (!(length >= 0 && length <= 2 ** 31 - 1 && Number.isInteger(length))) throw new codes.ERR_INVALID_ARG_VALUE('options.plaintextLength', length);
    }
    const info = this[kInfo];
    if (this[kDone] || (info.updated && info.mode === 'ccm')) throw new codes.ERR_CRYPTO_INVALID_STATE('setAAD');
    if (info.mode === 'ccm') {
      if (length < 0) throw missingLength();
    }
    if (!binding.cipherSetAad(this[kHandle], aad, length)) throw new codes.ERR_CRYPTO_INVALID_STATE('setAAD');
    return this;
  },
};

function missingLength() {
  const error = new codes.ERR_MISSING_ARGS('options.plaintextLength');
  error.message = 'options.plaintextLength required for CCM mode with AAD';
  return error;
}

function Cipheriv(cipher, key, iv, options) {
  if (!(this instanceof Cipheriv)) return new Cipheriv(cipher, key, iv, options);
  construct(this, true, cipher, key, iv, options);
}
Object.setPrototypeOf(Cipheriv.prototype, Transform.prototype);
Object.setPrototypeOf(Cipheriv, Transform);
Object.assign(Cipheriv.prototype, methods);

Cipheriv.prototype.getAuthTag = function getAuthTag() {
  const tag = this[kDone] ? binding.cipherGetTag(this[kHandle]) : undefined;
  if (tag === undefined) throw new codes.ERR_CRYPTO_INVALID_STATE('getAuthTag');
  return Buffer.from(tag);
};

function Decipheriv(cipher, key, iv, options) {
  if (!(this instanceof Decipheriv)) return new Decipheriv(cipher, key, iv, options);
  construct(this, false, cipher, key, iv, options);
}
Object.setPrototypeOf(Decipheriv.prototype, Transform.prototype);
Object.setPrototypeOf(Decipheriv, Transform);
Object.assign(Decipheriv.prototype, methods);

Decipheriv.prototype.setAuthTag = function setAuthTag(tag, encoding) {
  if (typeof tag === 'string') tag = Buffer.from(tag, encoding);
  if (!isArrayBufferView(tag) && !isAnyArrayBuffer(tag)) {
    throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], tag);
  }
  const info = this[kInfo];
  const length = tag.byteLength;
  if (!info.authenticates || this[kDone] || info.tagSet) throw new codes.ERR_CRYPTO_INVALID_STATE('setAuthTag');
  let valid = length <= 16;
  if (info.tagLength >= 0) valid &&= length === info.tagLength;
  else if (info.mode === 'gcm') valid &&= length === 16; // shorter ones must be agreed on when the cipher is made
  if (!valid) throw new codes.ERR_CRYPTO_INVALID_AUTH_TAG(length);
  if (!binding.cipherSetTag(this[kHandle], toBytes(tag))) throw new codes.ERR_CRYPTO_INVALID_STATE('setAuthTag');
  info.tagSet = true;
  return this;
};

let cipherNames;
function getCiphers() {
  cipherNames ??= [...new Set(binding.cipherNames())].sort();
  return cipherNames.slice();
}

function getCipherInfo(nameOrNid, options) {
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  if (typeof nameOrNid === 'number') validateInt32(nameOrNid, 'nameOrNid');
  let keyLength;
  let ivLength;
  if (options !== undefined) {
    validateObject(options, 'options');
    ({ keyLength, ivLength } = options);
    if (keyLength !== undefined) validateInt32(keyLength, 'options.keyLength');
    if (ivLength !== undefined) validateInt32(ivLength, 'options.ivLength');
  }
  const row = binding.cipherInfo(nameOrNid, keyLength, ivLength);
  if (row === undefined) return undefined;
  const [mode, name, nid, blockSize, iv, key] = row;
  const info = { mode: modes[mode] ?? 'stream', name: name.toLowerCase(), nid };
  if (blockSize > 1 || (modes[mode] && !['stream', 'gcm', 'ctr', 'ccm', 'cfb', 'ofb', 'ocb', 'xts', 'wrap'].includes(modes[mode]))) info.blockSize = blockSize;
  if (iv !== 0) info.ivLength = iv;
  info.keyLength = key;
  return info;
}

// ---------------------------------------------------------------- RSA

const unknownDigest = () =>
  Object.assign(new Error('Invalid digest used'), { code: 'ERR_OSSL_EVP_INVALID_DIGEST' });

function rsaFor(which, defaultPadding, prepare) {
  return (options, buffer) => {
    const { encoding, oaepHash, oaepLabel, mgf1Hash } = typeof options === 'object' && options !== null && 'key' in options ? options : {};
    let label = oaepLabel;
    if (oaepHash !== undefined) validateString(oaepHash, 'key.oaepHash');
    if (mgf1Hash !== undefined) validateString(mgf1Hash, 'key.mgf1Hash');
    if (label !== undefined) {
      if (typeof label === 'string') label = Buffer.from(label, encoding);
      if (!isAnyArrayBuffer(label) && !isArrayBufferView(label)) {
        throw new codes.ERR_INVALID_ARG_TYPE('key.oaepLabel', ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], label);
      }
    }
    buffer = toBytes(getArrayBufferOrView(buffer, 'buffer', encoding));
    if ([oaepHash, mgf1Hash].some((name) => name !== undefined && binding.hashInfo(name) === null)) throw unknownDigest();
    const { handle } = prepare(options);
    const padding = options?.padding ?? defaultPadding;
    const result = binding.rsaCrypt(-1, which, handle, buffer, padding, oaepHash, label === undefined ? undefined : toBytes(label), mgf1Hash);
    return Buffer.from(result);
  };
}

const publicKey = (options) => require('internal/crypto/keys').preparePublicKey(options);
const privateKey = (options) => require('internal/crypto/keys').preparePrivateKey(options);

module.exports = {
  Cipheriv,
  Decipheriv,
  getCiphers,
  getCipherInfo,
  publicEncrypt: rsaFor(0, RSA_PKCS1_OAEP_PADDING, publicKey),
  privateDecrypt: rsaFor(1, RSA_PKCS1_OAEP_PADDING, privateKey),
  privateEncrypt: rsaFor(2, RSA_PKCS1_PADDING, privateKey),
  publicDecrypt: rsaFor(3, RSA_PKCS1_PADDING, publicKey),
};
