'use strict';

// Keys that are just bytes: how they are made, read and written.

const { binding } = require('internal/crypto/util');
const { Work } = require('internal/crypto/work');
const { viewOf } = require('internal/crypto/web/algorithms');
const { unsupported, badData, badUsage } = require('internal/crypto/web/convert');
const jwk = require('internal/crypto/web/key');
const { makeKey, slotsOf } = jwk;
const { Buffer } = require('internal/buffer/class');

const forData = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const forCodes = ['sign', 'verify'];

// The block size of a hash, which is the default length of an HMAC key.
const blockBits = { '__proto__': null, 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

function aesLength(bits) {
  if (bits !== 128 && bits !== 192 && bits !== 256) throw badData('Invalid key length');
}

// Keys may have any number of bits; the unused bits of the last byte are zero.
function cutToBits(bytes, bits) {
  if (bits % 8 !== 0) bytes[bytes.length - 1] &= 0xff << (8 - (bits % 8));
  return bytes;
}

function fitCode(bytes, { length }) {
  if (length === undefined) return bytes.length * 8;
  if (Math.ceil(length / 8) !== bytes.length) throw badData('Invalid key length');
  cutToBits(bytes, length);
  return length;
}

// Each family: its usages, the formats of raw bytes, the length of a new key, and the stored
// properties of the algorithm.
const families = {
  __proto__: null,
  aes: {
    usages: ({ name }) => (name === 'AES-KW' ? ['wrapKey', 'unwrapKey'] : forData),
    raw: ({ name }) => (name === 'AES-OCB' ? ['raw-secret'] : ['raw', 'raw-secret']),
    use: 'enc',
    newLength: ({ length }) => length,
    describe({ name }, bytes) {
      aesLength(bytes.length * 8);
      return { name, length: bytes.length * 8 };
    },
  },
  chacha: {
    usages: () => forData,
    raw: () => ['raw-secret'],
    use: 'enc',
    newLength: () => 256,
    describe({ name }, bytes) {
      if (bytes.length !== 32) throw badData('Invalid key length');
      return { name };
    },
  },
  hmac: {
    usages: () => forCodes,
    raw: () => ['raw', 'raw-secret'],
    use: 'sig',
    newLength: ({ length, hash }) => length ?? blockBits[hash.name],
    describe({ name, length, hash }, bytes) {
      if (bytes.length === 0) throw badData('Zero-length key is not supported');
      return { name, length: fitCode(bytes, { length }), hash };
    },
  },
  kmac: {
    usages: () => forCodes,
    raw: () => ['raw-secret'],
    use: 'sig',
    newLength: ({ name, length }) => length ?? Number(name.slice('KMAC'.length)),
    describe: ({ name, length }, bytes) => ({ name, length: fitCode(bytes, { length }) }),
  },
  secret: {
    usages: () => ['deriveKey', 'deriveBits'],
    raw: () => ['raw', 'raw-secret'],
    describe: ({ name }) => ({ name }),
  },
};

function checkUsages(algorithm, usages) {
  const allowed = families[algorithm.family].usages(algorithm);
  const article = algorithm.family === 'secret' ? 'a ' : '';
  if (!usages.every((usage) => allowed.includes(usage)))
    throw badUsage(`Unsupported key usage for ${article}${algorithm.name} key`);
}

function generate(algorithm, extractable, usages) {
  const { newLength, describe } = families[algorithm.family];
  checkUsages(algorithm, usages);
  if (usages.length === 0) throw badUsage('Usages cannot be empty when creating a key.');
  const bits = newLength(algorithm);
  const bytes = Buffer.alloc(Math.ceil(bits / 8));
  return new Work(binding.randomFill, [bytes, 0, bytes.length], () => {
    cutToBits(bytes, bits);
    return makeKey('secret', bytes, describe({ ...algorithm, length: bits }, bytes), extractable, usages);
  });
}

function fromBytes(algorithm, bytes, extractable, usages) {
  const described = families[algorithm.family].describe(algorithm, bytes);
  if (usages.length === 0) throw badUsage('Usages cannot be empty when importing a secret key.');
  return makeKey('secret', bytes, described, extractable, usages);
}

function fromJwk(algorithm, data, extractable, usages) {
  const { use, describe } = families[algorithm.family];
  jwk.check(data, { type: 'oct', use, needed: ['k'], extractable, usages });
  const bytes = Buffer.from(data.k, 'base64url');
  jwk.checkName(data, describe(algorithm, bytes));
  return bytes;
}

function importKey(format, data, algorithm, extractable, usages) {
  const { raw } = families[algorithm.family];
  const isJwk = format === 'jwk' && algorithm.family !== 'secret';
  if (!isJwk && !raw(algorithm).includes(format))
    throw unsupported(`Unable to import ${algorithm.name} using ${format} format`);
  checkUsages(algorithm, usages);
  if (algorithm.family === 'secret' && extractable) throw badUsage(`${algorithm.name} keys are not extractable`);
  const bytes = isJwk ? fromJwk(algorithm, data, extractable, usages) : Buffer.copyBytesFrom(viewOf(data));
  return fromBytes(algorithm, bytes, extractable, usages);
}

// An array buffer of its own, even if the bytes were part of a larger one.
const arrayBufferOf = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);

// undefined: there is no such format for it
function exportKey(format, key, family) {
  const slots = slotsOf(key);
  if (format === 'jwk') return Object.assign(jwk.begin(slots), { kty: 'oct', k: slots.handle.toString('base64url') });
  return families[family].raw(slots.algorithm).includes(format) ? arrayBufferOf(slots.handle) : undefined;
}

// The length of a derived key; null if any length is allowed.
function keyLength(algorithm) {
  const { family, length, hash } = algorithm;
  if (family === 'secret') return null;
  if (family === 'hmac' && length === undefined && blockBits[hash.name] === undefined) {
    throw unsupported('Explicit algorithm length member is required');
  }
  return families[family].newLength(algorithm);
}

module.exports = { generate, importKey, exportKey, checkUsages, keyLength, cutToBits };
