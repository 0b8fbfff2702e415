'use strict';

// Cipheriv and Decipheriv: streams that take text in one form and give it in the other, and can be driven by hand as
// well. Those that authenticate have a tag, which one side asks for at the end and the other side gives before it.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { callable, coded } = require('internal/crypto/work');
const { keyBytes } = require('internal/crypto/hash');
const { isMemory } = require('internal/crypto/key_input');
const {
  validateEncoding,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { normalizeEncoding } = require('internal/util');
const { Buffer } = require('internal/buffer/class');
const { StringDecoder } = require('string_decoder');
const { Transform } = require('stream');

const ivKinds = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const dataKinds = ['string', 'Buffer', 'TypedArray', 'DataView'];
const mostInt = 2 ** 31 - 1;

// By the library's numbers.
const modes = new Map([
  [1, 'ecb'],
  [2, 'cbc'],
  [3, 'cfb'],
  [4, 'ofb'],
  [5, 'ctr'],
  [6, 'gcm'],
  [7, 'ccm'],
  [0x10001, 'xts'],
  [0x10002, 'wrap'],
  [0x10003, 'ocb'],
  [0x10004, 'siv'],
]);
const sealedModes = new Set(['gcm', 'ccm', 'ocb']);

// ---------------------------------------------------------------- making

const isLength = (value) => Number.isInteger(value) && value >= 0 && value <= mostInt;

function readTagLength(options) {
  const length = options?.authTagLength ?? -1;
  if (length !== -1 && !isLength(length)) throw new codes.ERR_INVALID_ARG_VALUE('options.authTagLength', length);
  return length;
}

function readIv(iv) {
  if (iv === null) return null;
  if (typeof iv !== 'string' && !isMemory(iv)) throw new codes.ERR_INVALID_ARG_TYPE('iv', ivKinds, iv);
  return toBytes(getArrayBufferOrView(iv, 'iv'));
}

// What the binding refuses.
const { cipherRefusal: refusal } = require('internal/shared');
const refusals = {
  [refusal.kUnknown]: () => new codes.ERR_CRYPTO_UNKNOWN_CIPHER(),
  [refusal.kKeyLength]: () => new codes.ERR_CRYPTO_INVALID_KEYLEN(),
  [refusal.kIv]: () => new codes.ERR_CRYPTO_INVALID_IV(),
  [refusal.kTagLength]: (cipher, length) => new codes.ERR_CRYPTO_INVALID_AUTH_TAG(length),
  [refusal.kNoTagLength]: (cipher) =>
    coded(TypeError, 'ERR_CRYPTO_INVALID_AUTH_TAG', `authTagLength required for ${cipher}`),
};

function begin(encrypts, cipher, key, iv, options) {
  validateString(cipher, 'cipher');
  const secret = keyBytes(key, options?.encoding);
  const start = readIv(iv);
  const tagLength = readTagLength(options);
  const handle = binding.cipherCreate(encrypts, cipher, secret, start, tagLength);
  if (typeof handle === 'number') throw refusals[handle](cipher, tagLength);
  const mode = modes.get(binding.cipherInfo(cipher)[0]);
  return { handle, mode, tagLength, isSealed: sealedModes.has(mode) || /chacha20-poly1305/i.test(cipher) };
}

// ---------------------------------------------------------------- streams

const badState = (method) => new codes.ERR_CRYPTO_INVALID_STATE(method);
const notAuthentic = () => new Error('Unsupported state or unable to authenticate data');

// Converts output to text, if the program asks for text. The decoder keeps incomplete characters between two calls; all
// calls must use one encoding.
class Writer {
  #decoder;

  write(bytes, encoding, isLast) {
    const buffer = Buffer.from(bytes);
    if (!encoding || encoding === 'buffer') return buffer;
    const wanted = normalizeEncoding(encoding);
    if (wanted === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    this.#decoder ??= new StringDecoder(encoding);
    const { encoding: first } = this.#decoder;
    if (normalizeEncoding(first) !== wanted) {
      throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', encoding, `cannot be changed from '${first}'`);
    }
    return isLast ? this.#decoder.end(buffer) : this.#decoder.write(buffer);
  }
}

class Pass extends Transform {
  #cipher;
  #encrypts;
  #writer = new Writer();
  #isOver = false;
  #hasData = false;
  #hasTag = false;

  constructor(encrypts, cipher, key, iv, options) {
    const begun = begin(encrypts, cipher, key, iv, options);
    super(options);
    this.#cipher = begun;
    this.#encrypts = encrypts;
  }

  #feed(data, encoding) {
    const bytes =
      typeof data !== 'string'
        ? data
        : Buffer.from(
            data,
            encoding === undefined || encoding === 'buffer' ? 'utf8' : (normalizeEncoding(encoding) ?? 'utf8'),
          );
    return binding.cipherUpdate(this.#cipher.handle, bytes, this.#hasTag);
  }

  _transform(chunk, encoding, callback) {
    callback(null, Buffer.from(this.#feed(chunk, encoding)));
  }

  _flush(callback) {
    let rest;
    try {
      rest = this.final();
    } catch (error) {
      return callback(error);
    }
    return callback(null, rest);
  }

  update(data, inputEncoding, outputEncoding) {
    const isText = typeof data === 'string';
    if (!isText && !isArrayBufferView(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', dataKinds, data);
    if (isText) validateEncoding(data, inputEncoding);
    if (this.#isOver) throw new Error('Trying to add data in unsupported state');
    this.#hasData = true;
    return this.#writer.write(this.#feed(data, inputEncoding), outputEncoding, false);
  }

  final(outputEncoding) {
    if (this.#isOver) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Invalid state');
    this.#isOver = true;
    const isUnsigned = !this.#encrypts && this.#cipher.isSealed && !this.#hasTag;
    const rest = isUnsigned ? null : binding.cipherFinal(this.#cipher.handle);
    if (rest === null) throw notAuthentic();
    return this.#writer.write(rest, outputEncoding, true);
  }

  // Without an argument, padding is switched off as well. Node's documentation says otherwise, but Node does this.
  setAutoPadding(autoPadding) {
    if (this.#isOver || !binding.cipherSetPadding(this.#cipher.handle, Boolean(autoPadding)))
      throw badState('setAutoPadding');
    return this;
  }

  // CCM must know the length of the plaintext before it takes additional authenticated data.
  setAAD(aad, options) {
    if (options !== undefined) validateObject(options, 'options', { nullable: true });
    const extra = toBytes(getArrayBufferOrView(aad, 'buffer', options?.encoding));
    const { plaintextLength: length = -1 } = options ?? {};
    if (length !== -1 && !isLength(length)) throw new codes.ERR_INVALID_ARG_VALUE('options.plaintextLength', length);
    const { handle, mode } = this.#cipher;
    if (this.#isOver || (mode === 'ccm' && this.#hasData)) throw badState('setAAD');
    if (mode === 'ccm' && length === -1) {
      throw coded(TypeError, 'ERR_MISSING_ARGS', 'options.plaintextLength required for CCM mode with AAD');
    }
    if (!binding.cipherSetAad(handle, extra, length)) throw badState('setAAD');
    return this;
  }

  _takeTag() {
    const tag = this.#isOver ? binding.cipherGetTag(this.#cipher.handle) : undefined;
    if (tag === undefined) throw badState('getAuthTag');
    return Buffer.from(tag);
  }

  // If no tag length was agreed on, only a full-length tag is accepted by modes in which a shorter tag is weaker.
  _giveTag(bytes) {
    const { handle, mode, tagLength, isSealed } = this.#cipher;
    const { byteLength: length } = bytes;
    if (!isSealed || this.#isOver || this.#hasTag) throw badState('setAuthTag');
    const isRight = tagLength >= 0 ? length === tagLength : mode !== 'gcm' || length === 16;
    if (length > 16 || !isRight) throw new codes.ERR_CRYPTO_INVALID_AUTH_TAG(length);
    if (!binding.cipherSetTag(handle, bytes)) throw badState('setAuthTag');
    this.#hasTag = true;
  }
}

class Encryption extends Pass {
  constructor(cipher, key, iv, options) {
    super(true, cipher, key, iv, options);
  }

  getAuthTag() {
    return this._takeTag();
  }
}

class Decryption extends Pass {
  constructor(cipher, key, iv, options) {
    super(false, cipher, key, iv, options);
  }

  setAuthTag(tag, encoding) {
    const bytes = typeof tag === 'string' ? Buffer.from(tag, encoding) : tag;
    if (!isMemory(bytes)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ivKinds, tag);
    this._giveTag(toBytes(bytes));
    return this;
  }
}

// ---------------------------------------------------------------- what there is

let names;
function getCiphers() {
  names ??= [...new Set(binding.cipherNames())].sort();
  return [...names];
}

function getCipherInfo(nameOrNid, options) {
  const isNumber = typeof nameOrNid === 'number';
  if (!isNumber && typeof nameOrNid !== 'string')
    throw new codes.ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  if (isNumber) validateInt32(nameOrNid, 'nameOrNid');
  if (options !== undefined) validateObject(options, 'options');
  const wanted = ['keyLength', 'ivLength'].map((name) => {
    const value = options?.[name];
    if (value !== undefined) validateUint32(value, `options.${name}`);
    return value;
  });
  const row = binding.cipherInfo(nameOrNid, ...wanted);
  if (row === undefined) return undefined;
  const [number, name, nid, blockSize, ivLength, keyLength] = row;
  const mode = modes.get(number);
  const info = { mode: mode ?? 'stream', name: name.toLowerCase(), nid, keyLength };
  if (mode !== undefined) info.blockSize = blockSize;
  if (ivLength !== 0) info.ivLength = ivLength;
  return info;
}

module.exports = {
  Cipheriv: callable(Encryption, 'Cipheriv'),
  Decipheriv: callable(Decryption, 'Decipheriv'),
  getCiphers,
  getCipherInfo,
};
