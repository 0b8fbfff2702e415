'use strict';

// X509Certificate: a certificate that can be looked at and compared, but not changed. All its fields come from the binding at
// once, when the first is asked for, in the order of the table below.

const { codes, binding } = require('internal/crypto/util');
const keys = require('internal/crypto/keys');
const { validateObject, validateOneOf, validateString, validateBoolean } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');

const asDate = (seconds) => new Date(seconds * 1000);

// [property, place among the binding's fields, what it is made]
const fields = [
  ['subject', 0], ['subjectAltName', 10], ['issuer', 1], ['infoAccess', 11], ['validFrom', 2], ['validTo', 3], ['validFromDate', 15, asDate],
  ['validToDate', 16, asDate], ['fingerprint', 4], ['fingerprint256', 5], ['fingerprint512', 6], ['keyUsage', 12], ['serialNumber', 7],
  ['raw', 8, (bytes) => Buffer.from(bytes)], ['ca', 9], ['publicKey', 13, (handle) => new keys.PublicKeyObject(handle)],
  ['signatureAlgorithm', 17], ['signatureAlgorithmOid', 18],
];
const pemField = 14;
const hidden = new Set(['raw', 'ca', 'publicKey']); // which inspect does not show

const checks = { host: 0, email: 1, address: 2 };
const signed = 0;
const itsOwn = 1;

// What the checks of names allow; the numbers are OpenSSL's.
const subjectFlags = { default: 0, always: 0x1, never: 0x20 };
const switches = [['wildcards', true, 0x2], ['partialWildcards', true, 0x4], ['multiLabelWildcards', false, 0x8],
  ['singleLabelSubdomains', false, 0x10]];

function readCheckOptions(options = {}) {
  validateObject(options, 'options');
  const { subject = 'default' } = options;
  validateOneOf(subject, 'options.subject', Object.keys(subjectFlags));
  let flags = subjectFlags[subject];
  for (const [name, usual, bit] of switches) {
    const value = options[name] === undefined ? usual : options[name];
    validateBoolean(value, `options.${name}`);
    // A bit tells of what is not usual.
    if (value !== usual) flags |= bit;
  }
  return flags;
}

function needKey(key, type) {
  if (!keys.isKeyObject(key)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', key);
  if (key.type !== type) throw new codes.ERR_INVALID_ARG_VALUE('pkey', key);
  return keys.handleOf(key);
}

// Lines of "name=value"; a name that comes again makes a list.
function namesOf(text) {
  const names = { __proto__: null };
  for (const line of text.split('\n')) {
    const at = line.indexOf('=');
    if (at <= 0) continue;
    const name = line.slice(0, at);
    const value = line.slice(at + 1);
    names[name] = name in names ? [names[name], value].flat() : value;
  }
  return names;
}

class X509Certificate {
  #handle;
  #fields;

  constructor(buffer) {
    const bytes = typeof buffer === 'string' ? Buffer.from(buffer) : buffer;
    if (!isArrayBufferView(bytes)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    this.#handle = binding.certificateParse(bytes);
  }

  static {
    const fieldOf = (certificate, place) => {
      certificate.#fields ??= binding.certificateFields(certificate.#handle);
      return certificate.#fields[place];
    };
    for (const [name, place, convert] of fields) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: false,
        get() {
          const value = fieldOf(this, place);
          return convert === undefined || value === undefined ? value : convert(value);
        },
      });
    }
    this.prototype.toString = function toString() {
      return fieldOf(this, pemField);
    };
    Object.defineProperty(this.prototype, 'toString', { enumerable: false });
  }

  // Only a connection knows who issued what its peer sent.
  get issuerCertificate() {
    return undefined;
  }

  toJSON() {
    return this.toString();
  }

  toLegacyObject() {
    const { subject, issuer, subjectAltName, infoAccess, ca, validFrom, validTo, fingerprint, fingerprint256, fingerprint512, serialNumber,
      raw } = this;
    return {
      subject: namesOf(subject), issuer: namesOf(issuer), subjectaltname: subjectAltName, infoAccess, ca, valid_from: validFrom,
      valid_to: validTo, fingerprint, fingerprint256, fingerprint512, serialNumber, raw,
    };
  }

  checkHost(name, options) {
    validateString(name, 'name');
    return binding.certificateCheck(this.#handle, checks.host, name, readCheckOptions(options));
  }

  checkEmail(email, options) {
    validateString(email, 'email');
    return binding.certificateCheck(this.#handle, checks.email, email, readCheckOptions(options));
  }

  checkIP(ip, options) {
    validateString(ip, 'ip');
    if (options !== undefined) validateObject(options, 'options');
    return binding.certificateCheck(this.#handle, checks.address, ip, 0);
  }

  checkIssued(otherCert) {
    if (!(otherCert instanceof X509Certificate)) throw new codes.ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
    return binding.certificateIssued(this.#handle, otherCert.#handle);
  }

  checkPrivateKey(privateKey) {
    return binding.certificateKey(this.#handle, needKey(privateKey, 'private'), itsOwn);
  }

  verify(publicKey) {
    return binding.certificateKey(this.#handle, needKey(publicKey, 'public'), signed);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (depth < 0) return this;
    const shown = {};
    for (const [name] of fields) if (!hidden.has(name)) shown[name] = this[name];
    const { inspect } = require('internal/util/inspect');
    return `X509Certificate ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}

module.exports = { X509Certificate };
