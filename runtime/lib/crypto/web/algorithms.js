'use strict';

// The algorithms, their operations and their parameters: the registry of the Web Cryptography API as a table.
// `normalize` turns an identifier that a program gives into an object with a known name and checked parameters.

const { binding } = require('internal/crypto/util');
const { Place, dictionary, types, unsupported, badData, badOperation } = require('internal/crypto/web/convert');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');

const { text, octet, short, long, bytes, bigInteger, cryptoKey, algorithmIdentifier } = types;
const needed = true;

// ---------------------------------------------------------------- parameters

const sizeOf = (source) => source.byteLength;

// As bytes; a detached buffer counts as empty.
function viewOf(source) {
  const memory = isArrayBufferView(source) ? source.buffer : source;
  if (memory.detached) return new Uint8Array();
  return isArrayBufferView(source)
    ? new Uint8Array(memory, source.byteOffset, source.byteLength)
    : new Uint8Array(memory);
}

const mostInfo = 1024;
const mostCustomization = 512;
const mostContext = 255;
const mostOutput = 2 ** 31 - 1;

function needSize(name, size) {
  return (parameters) => {
    if (sizeOf(parameters[name]) !== size) throw badOperation(`algorithm.${name} must contain exactly ${size} bytes`);
  };
}

function needAesLength({ length }) {
  if (length !== 128 && length !== 192 && length !== 256)
    throw badOperation('AES key length must be 128, 192, or 256 bits');
}

// Tag lengths are counted in bits.
const tagLengths = {
  '__proto__': null,
  'AES-GCM': [32, 64, 96, 104, 112, 120, 128],
  'AES-OCB': [64, 96, 128],
  'ChaCha20-Poly1305': [128],
};

function checkSealed({ name, iv, tagLength }) {
  if (tagLength !== undefined && !tagLengths[name].includes(tagLength)) {
    throw badOperation(`${tagLength} is not a valid ${name} tag length`);
  }
  if (name === 'AES-OCB' && sizeOf(iv) > 15) throw badOperation('AES-OCB algorithm.iv must be no more than 15 bytes');
  if (name === 'ChaCha20-Poly1305' && sizeOf(iv) !== 12)
    throw badOperation('algorithm.iv must contain exactly 12 bytes');
}

function checkCounter({ counter, length }) {
  needSize('counter', 16)({ counter });
  if (length === 0 || length > 128) throw badOperation('AES-CTR algorithm.length must be between 1 and 128');
}

function checkRsa({ modulusLength, publicExponent }) {
  if (modulusLength < 512) throw badOperation('algorithm.modulusLength must be at least 512');
  const significant = publicExponent.subarray(publicExponent.findIndex((byte) => byte !== 0) >>> 0);
  if (significant.length > 4) throw badOperation('algorithm.publicExponent must fit in an unsigned 32-bit integer');
  if (significant.length === 0 || (significant.length === 1 && significant[0] < 3)) {
    throw badOperation('algorithm.publicExponent must be at least 3');
  }
  if (significant.at(-1) % 2 === 0) throw badOperation('algorithm.publicExponent must be odd');
}

const curves = new Map([
  ['P-256', 'prime256v1'],
  ['P-384', 'secp384r1'],
  ['P-521', 'secp521r1'],
]);

function checkCurve({ namedCurve }) {
  if (!curves.has(namedCurve)) throw unsupported('Unrecognized namedCurve');
}

// An HMAC key of length 0 is refused.
const needLength =
  (name, refuse) =>
  ({ length }) => {
    if (length === 0) throw refuse(`${name}.length cannot be 0`);
  };

function checkHmacGeneration({ length, hash }) {
  needLength('HmacKeyGenParams', badOperation)({ length });
  if (length === undefined && hash.name.startsWith('SHA3'))
    throw unsupported('Explicit algorithm length member is required');
}

// Functions that NIST has built on cSHAKE; others may not use names.
const shakeFunctions = new Set(['', 'KMAC', 'TupleHash', 'ParallelHash']);

