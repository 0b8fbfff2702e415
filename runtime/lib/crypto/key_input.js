'use strict';

// Keys from what a program gives, and the formats in which keys are written.
//
// The formats in which asymmetric keys are written: PEM and DER of several types, JWK, and raw bytes. A format is made
// from a program's options, which are checked then; `write(handle)` gives the key in it.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { coded } = require('internal/crypto/work');
const { validateObject, validateOneOf, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');
const { keys: brands } = require('internal/state');

const { kUnknownCipher } = require('internal/shared').keyRefusal;

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

// The many ways to name a key in an argument: an object, text, bytes in some format, JSON, a file's URL. Each becomes
// the binding's key.

const { kNeedsPassphrase } = require('internal/shared').keyRefusal;

const isBytes = (value) => typeof value === 'string' || isMemory(value);
const isKey = (value) =>
  typeof value === 'object' && value !== null && (brands.isKeyObject(value) || brands.isCryptoKey(value));
const memoryKinds = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const anyKinds = [...memoryKinds, 'string', 'KeyObject', 'CryptoKey'];
// The kinds of values from which a key object can be made.
const creationKinds = ['string', ...memoryKinds, 'URL'];

const isUrl = (value) => typeof value === 'object' && value !== null && require('internal/url').hasRecord(value);
const { toString: urlText } = require('internal/url').URL.prototype;

// ---------------------------------------------------------------- formats

// OpenSSL's error when no passphrase is given for an encrypted key.
function interrupted() {
  return Object.assign(new Error('error:07880109:common libcrypto routines::interrupted or cancelled'), {
    library: 'common libcrypto routines',
    reason: 'interrupted or cancelled',
    code: 'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED',
  });
}

function parse(isPrivate, data, isDer, type, passphrase) {
  const result = binding.keyParse(isPrivate, toBytes(data), !isDer, type ?? (isPrivate ? 'pkcs8' : 'spki'), passphrase);
  if (result === kNeedsPassphrase) throw isDer ? new codes.ERR_MISSING_PASSPHRASE() : interrupted();
  return result;
}

const readDer = (isPrivate, bytes) => parse(isPrivate, bytes, true, undefined, undefined);

const privateLine = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/;

// Bytes that may be either half: { handle, isPrivate }.
function parseEither(data, isDer, type, passphrase) {
  if (!isDer) {
    const isPrivate = privateLine.test(Buffer.from(toBytes(data)).latin1Slice());
    return { handle: parse(isPrivate, data, false, undefined, passphrase), isPrivate };
  }
  if (type !== 'pkcs1') {
    const isPrivate = type === 'pkcs8' || type === 'sec1';
    return { handle: parse(isPrivate, data, true, type, passphrase), isPrivate };
  }
  try {
    return { handle: parse(false, data, true, type), isPrivate: false };
  } catch {
    return { handle: parse(true, data, true, type, passphrase), isPrivate: true };
  }
}

// Keys of the modern curves: the public number that is given must be that of the private one.
function curveKey(kind, parts, isPrivate) {
  const handle = binding.keyFromParts(kind, parts, isPrivate, false);
  if (handle === null || !isPrivate) return handle;
  return Buffer.from(binding.keyParts(handle, false)[0]).equals(parts[0]) ? handle : null;
}

// kty: [members of the public key, of the private one, the key from the members' bytes, the values of "crv"]
const jwkTypes = {
  __proto__: null,
  RSA: [
    ['n', 'e'],
    ['d', 'p', 'q', 'dp', 'dq', 'qi'],
    (parts, isPrivate) => binding.keyFromParts('rsa', parts, isPrivate, false),
  ],
  EC: [['x', 'y'], ['d'], (parts, isPrivate, curve) => binding.keyFromParts(curve, parts, isPrivate, true), jwkCurves],
  OKP: [['x'], ['d'], (parts, isPrivate, curve) => curveKey(curve, parts, isPrivate), okpCurves],
};

function fromJwk(jwk, wantsPublic) {
  validateObject(jwk, 'key.key');
  const { kty } = jwk;
  const row = jwkTypes[kty];
  if (row === undefined) throw coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', `${kty} is not a supported JWK key type`);
  const [publicMembers, privateMembers, make, curves] = row;
  const isPrivate = !wantsPublic;
  const members = isPrivate ? [...publicMembers, ...privateMembers] : publicMembers;
  const curve = curves === undefined ? undefined : [...curves].find(([, name]) => name === jwk.crv)?.[0];
  const isWhole =
    members.every((name) => typeof jwk[name] === 'string') && (curves === undefined || typeof jwk.crv === 'string');
  if (isWhole && kty === 'EC' && curve === undefined) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  const handle =
    isWhole && (curves === undefined || curve !== undefined)
      ? make(
          members.map((name) => Buffer.from(jwk[name], 'base64url')),
          isPrivate,
          curve,
        )
      : null;
  if (handle === null) throw coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', `Invalid JWK ${kty} key`);
  return { handle, isPrivate };
}

const rawless = new Set(['rsa', 'rsa-pss', 'dsa', 'dh']);
const curveNames = { '__proto__': null, 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const badBytes = () => coded(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid key data');

function pointOf(bytes, curve) {
  const point = binding.ecdhConvert(bytes, curve, 4);
  if (point === null) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  if (point === undefined) return null;
  const numbers = Buffer.from(point).subarray(1);
  const half = numbers.length / 2;
  return binding.keyFromParts(curve, [numbers.subarray(0, half), numbers.subarray(half)], false, true);
}

function fromRaw(data, options) {
  const { format, asymmetricKeyType: kind, namedCurve } = options;
  if (!isMemory(data)) throw new codes.ERR_INVALID_ARG_TYPE('key.key', memoryKinds, data);
  validateString(kind, 'key.asymmetricKeyType');
  const isPrivate = format !== 'raw-public';
  if (rawless.has(kind)) throw incompatible();
  if (kind !== 'ec' && !okpCurves.has(kind))
    throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', `Invalid asymmetricKeyType: ${kind}`);
  if (kind === 'ec') validateString(namedCurve, 'key.namedCurve');
  if (format === 'raw-seed') throw incompatible();
  const bytes = toBytes(data);
  const curve = curveNames[namedCurve] ?? namedCurve;
  if (kind === 'ec' && !binding.curveNames().includes(curve)) throw new codes.ERR_CRYPTO_INVALID_CURVE();
  const handle =
    kind === 'ec'
      ? isPrivate
        ? binding.keyFromScalar(curve, bytes)
        : pointOf(bytes, curve)
      : binding.keyFromParts(kind, isPrivate ? [undefined, bytes] : [bytes], isPrivate, false);
  if (handle === null) throw badBytes();
  return { handle, isPrivate };
}

// ---------------------------------------------------------------- arguments

function passphraseOf({ passphrase, encoding }) {
  if (passphrase == null) return undefined;
  if (!isBytes(passphrase)) throw new codes.ERR_INVALID_ARG_VALUE('key.passphrase', passphrase);
  return toBytes(getArrayBufferOrView(passphrase, 'passphrase', encoding));
}

const derTypes = { private: ['pkcs1', 'pkcs8', 'sec1'], either: ['pkcs1', 'spki', 'pkcs8', 'sec1'] };

function checkDer({ format, type }, wanted) {
  if (format === 'der' && !derTypes[wanted].includes(type)) throw new codes.ERR_INVALID_ARG_VALUE('key.type', type);
}

const unsupported = () =>
  Object.assign(new Error('error:1608010C:STORE routines::unsupported'), {
    library: 'STORE routines',
    reason: 'unsupported',
    code: 'ERR_OSSL_OSSL_STORE_UNSUPPORTED',
  });

// The URL's text as it was made, even if the program has replaced its properties.
function readFile(url, options) {
  const { URL } = require('internal/url');
  const permission = require('internal/process/permission');
  permission.check(permission.kStore);
  const { properties } = options;
  if (properties !== undefined) validateString(properties, 'key.properties');
  const place = new URL(Reflect.apply(urlText, url, []));
  // OpenSSL looks for a file of that name first, unless the URL names a host.
  const isFile = place.protocol === 'file:';
  if (!isFile && place.href.startsWith('//', place.protocol.length)) throw unsupported();
  let text;
  try {
    const { readFor } = require('internal/fs/whole_file');
    const { kKeyStore } = require('internal/shared').readPurpose;
    text = readFor(kKeyStore, isFile ? require('internal/url/files').fileURLToPath(place) : place.href);
  } catch (error) {
    if (!isFile) throw unsupported();
    const [, , words = ''] = /^(\w+): ([^,]*)/.exec(error.message) ?? [];
    throw new Error(
      `error:80000${(-error.errno).toString(16).padStart(3, '0')}:system ` +
        `library::${words[0]?.toUpperCase()}${words.slice(1)}`,
    );
  }
  const handle = binding.keyParse(true, text, true, 'pkcs8', passphraseOf(options), true);
  if (handle === kNeedsPassphrase) throw new codes.ERR_MISSING_PASSPHRASE();
  if (handle === null)
    throw coded(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'Failed to load private key through an OpenSSL STORE loader');
  return { handle };
}

function slotsOf(key) {
  return brands.isKeyObject(key)
    ? require('internal/crypto/keys').slotsOf(key)
    : require('internal/crypto/web/key').slotsOf(key);
}

// What an argument contains: { data, options } with bytes, or { key } for an object. Only a private key may
// be in a file.
function unwrap(argument, name, allowed, mayBeFile) {
  const isSource = (value) => isBytes(value) || (mayBeFile && isUrl(value));
  if (isKey(argument)) return { key: argument };
  if (isSource(argument)) return { data: argument, options: {} };
  if (typeof argument !== 'object' || argument === null) throw new codes.ERR_INVALID_ARG_TYPE(name, allowed, argument);
  const { key: data, format } = argument;
  if (isKey(data)) return { key: data };
  const isOdd = format === 'jwk' || (typeof format === 'string' && format.startsWith('raw-'));
  if (!isOdd) {
    if (!isSource(data))
      throw new codes.ERR_INVALID_ARG_TYPE(name.startsWith('options.') ? name : `${name}.key`, allowed, data);
    if (![undefined, null, 'pem', 'der'].includes(format))
      throw new codes.ERR_INVALID_ARG_VALUE(`${name}.format`, format);
  }
  return { data, options: argument };
}

// A private key: { handle }.
function preparePrivateKey(argument, name = 'key', allowed = [...anyKinds, 'URL']) {
  const { key, data, options } = unwrap(argument, name, allowed, true);
  if (key !== undefined) {
    const { type, handle } = slotsOf(key);
    if (type !== 'private') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private');
    return { handle };
  }
  const { format, encoding, type } = options;
  if (format === 'jwk') return fromJwk(data, false);
  if (format === 'raw-public') throw new codes.ERR_INVALID_ARG_VALUE(`${name}.format`, format);
  if (format === 'raw-private' || format === 'raw-seed') return fromRaw(data, options);
  if (isUrl(data)) return readFile(data, options);
  checkDer(options, 'private');
  return {
    handle: parse(true, getArrayBufferOrView(data, 'key', encoding), format === 'der', type, passphraseOf(options)),
  };
}

// A public key: { handle, isPrivate }. A private key is accepted as well, since it contains the public one.
function preparePublicKey(argument, name = 'key', allowed = anyKinds) {
  const { key, data, options } = unwrap(argument, name, allowed, false);
  if (key !== undefined) {
    const { type, handle } = slotsOf(key);
    if (type === 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'public or private');
    return { handle, isPrivate: type === 'private' };
  }
  const { format, encoding, type } = options;
  if (format === 'jwk') return fromJwk(data, true);
  if (format?.startsWith('raw-')) return fromRaw(data, options);
  checkDer(options, 'either');
  return parseEither(getArrayBufferOrView(data, 'key', encoding), format === 'der', type, passphraseOf(options));
}

module.exports = {
  readForm,
  writeJwk,
  isMemory,
  preparePrivateKey,
  preparePublicKey,
  curveKey,
  readDer,
  pointOf,
  isBytes,
  isKey,
  creationKinds,
  memoryKinds,
};
