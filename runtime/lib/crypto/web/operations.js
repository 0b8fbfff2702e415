'use strict';

// The operations of SubtleCrypto, with the hash functions and curves that OpenSSL does not have as such.
//
// Points of the Edwards curves with which every signature would be valid: the standard demands that they are refused. A
// point is written as its y, the lowest byte first, with the sign of x in the last bit; both signs are refused.

const { Buffer } = require('internal/buffer/class');
const { binding } = require('internal/crypto/util');
const { Work, coded } = require('internal/crypto/work');
const { viewOf, digestBits, digestOf } = require('internal/crypto/web/algorithms');
const { badAccess, badOperation, operationFailed } = require('internal/crypto/web/convert');
const { slotsOf } = require('internal/crypto/web/key');
const { cutToBits } = require('internal/crypto/web/secrets');
const { derivation } = require('internal/shared');

function write(number, size) {
  return Buffer.from(number.toString(16).padStart(size * 2, '0'), 'hex')
    .reverse()
    .toString('hex');
}

const p25519 = 2n ** 255n - 19n;
const p448 = 2n ** 448n - 2n ** 224n - 1n;
// y of the points of order eight on the first curve; the other two are at -y.
const orderEight = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

// Zero and one may also be written as p and p + 1.
const usual = (p) => [0n, 1n, p - 1n, p, p + 1n];
const curves = {
  __proto__: null,
  Ed25519: { size: 32, points: new Set([...usual(p25519), orderEight, p25519 - orderEight].map((y) => write(y, 32))) },
  Ed448: { size: 57, points: new Set(usual(p448).map((y) => write(y, 57))) },
};

function isBadPoint({ points, size }, bytes) {
  if (bytes.length < size) return false;
  const point = Buffer.copyBytesFrom(bytes, 0, size);
  point[size - 1] &= 0x7f;
  return points.has(point.toString('hex'));
}

// A signature begins with a point.
function hasSmallOrder(name, publicKey, signature) {
  const curve = curves[name];
  return curve !== undefined && (isBadPoint(curve, publicKey) || isBadPoint(curve, signature));
}

// Functions of the Keccak family that the library lacks, made from those that it has: cSHAKE and KMAC (NIST SP
// 800-185). TurboSHAKE and KangarooTwelve (RFC 9861) are in the binding.

// The rate of the sponge in bytes.
const rateOf = (name) => (name.endsWith('128') ? 168 : 136);
const keccakOf = (name) => (name.endsWith('128') ? 'KECCAK-KMAC-128' : 'KECCAK-KMAC-256');

function bytesOfNumber(number) {
  const bytes = [];
  do {
    bytes.unshift(number % 256);
    number = Math.floor(number / 256);
  } while (number > 0);
  return bytes;
}

// A number with its length before it, or after it.
function leftEncode(number) {
  const bytes = bytesOfNumber(number);
  return Buffer.from([bytes.length, ...bytes]);
}

function rightEncode(number) {
  const bytes = bytesOfNumber(number);
  return Buffer.from([...bytes, bytes.length]);
}

const encodeString = (bytes, bits = bytes.length * 8) => Buffer.concat([leftEncode(bits), bytes]);

// Padded with zeros to a whole number of blocks; the length of a block precedes it.
function bytePad(bytes, rate) {
  const padded = Buffer.concat([leftEncode(rate), bytes]);
  return Buffer.concat([padded], Math.ceil(padded.length / rate) * rate);
}

const prefix = (name, label, customization) =>
  bytePad(Buffer.concat([encodeString(label), encodeString(customization)]), rateOf(name));

function kmacParts(name, key, keyBits, customization, data, outputBits) {
  return [
    prefix(name, Buffer.from('KMAC'), customization),
    bytePad(encodeString(key, keyBits), rateOf(name)),
    data,
    rightEncode(outputBits),
  ];
}

function turbo(name, data, length, domain = 0x1f) {
  return new Work(binding.messageTurbo, [rateOf(name), viewOf(data), domain, length], (value) => value);
}

// The customization follows the message, and its length follows it.
function kangaroo(name, data, length, customization) {
  const custom = customization === undefined ? new Uint8Array() : viewOf(customization);
  const size = custom.length === 0 ? Buffer.of(0) : rightEncode(custom.length);
  return new Work(
    binding.messageKangaroo,
    [rateOf(name), Buffer.concat([viewOf(data), custom, size]), length],
    (value) => value,
  );
}

// Digests, signatures, ciphers and derivations. Each operation gives the work to do (see internal/crypto/work), or its
// result at once if it needs no work.

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
  if (name.startsWith('Turbo')) return turbo(name, data, length, algorithm.domainSeparation);
  if (name.startsWith('KT')) return kangaroo(name, data, length, customization);
  const label = functionName === undefined ? new Uint8Array() : viewOf(functionName);
  const custom = customization === undefined ? new Uint8Array() : viewOf(customization);
  const given =
    label.length + custom.length === 0
      ? [shakes[name], [viewOf(data)], 1]
      : [keccakOf(name), [prefix(name, label, custom), viewOf(data)], 2];
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
  const parts = kmacParts(name, slots.handle, slots.algorithm.length, custom, viewOf(data), outputLength);
  return [
    binding.messageDigest,
    [keccakOf(name), parts, parts.length, Math.ceil(outputLength / 8)],
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
