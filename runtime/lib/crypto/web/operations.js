'use strict';

// Digests, signatures, ciphers and derivations. Each operation gives the work to do (see internal/crypto/work), or its
// result at once if it needs no work.

const { binding } = require('internal/crypto/util');
const { Work, coded } = require('internal/crypto/work');
const { digestBits, digestOf, viewOf } = require('internal/crypto/web/algorithms');
const { badAccess, badOperation, operationFailed } = require('internal/crypto/web/failure');
const { slotsOf } = require('internal/crypto/web/key');
const { cutToBits } = require('internal/crypto/web/secrets');
const { hasSmallOrder } = require('internal/crypto/web/small_order');
const sponge = require('internal/crypto/web/sponge');
const { derivation } = require('internal/shared');
const { Buffer } = require('internal/buffer/class');

const asItIs = (value) => value;
const nothing = new ArrayBuffer(0);

// ---------------------------------------------------------------- digests

const shakes = { __proto__: null, cSHAKE128: 'SHAKE128', cSHAKE256: 'SHAKE256' };

// A result of that many bits; the rest of the last byte is zero.
const ofBits = (bits) => (bits % 8 === 0 ? asItIs : (value) => cutToBits(new Uint8Array(value), bits).buffer);

function digest(algorithm, data) {
  const { name, outputLength, functionName, customization } = algorithm;
  if (outputLength === undefined)
    return new Work(binding.messageDigest, [digestOf(algorithm), [viewOf(data)], 1, undefined], asItIs);
  const length = Math.ceil(outputLength / 8);
  if (name.startsWith('Turbo')) return sponge.turbo(name, data, length, algorithm.domainSeparation);
  if (name.startsWith('KT')) return sponge.kangaroo(name, data, length, customization);
  const label = functionName === undefined ? new Uint8Array() : viewOf(functionName);
  const custom = customization === undefined ? new Uint8Array() : viewOf(customization);
  const given =
    label.length + custom.length === 0
      ? [shakes[name], [viewOf(data)], 1]
      : [sponge.keccakOf(name), [sponge.prefix(name, label, custom), viewOf(data)], 2];
  return new Work(binding.messageDigest, [...given, length], ofBits(outputLength));
}

// ---------------------------------------------------------------- signatures

const paddings = { '__proto__': null, 'RSASSA-PKCS1-v1_5': 1, 'RSA-PSS': 6 };
const mostCustomization = 512;

