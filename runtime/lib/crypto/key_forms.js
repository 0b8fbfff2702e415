'use strict';

// The formats in which asymmetric keys are written: PEM and DER of several types, JWK, and raw bytes. A format is made
// from a program's options, which are checked then; `write(handle)` gives the key in it.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { coded } = require('internal/crypto/work');
const { validateObject, validateOneOf } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { kUnknownCipher } = require('internal/shared').keyRefusal;
const { Buffer } = require('internal/buffer/class');

const isMemory = (value) => isArrayBufferView(value) || isAnyArrayBuffer(value);
const incompatible = () =>
  coded(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', 'The selected key encoding is incompatible with the key type');

// ---------------------------------------------------------------- JSON

const jwkCurves = new Map([
  ['prime256v1', 'P-256'],
  ['secp256k1', 'secp256k1'],
  ['secp384r1', 'P-384'],
  ['secp521r1', 'P-521'],
]);
const okpCurves = new Map([
  ['ed25519', 'Ed25519'],
  ['ed448', 'Ed448'],
  ['x25519', 'X25519'],
  ['x448', 'X448'],
]);
const rsaMembers = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
const inBase64 = (bytes) => Buffer.from(bytes).base64urlSlice();

function writeJwk(handle, isPrivate) {
  const kind = binding.keyType(handle);
  const parts = binding.keyParts(handle, isPrivate)?.map(inBase64);
  if (kind === 'rsa') return Object.fromEntries([['kty', 'RSA'], ...parts.map((part, i) => [rsaMembers[i], part])]);
  if (kind === 'ec') {
    const curve = binding.keyDetails(handle)[2];
    if (!jwkCurves.has(curve)) throw new codes.ERR_CRYPTO_JWK_UNSUPPORTED_CURVE(curve);
    const [x, y, d] = parts;
    return { kty: 'EC', x, y, crv: jwkCurves.get(curve), ...(isPrivate ? { d } : {}) };
  }
  if (!okpCurves.has(kind)) throw new codes.ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
  const [x, d] = parts;
  return { crv: okpCurves.get(kind), x, kty: 'OKP', ...(isPrivate ? { d } : {}) };
}

// ---------------------------------------------------------------- raw bytes

const pointForms = { compressed: 2, uncompressed: 4 };

function writeRaw(handle, isPrivate, pointForm) {
  const kind = binding.keyType(handle);
  if (kind !== 'ec' && !okpCurves.has(kind)) throw incompatible();
  const parts = binding.keyParts(handle, isPrivate);
  if (isPrivate) return Buffer.from(parts.at(-1));
  if (kind !== 'ec') return Buffer.from(parts[0]);
  const point = Buffer.concat([Buffer.of(4), ...parts.map((part) => Buffer.from(part))]);
  return Buffer.from(binding.ecdhConvert(point, binding.keyDetails(handle)[2], pointForms[pointForm]));
}

// ---------------------------------------------------------------- from options

// PEM and DER: the types of each half, and the keys to which some of them are limited.
const kinds = { public: ['pkcs1', 'spki'], private: ['pkcs1', 'pkcs8', 'sec1'] };
const only = { pkcs1: ['rsa', 'RSA'], sec1: ['ec', 'EC'] };

function readEncryption(options, place, isTraditionalDer) {
  const { cipher, passphrase, encoding, type } = options;
  if (cipher == null) {
    if (passphrase === undefined) return [];
    throw new codes.ERR_INVALID_ARG_VALUE(`${place}.cipher`, cipher, 'is required when a passphrase is specified');
  }
  if (typeof cipher !== 'string') throw new codes.ERR_INVALID_ARG_VALUE(`${place}.cipher`, cipher);
  if (isTraditionalDer) throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'does not support encryption');
  if (typeof passphrase !== 'string' && !isMemory(passphrase))
    throw new codes.ERR_INVALID_ARG_VALUE(`${place}.passphrase`, passphrase);
  return [cipher, toBytes(getArrayBufferOrView(passphrase, 'passphrase', encoding))];
}

function readEncoded(half, options, place, keyType) {
  const { format, type } = options;
  if (!kinds[half].includes(type)) throw new codes.ERR_INVALID_ARG_VALUE(`${place}.type`, type);
  const [wanted, label] = only[type] ?? [keyType];
  if (keyType !== undefined && keyType !== wanted) {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, `can only be used for ${label} keys`);
  }
  const isPrivate = half === 'private';
  const encryption = isPrivate ? readEncryption(options, place, format === 'der' && type !== 'pkcs8') : [];
  return (handle) => {
    const written = binding.keyExport(handle, isPrivate, format === 'pem', type, ...encryption);
    if (written === kUnknownCipher) throw coded(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
    return format === 'pem' ? written : Buffer.from(written);
  };
}

// The format of a key pair is known before the pair exists; then the error about `type` is shorter.
function readRaw(half, options, place, keyType, isEarly) {
  const { format, type = 'uncompressed', passphrase, cipher } = options;
  if (half === 'private' && (passphrase !== undefined || cipher != null)) {
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(isEarly ? 'raw format' : format, 'does not support encryption');
  }
  const isPoint = half === 'public' && keyType === 'ec';
  if (isPoint && isEarly && pointForms[type] === undefined)
    throw new codes.ERR_INVALID_ARG_VALUE(`${place}.type`, type);
  if (isPoint) validateOneOf(type, `${place}.type`, Object.keys(pointForms));
  // Only keys that are derived from a seed have one; the library has no such keys.
  if (format === 'raw-seed') throw incompatible();
  return (handle) => writeRaw(handle, half === 'private', type);
}

const rawFormats = { public: ['raw-public'], private: ['raw-private', 'raw-seed'] };

// -> a function from the binding's key to what the program gets
function readForm(half, options, place, keyType, { isEarly = false } = {}) {
  validateObject(options, place);
  const { format } = options;
  if (format === 'jwk') {
    if (half === 'private' && options.passphrase !== undefined) {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('jwk', 'does not support encryption');
    }
    return (handle) => writeJwk(handle, half === 'private');
  }
  if (rawFormats[half].includes(format)) return readRaw(half, options, place, keyType, isEarly);
  if (format !== 'pem' && format !== 'der') throw new codes.ERR_INVALID_ARG_VALUE(`${place}.format`, format);
  return readEncoded(half, options, place, keyType);
}

module.exports = { readForm, writeJwk, jwkCurves, okpCurves, incompatible, isMemory };
