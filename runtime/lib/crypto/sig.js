'use strict';

// Signatures: Sign and Verify, which collect what is written to them, and both in one call.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { Work, callable, coded } = require('internal/crypto/work');
const { preparePrivateKey, preparePublicKey } = require('internal/crypto/keys');
const { validateEncoding, validateFunction, validateString } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');
const { Writable } = require('stream');

const pairForms = new Map([
  [undefined, false],
  ['der', false],
  ['ieee-p1363', true],
]);

// How a signature is made: [padding, salt length, whether its two numbers are concatenated].
function mannerOf(key) {
  const options = typeof key === 'object' && key !== null ? key : {};
  const manner = [];
  for (const name of ['padding', 'saltLength']) {
    const value = options[name];
    if (value !== undefined && value !== value >> 0) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value);
    manner.push(value);
  }
  const form = pairForms.get(options.dsaEncoding);
  if (form === undefined) throw new codes.ERR_INVALID_ARG_VALUE('options.dsaEncoding', options.dsaEncoding);
  return [...manner, form];
}

class Collector extends Writable {
  #parts = [];
  #digest;

  constructor(algorithm, options) {
    validateString(algorithm, 'algorithm');
    const digest = algorithm.toLowerCase() === 'dss1' ? 'sha1' : algorithm; // an old name
    if (binding.hashInfo(digest) === null) throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest');
    super(options);
    this.#digest = digest;
  }

  #need() {
    if (this.#parts === undefined) throw coded(Error, 'ERR_CRYPTO_INVALID_STATE', 'Not initialised');
  }

  update(data, encoding) {
    this.#need();
    if (typeof data === 'string') {
      validateEncoding(data, encoding);
      this.#parts.push(Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding));
    } else if (isArrayBufferView(data)) {
      // A copy: the program may change its bytes afterwards.
      this.#parts.push(Buffer.copyBytesFrom(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)));
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    }
    return this;
  }

  _write(chunk, encoding, callback) {
    this.update(chunk, encoding);
    callback();
  }

  // Signs or verifies the collected data, once. `rest`: the settings, and for a verification the signature.
  _conclude(handle, ...rest) {
    this.#need();
    // These keys take a message only as a whole.
    if (/^ed/.test(binding.keyType(handle))) throw new codes.ERR_CRYPTO_UNSUPPORTED_OPERATION();
    const data = Buffer.concat(this.#parts);
    this.#parts = undefined;
    return binding.sign(-1, handle, this.#digest, data, ...rest);
  }
}

class SignStream extends Collector {
  sign(privateKey, outputEncoding) {
    if (!privateKey) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
    const { handle } = preparePrivateKey(privateKey, 'privateKey');
    const signature = Buffer.from(this._conclude(handle, ...mannerOf(privateKey)));
    return outputEncoding && outputEncoding !== 'buffer' ? signature.toString(outputEncoding) : signature;
  }
}

class VerifyStream extends Collector {
  verify(object, signature, signatureEncoding) {
    const { handle } = preparePublicKey(object);
    const manner = mannerOf(object);
    return this._conclude(handle, ...manner, toBytes(getArrayBufferOrView(signature, 'signature', signatureEncoding)));
  }
}

// Whether a context string is given. The library's signatures do not support one.
function readContext({ context }) {
  if (context === undefined) return false;
  if (!isArrayBufferView(context))
    throw new codes.ERR_INVALID_ARG_TYPE('options.context', ['Buffer', 'TypedArray', 'DataView'], context);
  return context.byteLength > 0;
}

// Signing and verifying in one call differ in the type of key, and in whether a signature is given.
function inOneCall(algorithm, data, key, callback, prepareKey, finish, ...signature) {
  if (!key) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const manner = mannerOf(key);
  const hasContext = readContext(key);
  const { handle } = prepareKey(key);
  const work = new Work(binding.sign, [handle, algorithm ?? undefined, data, ...manner, ...signature], (value) => {
    if (hasContext) throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Context parameter is unsupported');
    if (value === null) throw coded(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`);
    return finish(value);
  });
  return callback === undefined ? work.now() : work.later(callback);
}

function readCommon(algorithm, data, callback) {
  if (algorithm != null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  return toBytes(getArrayBufferOrView(data, 'data'));
}

function signOneShot(algorithm, data, key, callback) {
  const bytes = readCommon(algorithm, data, callback);
  return inOneCall(algorithm, bytes, key, callback, preparePrivateKey, (value) => Buffer.from(value));
}

function verifyOneShot(algorithm, data, key, signature, callback) {
  const bytes = readCommon(algorithm, data, callback);
  return inOneCall(
    algorithm,
    bytes,
    key,
    callback,
    preparePublicKey,
    (isValid) => isValid,
    toBytes(getArrayBufferOrView(signature, 'signature')),
  );
}

module.exports = {
  Sign: callable(SignStream, 'Sign'),
  Verify: callable(VerifyStream, 'Verify'),
  signOneShot,
  verifyOneShot,
};
