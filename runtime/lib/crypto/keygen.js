'use strict';

// New keys: generateKeyPair and generateKey. A table lists the options of each type of key; its readers fill the
// binding's settings.

const { codes, binding, toBytes } = require('internal/crypto/util');
const { Work, twoForms } = require('internal/crypto/work');
const keys = require('internal/crypto/keys');
const {
  validateInt32,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { customPromisifyArgs } = require('internal/util');
const { Buffer } = require('internal/buffer/class');

// ---------------------------------------------------------------- in which form the keys are given

const asObject = {
  public: (handle) => new keys.PublicKeyObject(keys.publicHalf(handle)),
  private: (handle) => new keys.PrivateKeyObject(handle),
};

// -> a function from the binding's key to what the program gets of one half
function presenter(half, type, options) {
  const name = `options.${half}KeyEncoding`;
  const encoding = options?.[`${half}KeyEncoding`];
  if (encoding == null) return asObject[half];
  if (typeof encoding !== 'object') throw new codes.ERR_INVALID_ARG_VALUE(name, encoding);
  return keys.readForm(half, encoding, name, type, { isEarly: true });
}

// ---------------------------------------------------------------- what can be asked for

const usualExponent = 0x10001;
const curveNames = { 'P-224': 'secp224r1', 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
// The order in which the binding wants its settings.
const settingNames = [
  'type',
  'bits',
  'exponent',
  'curve',
  'isExplicit',
  'digest',
  'maskDigest',
  'saltLength',
  'divisorBits',
  'prime',
  'generator',
];

function readBits(settings, { modulusLength }) {
  validateUint32(modulusLength, 'options.modulusLength');
  settings.bits = modulusLength;
}

function readExponent(settings, { publicExponent }) {
  if (publicExponent != null) validateUint32(publicExponent, 'options.publicExponent');
  settings.exponent = publicExponent ?? usualExponent;
}

function readDigest(value, name, what) {
  if (value === undefined) return undefined;
  validateString(value, name);
  if (binding.hashInfo(value) === null) {
    const error = new codes.ERR_CRYPTO_INVALID_DIGEST(value);
    if (what !== '') error.message = `Invalid ${what} digest: ${value}`;
    throw error;
  }
  return value;
}

// An option that also has an old name, which gives a deprecation warning.
function renamed(options, name, oldName) {
  if (options[name] !== undefined || options[oldName] === undefined) return options[name];
  process.emitWarning(
    `"options.${oldName}" is deprecated, use "options.${name}" instead.`,
    'DeprecationWarning',
    'DEP0154',
  );
  return options[oldName];
}

function readPssDigests(settings, options) {
  const digest = renamed(options, 'hashAlgorithm', 'hash');
  const maskDigest = renamed(options, 'mgf1HashAlgorithm', 'mgf1Hash');
  if (options.saltLength !== undefined) validateInt32(options.saltLength, 'options.saltLength', 0);
  settings.saltLength = options.saltLength;
  settings.digest = readDigest(digest, 'options.hashAlgorithm', '');
  settings.maskDigest = readDigest(maskDigest, 'options.mgf1HashAlgorithm', 'MGF1');
}

function readDivisor(settings, { divisorLength }) {
  if (divisorLength != null) validateInt32(divisorLength, 'options.divisorLength', 0);
  settings.divisorBits = divisorLength ?? undefined;
}

function readCurve(settings, { namedCurve, paramEncoding }) {
  validateString(namedCurve, 'options.namedCurve');
  if (![undefined, null, 'named', 'explicit'].includes(paramEncoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
  }
  settings.curve = curveNames[namedCurve] ?? namedCurve;
  settings.isExplicit = paramEncoding === 'explicit';
  if (!binding.curveNames().includes(settings.curve)) throw new codes.ERR_CRYPTO_INVALID_CURVE();
}

// A group's name, a prime, or the length of a prime that is to be found.
function readGroup(settings, options) {
  const { group, prime, primeLength, generator } = options;
  if (group != null) {
    const clash = ['prime', 'primeLength', 'generator'].find((name) => options[name] != null);
    if (clash !== undefined) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('group', clash);
    validateString(group, 'options.group');
    const known = binding.dhCreate(group);
    if (known === null) throw new codes.ERR_CRYPTO_UNKNOWN_DH_GROUP();
    settings.prime = binding.dhGet(known, 0);
    settings.generator = 2;
    return;
  }
  if (prime == null && primeLength == null) {
    throw new codes.ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
  }
  if (prime != null) {
    if (primeLength != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
    if (!isArrayBufferView(prime))
      throw new codes.ERR_INVALID_ARG_TYPE('options.prime', ['Buffer', 'TypedArray', 'DataView'], prime);
    settings.prime = toBytes(prime);
  } else {
    validateInt32(primeLength, 'options.primeLength', 0);
    settings.bits = primeLength;
  }
  if (generator != null) validateInt32(generator, 'options.generator', 0);
  settings.generator = generator ?? 2;
}

// The readers of each type's options. A type without readers needs no options.
const pairTypes = {
  __proto__: null,
  'rsa': [readBits, readExponent],
  'rsa-pss': [readBits, readExponent, readPssDigests],
  'dsa': [readBits, readDivisor],
  'ec': [readCurve],
  'ed25519': [],
  'ed448': [],
  'x25519': [],
  'x448': [],
  'dh': [readGroup],
};

const unknownType = (type) => new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');

function preparePair(type, options) {
  validateString(type, 'type');
  const readers = pairTypes[type];
  if (readers === undefined) throw unknownType(type);
  if (readers.length > 0 || options !== undefined) validateObject(options, 'options');
  const settings = { type, isExplicit: false };
  for (const read of readers) read(settings, options);
  const asPublic = presenter('public', type, options);
  const asPrivate = presenter('private', type, options);
  return new Work(
    binding.keyGenerate,
    settingNames.map((name) => settings[name]),
    (handle) => ({ publicKey: asPublic(handle), privateKey: asPrivate(handle) }),
  );
}

// A callback gets the two keys one after the other.
const [generatePair, generateKeyPairSync] = twoForms('generateKeyPair', 2, preparePair, {
  optional: 1,
  callbackFirst: true,
});

function generateKeyPair(type, options, callback) {
  const heard = typeof options === 'function' ? options : callback;
  const spread =
    typeof heard !== 'function'
      ? heard
      : (error, pair) => (error ? heard(error) : heard(null, pair.publicKey, pair.privateKey));
  generatePair(type, typeof options === 'function' ? undefined : options, spread);
}
Object.defineProperty(generateKeyPair, customPromisifyArgs, { value: ['publicKey', 'privateKey'], enumerable: false });

// ---------------------------------------------------------------- secrets

const secretLengths = {
  __proto__: null,
  hmac: (length) => validateInteger(length, 'options.length', 8, 2 ** 31 - 1),
  aes: (length) => validateOneOf(length, 'options.length', [128, 192, 256]),
};

function prepareSecret(type, options) {
  validateString(type, 'type');
  validateObject(options, 'options');
  if (secretLengths[type] === undefined) throw unknownType(type);
  secretLengths[type](options.length);
  const bytes = Buffer.alloc(options.length >>> 3);
  return new Work(binding.randomFill, [bytes, 0, bytes.length], () => keys.createSecretKey(bytes));
}

const [generateKey, generateKeySync] = twoForms('generateKey', 2, prepareSecret, { nothing: undefined });

module.exports = { generateKeyPair, generateKeyPairSync, generateKey, generateKeySync };
