'use strict';

// Whom programs trust by default: the authorities of the system, those of NODE_EXTRA_CA_CERTS, or what the program set.

const { codes } = require('internal/errors');
const { validateArray, validateOneOf } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');

const places = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];
const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

let system;
let extra;
let chosen;

function readBlocks(file) {
  try {
    return require('fs').readFileSync(file, 'latin1').match(block) ?? [];
  } catch {
    return undefined;
  }
}

function systemCertificates() {
  if (system === undefined) {
    const { SSL_CERT_FILE } = process.env;
    system = Object.freeze((SSL_CERT_FILE ? readBlocks(SSL_CERT_FILE) : undefined) ?? places.map(readBlocks).find(Boolean) ?? []);
  }
  return system;
}

function extraCertificates() {
  if (extra === undefined) {
    const file = process.env.NODE_EXTRA_CA_CERTS;
    const found = file ? readBlocks(file) : [];
    if (found === undefined) process.emitWarning(`Ignoring extra certs from \`${file}\`, load failed: error:80000002:system library::No such file or directory`);
    extra = Object.freeze(found ?? []);
  }
  return extra;
}

function getCACertificates(type = 'default') {
  validateOneOf(type, 'type', ['default', 'system', 'bundled', 'extra']);
  if (type === 'extra') return extraCertificates();
  if (type !== 'default') return systemCertificates();
  return chosen ?? (extraCertificates().length > 0 ? Object.freeze([...systemCertificates(), ...extraCertificates()]) : systemCertificates());
}

function setDefaultCACertificates(certs) {
  validateArray(certs, 'certs');
  const list = certs.map((cert, i) => {
    if (typeof cert !== 'string' && !isArrayBufferView(cert)) {
      throw new codes.ERR_INVALID_ARG_TYPE(`certs[${i}]`, ['string', 'ArrayBufferView'], cert);
    }
    return typeof cert === 'string' ? cert : Buffer.from(cert.buffer, cert.byteOffset, cert.byteLength).toString('latin1');
  });
  for (const pem of list) new (require('crypto').X509Certificate)(pem);
  chosen = Object.freeze([...new Set(list)]);
}

// What a context without authorities of its own is to load: undefined for the system's.
function defaultAuthorities() {
  return chosen;
}

module.exports = { defaultAuthorities, extraCertificates, getCACertificates, setDefaultCACertificates, systemCertificates };