function checkCustomShake({ functionName, customization, outputLength }) {
  if (outputLength > mostOutput) throw badOperation('Invalid CShakeParams outputLength');
  if (functionName !== undefined && !shakeFunctions.has(Buffer.from(viewOf(functionName)).latin1Slice())) {
    throw unsupported('Unsupported CShakeParams functionName');
  }
  if (customization !== undefined && sizeOf(customization) > mostCustomization) {
    throw badOperation(`CShakeParams.customization must be at most ${mostCustomization} bytes`);
  }
}

function needWholeBytes(type) {
  return ({ outputLength }) => {
    if (outputLength === 0 || outputLength % 8 !== 0) throw badOperation(`Invalid ${type} outputLength`);
  };
}

function checkTurbo(parameters) {
  needWholeBytes('TurboShakeParams')(parameters);
  const { domainSeparation = 0x1f } = parameters;
  if (domainSeparation < 0x01 || domainSeparation > 0x7f)
    throw badOperation('TurboShakeParams.domainSeparation must be in range 0x01-0x7f');
}

function checkKangaroo(parameters) {
  needWholeBytes('KangarooTwelveParams')(parameters);
  const { customization } = parameters;
  if (customization !== undefined && sizeOf(customization) > mostCustomization) {
    throw badOperation(`KangarooTwelveParams.customization must be at most ${mostCustomization} bytes`);
  }
}

function checkContext({ context }) {
  if (context === undefined || sizeOf(context) === 0) return;
  if (sizeOf(context) > mostContext) throw badOperation(`ContextParams.context must be at most ${mostContext} bytes`);
  throw unsupported('Non zero-length ContextParams.context is not supported');
}

const hash = ['hash', algorithmIdentifier, needed];

// name: [members, check]. Members are in the order in which Web IDL reads them.
const parameterTypes = {
  __proto__: null,
  AesCbcParams: [[['iv', bytes, needed]], needSize('iv', 16)],
  AesCtrParams: [
    [
      ['counter', bytes, needed],
      ['length', octet, needed],
    ],
    checkCounter,
  ],
  AeadParams: [
    [
      ['additionalData', bytes],
      ['iv', bytes, needed],
      ['tagLength', octet],
    ],
    checkSealed,
  ],
  AesKeyGenParams: [[['length', short, needed]], needAesLength],
  AesDerivedKeyParams: [[['length', short, needed]], needAesLength],
  RsaOaepParams: [[['label', bytes]]],
  RsaPssParams: [[['saltLength', long, needed]]],
  RsaHashedKeyGenParams: [[['modulusLength', long, needed], ['publicExponent', bigInteger, needed], hash], checkRsa],
  RsaHashedImportParams: [[hash]],
  EcdsaParams: [[hash]],
  EcKeyGenParams: [[['namedCurve', text, needed]], checkCurve],
  EcKeyImportParams: [[['namedCurve', text, needed]], checkCurve],
  EcdhKeyDeriveParams: [[['public', cryptoKey, needed]]],
  HmacKeyGenParams: [[hash, ['length', long]], checkHmacGeneration],
  HmacImportParams: [[hash, ['length', long]], needLength('HmacImportParams', badData)],
  KmacKeyGenParams: [[['length', long]]],
  KmacImportParams: [[['length', long]]],
  KmacParams: [
    [
      ['customization', bytes],
      ['outputLength', long, needed],
    ],
  ],
  HkdfParams: [
    [hash, ['info', bytes, needed], ['salt', bytes, needed]],
    ({ info }) => {
      if (sizeOf(info) > mostInfo) throw badOperation(`algorithm.info must be at most ${mostInfo} bytes`);
    },
  ],
  Pbkdf2Params: [
    [hash, ['iterations', long, needed], ['salt', bytes, needed]],
    ({ iterations }) => {
      if (iterations === 0) throw badOperation('iterations cannot be zero');
    },
  ],
  CShakeParams: [
    [
      ['customization', bytes],
      ['functionName', bytes],
      ['outputLength', long, needed],
    ],
    checkCustomShake,
  ],
  TurboShakeParams: [
    [
      ['domainSeparation', octet],
      ['outputLength', long, needed],
    ],
    checkTurbo,
  ],
  KangarooTwelveParams: [
    [
      ['customization', bytes],
      ['outputLength', long, needed],
    ],
    checkKangaroo,
  ],
  ContextParams: [[['context', bytes]], checkContext],
};

