'use strict';

// Keys as JSON Web Keys: the checks before one is used, and the names of algorithms there.

const { badData } = require('internal/crypto/web/failure');
const { usageNames } = require('internal/crypto/web/key');

const hashNumber = ({ name }) => name.slice('SHA-'.length);
const isSha2 = ({ name }) => name.startsWith('SHA-');

// The "alg" of a key; undefined where there is none.
const algorithmNames = {
  '__proto__': null,
  'AES-CBC': ({ length }) => `A${length}CBC`,
  'AES-CTR': ({ length }) => `A${length}CTR`,
  'AES-GCM': ({ length }) => `A${length}GCM`,
  'AES-OCB': ({ length }) => `A${length}OCB`,
  'AES-KW': ({ length }) => `A${length}KW`,
  'ChaCha20-Poly1305': () => 'C20P',
  'HMAC': ({ hash }) => (isSha2(hash) ? `HS${hashNumber(hash)}` : undefined),
  'KMAC128': () => 'K128',
  'KMAC256': () => 'K256',
  'RSASSA-PKCS1-v1_5': ({ hash }) => (isSha2(hash) ? `RS${hashNumber(hash)}` : undefined),
  'RSA-PSS': ({ hash }) => (isSha2(hash) ? `PS${hashNumber(hash)}` : undefined),
  'RSA-OAEP': ({ hash }) =>
    !isSha2(hash) ? undefined : hash.name === 'SHA-1' ? 'RSA-OAEP' : `RSA-OAEP-${hashNumber(hash)}`,
  'Ed25519': () => 'Ed25519',
  'Ed448': () => 'Ed448',
};

const nameOf = (algorithm) => algorithmNames[algorithm.name]?.(algorithm);

// Names that are accepted but not written.
const curveSignatures = { '__proto__': null, 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
function acceptedNames(algorithm) {
  if (algorithm.name === 'ECDSA') return [curveSignatures[algorithm.namedCurve]];
  if (algorithm.name.startsWith('Ed')) return [algorithm.name, 'EdDSA'];
  const name = nameOf(algorithm);
  return name === undefined ? undefined : [name];
}

// use: the purpose of this algorithm's keys, 'sig' or 'enc'; needed: the required members
function check(jwk, { type, use, needed, extractable, usages }) {
  if (jwk.kty === undefined) throw badData('Invalid keyData');
  if (jwk.kty !== type) throw badData('Invalid JWK "kty" Parameter');
  if (needed.some((name) => jwk[name] === undefined)) throw badData('Invalid keyData');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) throw badData('Invalid JWK "use" Parameter');
  if (jwk.key_ops !== undefined) {
    const known = jwk.key_ops.filter((usage) => usageNames.includes(usage));
    if (new Set(known).size !== known.length) throw badData('Duplicate key operation');
    if (!usages.every((usage) => known.includes(usage))) throw badData('Key operations and usage mismatch');
  }
  if (jwk.ext === false && extractable) throw badData('JWK "ext" Parameter and extractable mismatch');
}

function checkName(jwk, algorithm) {
  if (jwk.alg === undefined) return;
  const accepted = acceptedNames(algorithm);
  if (accepted !== undefined && !accepted.includes(jwk.alg))
    throw badData('JWK "alg" does not match the requested algorithm');
}

// The members that every key has, in the order of the output; those of its type follow.
function begin({ usages, extractable, algorithm }) {
  const jwk = { key_ops: [...usages], ext: extractable };
  const alg = nameOf(algorithm);
  if (alg !== undefined) jwk.alg = alg;
  return jwk;
}

module.exports = { check, checkName, begin };
