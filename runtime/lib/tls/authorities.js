'use strict';

// The certificate authorities that are trusted by default: those of the system, those of NODE_EXTRA_CA_CERTS, or those
// that the program set.

const { codes } = require('internal/errors');
const { validateArray, validateString } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');

const places = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];
const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const known = { system: undefined, bundled: undefined, extra: undefined, default: undefined };
let chosen; // by the program

const blocksOf = (text) => (text.match(block) ?? []).map((pem) => `${pem}\n`);

function readBlocks(file) {
  try {
    const { readFor } = require('internal/fs/whole_file');
    return blocksOf(readFor(require('internal/shared').readPurpose.kAuthorities, file).toString('latin1'));
  } catch {
    return undefined;
  }
}

function systemCertificates() {
  const { SSL_CERT_FILE } = process.env;
  known.system ??= Object.freeze(
    (SSL_CERT_FILE ? readBlocks(SSL_CERT_FILE) : undefined) ?? places.map(readBlocks).find(Boolean) ?? [],
  );
  return known.system;
}

function extraCertificates() {
  if (known.extra === undefined) {
    const file = process.env.NODE_EXTRA_CA_CERTS;
    const found = file ? readBlocks(file) : [];
    if (found === undefined)
      process.emitWarning(
        `Ignoring extra certs from \`${file}\`, load failed: error:80000002:system library::No such file or directory`,
      );
    known.extra = Object.freeze(found ?? []);
  }
  return known.extra;
}

// The system's authorities in place of those that Node includes, in the same format.
function bundledCertificates() {
  known.bundled ??= Object.freeze(systemCertificates().map((pem) => pem.trimEnd()));
  return known.bundled;
}

const lists = {
  __proto__: null,
  default: () => (known.default ??= Object.freeze([...new Set([...bundledCertificates(), ...extraCertificates()])])),
  system: systemCertificates,
  bundled: bundledCertificates,
  extra: extraCertificates,
};

function getCACertificates(type = 'default') {
  validateString(type, 'type');
  if (lists[type] === undefined) throw new codes.ERR_INVALID_ARG_VALUE('type', type);
  return lists[type]();
}

function setDefaultCACertificates(certs) {
  validateArray(certs, 'certs');
  const texts = certs.map((cert, i) => {
    if (typeof cert === 'string') return cert;
    if (!isArrayBufferView(cert))
      throw new codes.ERR_INVALID_ARG_TYPE(`certs[${i}]`, ['string', 'ArrayBufferView'], cert);
    return Buffer.from(cert.buffer, cert.byteOffset, cert.byteLength).toString('latin1');
  });
  const good = texts.flatMap(blocksOf);
  for (const pem of good) new (require('crypto').X509Certificate)(pem);
  if (texts.length > 0 && good.length === 0) {
    const { ERR_CRYPTO_OPERATION_FAILED } = require('internal/tls/errors');
    throw new ERR_CRYPTO_OPERATION_FAILED('No valid certificates found in the provided array');
  }
  chosen = known.default = Object.freeze([...new Set(good)]);
}

// The authorities that a context without its own loads: undefined for the system's.
function defaultAuthorities() {
  return chosen;
}

module.exports = {
  bundledCertificates,
  defaultAuthorities,
  extraCertificates,
  getCACertificates,
  setDefaultCACertificates,
};