const readName = dictionary('Algorithm', [['name', text, needed]]);
const readers = new Map();

function readerOf(type) {
  let reader = readers.get(type);
  if (reader === undefined) {
    reader = dictionary(type, [['name', text, needed], ...parameterTypes[type][0]]);
    readers.set(type, reader);
  }
  return reader;
}

// ---------------------------------------------------------------- the algorithms

const sealing = { encrypt: 'AeadParams', decrypt: 'AeadParams', importKey: null, exportKey: null };
const aes = (parameters) => ({
  encrypt: parameters,
  decrypt: parameters,
  generateKey: 'AesKeyGenParams',
  importKey: null,
  exportKey: null,
  getKeyLength: 'AesDerivedKeyParams',
});
const kmac = {
  sign: 'KmacParams',
  verify: 'KmacParams',
  generateKey: 'KmacKeyGenParams',
  importKey: 'KmacImportParams',
  exportKey: null,
  getKeyLength: 'KmacImportParams',
};
const rsaKeys = {
  generateKey: 'RsaHashedKeyGenParams',
  importKey: 'RsaHashedImportParams',
  exportKey: null,
  getPublicKey: null,
};
const ecKeys = { generateKey: 'EcKeyGenParams', importKey: 'EcKeyImportParams', exportKey: null, getPublicKey: null };
const plainKeys = { generateKey: null, importKey: null, exportKey: null, getPublicKey: null };
const agreement = { deriveBits: 'EcdhKeyDeriveParams' };

// name: [family, operations]. Each family is described in the file that implements it.
const table = {
  '__proto__': null,
  'SHA-1': ['digest', { digest: null }],
  'SHA-256': ['digest', { digest: null }],
  'SHA-384': ['digest', { digest: null }],
  'SHA-512': ['digest', { digest: null }],
  'SHA3-256': ['digest', { digest: null }],
  'SHA3-384': ['digest', { digest: null }],
  'SHA3-512': ['digest', { digest: null }],
  'cSHAKE128': ['digest', { digest: 'CShakeParams' }],
  'cSHAKE256': ['digest', { digest: 'CShakeParams' }],
  'TurboSHAKE128': ['digest', { digest: 'TurboShakeParams' }],
  'TurboSHAKE256': ['digest', { digest: 'TurboShakeParams' }],
  'KT128': ['digest', { digest: 'KangarooTwelveParams' }],
  'KT256': ['digest', { digest: 'KangarooTwelveParams' }],
  'AES-CBC': ['aes', aes('AesCbcParams')],
  'AES-CTR': ['aes', aes('AesCtrParams')],
  'AES-GCM': ['aes', aes('AeadParams')],
  'AES-OCB': ['aes', aes('AeadParams')],
  'AES-KW': [
    'aes',
    {
      generateKey: 'AesKeyGenParams',
      importKey: null,
      exportKey: null,
      getKeyLength: 'AesDerivedKeyParams',
      wrapKey: null,
      unwrapKey: null,
    },
  ],
  'ChaCha20-Poly1305': ['chacha', { ...sealing, generateKey: null, getKeyLength: null }],
  'HMAC': [
    'hmac',
    {
      sign: null,
      verify: null,
      generateKey: 'HmacKeyGenParams',
      importKey: 'HmacImportParams',
      exportKey: null,
      getKeyLength: 'HmacImportParams',
    },
  ],
  'KMAC128': ['kmac', kmac],
  'KMAC256': ['kmac', kmac],
  'RSASSA-PKCS1-v1_5': ['rsa', { ...rsaKeys, sign: null, verify: null }],
  'RSA-PSS': ['rsa', { ...rsaKeys, sign: 'RsaPssParams', verify: 'RsaPssParams' }],
  'RSA-OAEP': ['rsa', { ...rsaKeys, encrypt: 'RsaOaepParams', decrypt: 'RsaOaepParams' }],
  'ECDSA': ['ec', { ...ecKeys, sign: 'EcdsaParams', verify: 'EcdsaParams' }],
  'ECDH': ['ec', { ...ecKeys, ...agreement }],
  'Ed25519': ['okp', { ...plainKeys, sign: null, verify: null }],
  'Ed448': ['okp', { ...plainKeys, sign: 'ContextParams', verify: 'ContextParams' }],
  'X25519': ['okp', { ...plainKeys, ...agreement }],
  'X448': ['okp', { ...plainKeys, ...agreement }],
  'PBKDF2': ['secret', { deriveBits: 'Pbkdf2Params', importKey: null, getKeyLength: null }],
  'HKDF': ['secret', { deriveBits: 'HkdfParams', importKey: null, getKeyLength: null }],
};

