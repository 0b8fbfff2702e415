'use strict';

// Asymmetric keys: RSA, and curves of both kinds. One half is read or written at a time; formats
// and usages decide which.

const { binding } = require('internal/crypto/util');
const { Work, coded } = require('internal/crypto/work');
const keys = require('internal/crypto/keys');
const { curves, viewOf } = require('internal/crypto/web/algorithms');
const { unsupported, badData, badAccess, badUsage } = require('internal/crypto/web/convert');
const jwk = require('internal/crypto/web/key');
const { makeKey, slotsOf } = jwk;
const { Buffer } = require('internal/buffer/class');

// name: [usages of the private key, of the public key]
const usagesOf = {
  '__proto__': null,
  'RSA-OAEP': [
    ['decrypt', 'unwrapKey'],
    ['encrypt', 'wrapKey'],
  ],
  'ECDH': [['deriveKey', 'deriveBits'], []],
  'X25519': [['deriveKey', 'deriveBits'], []],
  'X448': [['deriveKey', 'deriveBits'], []],
};
const forSignatures = [['sign'], ['verify']];
const halvesOf = ({ name }) => usagesOf[name] ?? forSignatures;

function checkUsages({ name }, usages, allowed) {
  if (!usages.every((usage) => allowed.includes(usage))) throw badUsage(`Unsupported key usage for ${name} key`);
}

const curveOf = ({ namedCurve }) => curves.get(namedCurve);
const ignoreZeros = (bytes) =>
  Buffer.from(
    bytes.subarray(
      Math.max(
        0,
        bytes.findIndex((byte) => byte !== 0),
      ),
    ),
  );

// ---------------------------------------------------------------- the families