function code(algorithm, slots, data) {
  if (algorithm.name === 'HMAC')
    return [binding.messageHmac, [digestOf(slots.algorithm.hash), slots.handle, viewOf(data)], asItIs];
  const { name, outputLength, customization } = algorithm;
  const custom = customization === undefined ? new Uint8Array() : viewOf(customization);
  if (custom.length > mostCustomization)
    throw operationFailed(coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Deriving bits failed'));
  const parts = sponge.kmacParts(name, slots.handle, slots.algorithm.length, custom, viewOf(data), outputLength);
  return [
    binding.messageDigest,
    [sponge.keccakOf(name), parts, parts.length, Math.ceil(outputLength / 8)],
    ofBits(outputLength),
  ];
}

function signatureManner({ name, saltLength, hash }, { algorithm }) {
  if (paddings[name] !== undefined) return [digestOf(algorithm.hash), paddings[name], saltLength, false];
  return name === 'ECDSA' ? [digestOf(hash), undefined, undefined, true] : [undefined, undefined, undefined, false];
}

const isCode = ({ family }) => family === 'hmac' || family === 'kmac';

function sign(algorithm, key, data) {
  const slots = slotsOf(key);
  if (isCode(algorithm)) return new Work(...code(algorithm, slots, data));
  if (slots.type !== 'private') throw badAccess('Key must be a private key');
  const [hash, ...manner] = signatureManner(algorithm, slots);
  return new Work(binding.sign, [slots.handle, hash, viewOf(data), ...manner], asItIs);
}

function verify(algorithm, key, signature, data) {
  const slots = slotsOf(key);
  if (isCode(algorithm)) {
    const given = Buffer.copyBytesFrom(viewOf(signature));
    const [native, parameters, finish] = code(algorithm, slots, data);
    return new Work(native, parameters, (value) => {
      const own = new Uint8Array(finish(value));
      return own.length === given.length && binding.timingSafeEqual(own, given);
    });
  }
  if (slots.type !== 'public') throw badAccess('Key must be a public key');
  const [hash, ...manner] = signatureManner(algorithm, slots);
  const isBad =
    algorithm.family === 'okp' &&
    hasSmallOrder(algorithm.name, new Uint8Array(binding.keyParts(slots.handle, false)[0]), viewOf(signature));
  return new Work(
    binding.sign,
    [slots.handle, hash, viewOf(data), ...manner, viewOf(signature)],
    (isValid) => isValid && !isBad,
  );
}

// ---------------------------------------------------------------- ciphers

const usualTag = 128;
const aesNames = {
  '__proto__': null,
  'AES-CBC': 'CBC',
  'AES-CTR': 'CTR',
  'AES-GCM': 'GCM',
  'AES-OCB': 'OCB',
  'AES-KW': 'WRAP',
};
const rsaSteps = { encrypt: 0, decrypt: 1 };
const oaepPadding = 4;

function cipher(algorithm, key, data, encrypts) {
  const { name, iv, counter, length, additionalData, tagLength, label } = algorithm;
  const { type, handle, algorithm: own } = slotsOf(key);
  if (name === 'RSA-OAEP') {
    const wanted = encrypts ? 'public' : 'private';
    if (type !== wanted) throw badAccess(`Key must be a ${wanted} key`);
    const step = rsaSteps[encrypts ? 'encrypt' : 'decrypt'];
    return new Work(
      binding.rsaCrypt,
      [step, handle, viewOf(data), oaepPadding, digestOf(own.hash), label === undefined ? undefined : viewOf(label)],
      asItIs,
    );
  }
  const kind = algorithm.family === 'chacha' ? 'ChaCha20-Poly1305' : `AES-${own.length}-${aesNames[name]}`;
  const isSealed = algorithm.family === 'chacha' || name === 'AES-GCM' || name === 'AES-OCB';
  const start = iv ?? counter;
  if (isSealed && start.byteLength === 0)
    throw operationFailed(coded(TypeError, 'ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector'));
  const tag = isSealed ? (tagLength ?? usualTag) / 8 : 0;
  return new Work(
    binding.messageCipher,
    [
      encrypts,
      kind,
      handle,
      start === undefined ? undefined : viewOf(start),
      viewOf(data),
      additionalData === undefined ? undefined : viewOf(additionalData),
      tag,
      name === 'AES-CTR' ? length : 0,
    ],
    asItIs,
  );
}

// ---------------------------------------------------------------- derivations

const derivations = { __proto__: null, PBKDF2: derivation.kPbkdf2, HKDF: derivation.kHkdf };
const secretBits = { '__proto__': null, 'P-256': 256, 'P-384': 384, 'P-521': 528, 'X25519': 256, 'X448': 448 };

const isAgreement = ({ family }) => family !== 'secret';

// Checks of a derivation before there is a key.
function checkDerivation(algorithm, length) {
  const { name, hash, public: other } = algorithm;
  if (isAgreement(algorithm)) {
    const slots = slotsOf(other);
    if (slots.type !== 'public') throw badAccess('algorithm.public must be a public key');
    if (slots.algorithm.name !== name) throw badAccess('key algorithm mismatch');
    if (length !== null && length > secretBits[slots.algorithm.namedCurve ?? name])
      throw badOperation('derived bit length is too small');
    return;
  }
  if (length === null) throw badOperation('length cannot be null');
  if (length % 8 !== 0) throw badOperation('length must be a multiple of 8');
  if (name === 'HKDF' && length > 255 * digestBits(hash))
    throw badOperation('length exceeds the maximum derived bit length');
}

function deriveBits(algorithm, key, length) {
  const { name, hash, public: other, salt, info, iterations } = algorithm;
  const { type, handle, algorithm: own } = slotsOf(key);
  if (isAgreement(algorithm)) {
    if (type !== 'private') throw badAccess('baseKey must be a private key');
    checkDerivation(algorithm, null);
    const {
      handle: otherHandle,
      algorithm: { namedCurve },
    } = slotsOf(other);
    if (namedCurve !== own.namedCurve) throw badAccess('Named curve mismatch');
    return new Work(binding.agree, [handle, otherHandle], (secret) => {
      if (length === null) return secret;
      const size = Math.ceil(length / 8);
      if (size > secret.byteLength) throw badOperation('derived bit length is too small');
      return cutToBits(new Uint8Array(secret, 0, size).slice(), length).buffer;
    });
  }
  checkDerivation(algorithm, length);
  if (length === 0) return nothing.slice();
  return new Work(
    binding.derive,
    [
      derivations[name],
      handle,
      viewOf(salt),
      length / 8,
      digestOf(hash),
      info === undefined ? undefined : viewOf(info),
      iterations,
    ],
    asItIs,
  );
}

module.exports = { digest, sign, verify, cipher, deriveBits, checkDerivation };