const hashes = new Map([
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
  ['SHA3-256', 'sha3-256'],
  ['SHA3-384', 'sha3-384'],
  ['SHA3-512', 'sha3-512'],
]);
const settled = new Set([
  'Ed25519',
  'X25519',
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'AES-CBC',
  'AES-CTR',
  'AES-GCM',
  'AES-KW',
  'HMAC',
  'RSASSA-PKCS1-v1_5',
  'RSA-PSS',
  'RSA-OAEP',
  'ECDSA',
  'ECDH',
  'PBKDF2',
  'HKDF',
]);
const nameInTable = new Map(Object.keys(table).map((name) => [name.toLowerCase(), name]));

const warned = new Set();

function warn(name, what) {
  if (warned.has(name)) return;
  warned.add(name);
  process.emitWarning(
    `The ${name} Web Crypto API ${what} is an experimental feature and might change at any time`,
    'ExperimentalWarning',
  );
}

function hashNamed(identifier, type) {
  const given = typeof identifier === 'string' ? identifier : identifier.name;
  const wanted = typeof given === 'symbol' ? '' : String(given).toLowerCase();
  if (!wanted.startsWith('sha')) throw unsupported(`Only SHA hashes are supported in ${type}`);
  const name = nameInTable.get(wanted);
  if (!hashes.has(name)) throw unsupported('Unrecognized algorithm name');
  if (!settled.has(name)) warn(name, 'algorithm');
  return { name };
}

// -> { name, family, ...the operation's parameters }, or an exception
function normalize(identifier, operation, { quietly = false } = {}) {
  const place = new Place('Failed to normalize algorithm', 'passed algorithm');
  const given = typeof identifier === 'string' ? { name: identifier } : identifier;
  const name = nameInTable.get(readName(given, place).name.toLowerCase());
  const [family, operations] = table[name] ?? ['', { __proto__: null }];
  if (!Object.hasOwn(operations, operation)) throw unsupported('Unrecognized algorithm name');
  const type = operations[operation];
  if (!quietly && !settled.has(name)) warn(name, 'algorithm');
  if (type === null) return { __proto__: null, name, family };
  const parameters = readerOf(type)(given, place);
  parameters.name = name;
  parameters.family = family;
  if (parameters.hash !== undefined) parameters.hash = hashNamed(parameters.hash, type);
  parameterTypes[type][1]?.(parameters);
  return parameters;
}

const has = (name, operation) => Object.hasOwn(table[name]?.[1] ?? {}, operation);
const digestOf = (hashed) => hashes.get(hashed.name);
const digestBits = (hashed) => binding.hashInfo(digestOf(hashed))[0] * 8;

module.exports = { normalize, has, warn, curves, viewOf, digestOf, digestBits };