const badBytes = () => coded(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid key data');
const badJwk = (type) => coded(TypeError, 'ERR_CRYPTO_INVALID_JWK', `Invalid JWK ${type} key`);

// settings: for the binding's generator; fields: those of a JWK, the private ones last; fromFields and fromRaw give a
// key, or null; describe: the stored properties of the algorithm; matches: whether a key that was read is of this kind.
const families = {
  __proto__: null,
  rsa: {
    type: 'RSA',
    use: ({ name }) => (name === 'RSA-OAEP' ? 'enc' : 'sig'),
    fields: [
      ['n', 'e'],
      ['d', 'p', 'q', 'dp', 'dq', 'qi'],
    ],
    settings: ({ modulusLength, publicExponent }) => [
      'rsa',
      modulusLength,
      Number(`0x${Buffer.from(publicExponent).toString('hex')}`),
    ],
    fromFields: (parts, isPrivate) => binding.keyFromParts('rsa', parts, isPrivate, false),
    describe({ name, hash, publicExponent }, handle) {
      const [modulusLength, exponent] = binding.keyDetails(handle);
      return {
        name,
        modulusLength,
        publicExponent: new Uint8Array(publicExponent ?? ignoreZeros(Buffer.from(exponent))),
        hash,
      };
    },
    check(algorithm, handle) {
      if (binding.keyType(handle) !== 'rsa') throw badData('Invalid key type');
    },
  },
  ec: {
    type: 'EC',
    use: ({ name }) => (name === 'ECDH' ? 'enc' : 'sig'),
    fields: [['x', 'y'], ['d']],
    extra: 'crv',
    settings: (algorithm) => ['ec', undefined, undefined, curveOf(algorithm), false],
    fromFields: (parts, isPrivate, algorithm) => binding.keyFromParts(curveOf(algorithm), parts, isPrivate, true),
    fromRaw: (bytes, algorithm) => keys.pointOf(bytes, curveOf(algorithm)),
    toRaw: ([x, y]) => Buffer.concat([Buffer.of(4), Buffer.from(x), Buffer.from(y)]),
    describe: ({ name, namedCurve }) => ({ name, namedCurve }),
    check(algorithm, handle, isPrivate) {
      if (binding.keyType(handle) !== 'ec') throw badData('Invalid key type');
      if (binding.keyDetails(handle)[2] !== curveOf(algorithm)) throw badData('Named curve mismatch');
      if (!binding.keyIsSound(handle, isPrivate)) throw badData('Invalid keyData');
    },
    checkFields(algorithm, data) {
      if (data.crv !== algorithm.namedCurve) throw badData('JWK "crv" does not match the requested algorithm');
    },
    // Points are written uncompressed, in whichever form they were read.
    rewrite: (handle, isPrivate, algorithm) =>
      binding.keyFromParts(curveOf(algorithm), binding.keyParts(handle, isPrivate), isPrivate, true),
  },
  okp: {
    type: 'OKP',
    use: ({ name }) => (name.startsWith('X') ? 'enc' : 'sig'),
    fields: [['x'], ['d']],
    extra: 'crv',
    settings: ({ name }) => [name.toLowerCase()],
    fromFields: (parts, isPrivate, { name }) => keys.curveKey(name.toLowerCase(), parts, isPrivate),
    fromRaw: (bytes, { name }) => binding.keyFromParts(name.toLowerCase(), [bytes], false, false),
    toRaw: ([x]) => Buffer.from(x),
    describe: ({ name }) => ({ name }),
    check({ name }, handle) {
      if (binding.keyType(handle) !== name.toLowerCase()) throw badData('Invalid key type');
    },
    checkFields({ name }, data) {
      if (data.crv !== name) throw badData('JWK "crv" Parameter and algorithm name mismatch');
    },
  },
};

// ---------------------------------------------------------------- making

function generate(algorithm, extractable, usages) {
  const family = families[algorithm.family];
  const [forPrivate, forPublic] = halvesOf(algorithm);
  checkUsages(algorithm, usages, [...forPrivate, ...forPublic]);
  const [ownUsages, otherUsages] = [forPrivate, forPublic].map((half) =>
    usages.filter((usage) => half.includes(usage)),
  );
  if (ownUsages.length === 0) throw badUsage('Usages cannot be empty when creating a key.');
  return new Work(binding.keyGenerate, family.settings(algorithm), (handle) => {
    const described = family.describe(algorithm, handle);
    return {
      publicKey: makeKey('public', keys.publicHalf(handle), described, true, otherUsages),
      privateKey: makeKey('private', handle, described, extractable, ownUsages),
    };
  });
}

function finishImport(type, handle, algorithm, extractable, usages) {
  const family = families[algorithm.family];
  family.check(algorithm, handle, type === 'private');
  if (type === 'private' && usages.length === 0) throw badUsage('Usages cannot be empty when importing a private key.');
  const { publicExponent, ...asked } = algorithm;
  return makeKey(type, handle, family.describe(asked, handle), extractable, usages);
}

// The cause of a failure is the library's error.
function reading(read) {
  try {
    return read();
  } catch (error) {
    throw badData('Invalid keyData', error);
  }
}

function fromJwk(data, algorithm, extractable, usages, checkHalf) {
  const { type, use, fields, extra, fromFields, checkFields } = families[algorithm.family];
  if (data.kty === undefined) throw badData('Invalid keyData');
  if (data.kty !== type) throw badData('Invalid JWK "kty" Parameter');
  const isPrivate = data.d !== undefined;
  const names = isPrivate ? fields.flat() : fields[0];
  const isComplete =
    names.every((name) => data[name] !== undefined) && (extra === undefined || data[extra] !== undefined);
  if (!isComplete) throw badData('Invalid keyData');
  checkHalf(isPrivate);
  jwk.check(data, { type, use: use(algorithm), needed: [], extractable, usages });
  checkFields?.(algorithm, data);
  jwk.checkName(data, algorithm);
  const handle = reading(() => {
    const made = fromFields(
      names.map((name) => Buffer.from(data[name], 'base64url')),
      isPrivate,
      algorithm,
    );
    if (made === null) throw badJwk(type);
    return made;
  });
  return [isPrivate ? 'private' : 'public', handle];
}

function importKey(format, data, algorithm, extractable, usages) {
  const family = families[algorithm.family];
  const [forPrivate, forPublic] = halvesOf(algorithm);
  const checkHalf = (isPrivate) => checkUsages(algorithm, usages, isPrivate ? forPrivate : forPublic);
  if (format === 'jwk') {
    const [type, handle] = fromJwk(data, algorithm, extractable, usages, checkHalf);
    return finishImport(type, handle, algorithm, extractable, usages);
  }
  const isPrivate = format === 'pkcs8';
  const isRaw = family.fromRaw !== undefined && (format === 'raw' || format === 'raw-public');
  if (!isPrivate && !isRaw && format !== 'spki')
    throw unsupported(`Unable to import ${algorithm.name} using ${format} format`);
  checkHalf(isPrivate);
  const bytes = viewOf(data);
  const handle = reading(() => {
    if (!isRaw) return keys.readDer(isPrivate, bytes);
    const made = family.fromRaw(bytes, algorithm);
    if (made === null) throw badBytes();
    return made;
  });
  return finishImport(isPrivate ? 'private' : 'public', handle, algorithm, extractable, usages);
}

// From an object of node:crypto.
function adopt(type, handle, algorithm, extractable, usages) {
  const [forPrivate, forPublic] = halvesOf(algorithm);
  checkUsages(algorithm, usages, type === 'private' ? forPrivate : forPublic);
  return finishImport(type, handle, algorithm, extractable, usages);
}

// ---------------------------------------------------------------- writing

// undefined: there is no such format for it
function exportKey(format, key, familyName) {
  const slots = slotsOf(key);
  const { type, handle, algorithm } = slots;
  const isPrivate = type === 'private';
  const family = families[familyName];
  if (format === 'jwk') {
    const written = keys.writeJwk(handle, isPrivate);
    const { kty, crv, ...numbers } = written;
    return Object.assign(jwk.begin(slots), kty === 'OKP' ? { kty, crv, ...numbers } : written);
  }
  if ((format === 'raw' || format === 'raw-public') && !isPrivate && family.toRaw !== undefined) {
    return new Uint8Array(family.toRaw(binding.keyParts(handle, false))).buffer;
  }
  if (format !== 'spki' && format !== 'pkcs8') return undefined;
  if (isPrivate !== (format === 'pkcs8')) throw badAccess(`Key must be a ${isPrivate ? 'public' : 'private'} key`);
  return binding.keyExport(family.rewrite?.(handle, isPrivate, algorithm) ?? handle, isPrivate, false, format);
}

function publicKeyOf(key, algorithm, usages) {
  const { handle, algorithm: described } = slotsOf(key);
  checkUsages(described, usages, halvesOf(described)[1]);
  return makeKey('public', keys.publicHalf(handle), described, true, usages);
}

module.exports = { generate, importKey, exportKey, adopt, publicKeyOf };
