'use strict';

// X509Certificate.

const { codes, binding } = require('internal/crypto/util');
const keys = require('internal/crypto/keys');
const { validateObject, validateOneOf, validateString, validateBoolean } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');
const customInspect = Symbol.for('nodejs.util.inspect.custom');

class X509Certificate {
  #handle;
  #fields;

  constructor(buffer) {
    if (typeof buffer === 'string') buffer = Buffer.from(buffer);
    if (!isArrayBufferView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    this.#handle = binding.certificateParse(buffer);
  }

  get #all() {
    return (this.#fields ??= binding.certificateFields(this.#handle));
  }

  get subject() { return this.#all[0]; }
  get issuer() { return this.#all[1]; }
  get validFrom() { return this.#all[2]; }
  get validTo() { return this.#all[3]; }
  get validFromDate() { return new Date(this.#all[15] * 1000); }
  get validToDate() { return new Date(this.#all[16] * 1000); }
  get fingerprint() { return this.#all[4]; }
  get fingerprint256() { return this.#all[5]; }
  get fingerprint512() { return this.#all[6]; }
  get serialNumber() { return this.#all[7]; }
  get raw() { return Buffer.from(this.#all[8]); }
  get ca() { return this.#all[9]; }
  get subjectAltName() { return this.#all[10]; }
  get infoAccess() { return this.#all[11]; }
  get keyUsage() { return this.#all[12]; }
  get publicKey() { return new keys.PublicKeyObject(this.#all[13]); }
  get issuerCertificate() { return undefined; }

  toString() { return this.#all[14]; }
  toJSON() { return this.toString(); }

  toLegacyObject() {
    const names = (text) => {
      const object = { __proto__: null };
      for (const line of text.split('\n')) {
        const at = line.indexOf('=');
        if (at > 0) object[line.slice(0, at)] = line.slice(at + 1);
      }
      return object;
    };
    return {
      subject: names(this.subject), issuer: names(this.issuer), subjectaltname: this.subjectAltName, infoAccess: this.infoAccess, ca: this.ca,
      valid_from: this.validFrom, valid_to: this.validTo, fingerprint: this.fingerprint, fingerprint256: this.fingerprint256,
      fingerprint512: this.fingerprint512, serialNumber: this.serialNumber, raw: this.raw,
    };
  }

  checkHost(name, options) {
    validateString(name, 'name');
    return binding.certificateCheck(this.#handle, 0, name, flagsOf(options));
  }

  checkEmail(email, options) {
    validateString(email, 'email');
    return binding.certificateCheck(this.#handle, 1, email, flagsOf(options));
  }

  checkIP(ip, options) {
    validateString(ip, 'ip');
    if (options !== undefined) validateObject(options, 'options');
    return binding.certificateCheck(this.#handle, 2, ip, 0);
  }

  checkIssued(other) {
    if (!(other instanceof X509Certificate)) throw new codes.ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', other);
    return binding.certificateIssued(this.#handle, other.#handle);
  }

  checkPrivateKey(key) {
    if (!keys.isKeyObject(key)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', key);
    if (key.type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('pkey', key);
    return binding.certificateKey(this.#handle, keys.handleOf(key), true);
  }

  verify(key) {
    if (!keys.isKeyObject(key)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', key);
    if (key.type !== 'public') throw new codes.ERR_INVALID_ARG_VALUE('pkey', key);
    return binding.certificateKey(this.#handle, keys.handleOf(key), false);
  }

  [customInspect](depth, options) {
    if (depth < 0) return this;
    const shown = {
      subject: this.subject, subjectAltName: this.subjectAltName, issuer: this.issuer, infoAccess: this.infoAccess, validFrom: this.validFrom,
      validTo: this.validTo, validFromDate: this.validFromDate, validToDate: this.validToDate, fingerprint: this.fingerprint,
      fingerprint256: this.fingerprint256, fingerprint512: this.fingerprint512, keyUsage: this.keyUsage, serialNumber: this.serialNumber,
      signatureAlgorithm: this.signatureAlgorithm, signatureAlgorithmOid: this.signatureAlgorithmOid,
    };
    return `X509Certificate ${require('internal/util/inspect').inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}

const NEVER_CHECK_SUBJECT = 0x20;
const ALWAYS_CHECK_SUBJECT = 0x1;
const NO_WILDCARDS = 0x2;
const NO_PARTIAL_WILDCARDS = 0x4;
const MULTI_LABEL_WILDCARDS = 0x8;
const SINGLE_LABEL_SUBDOMAINS = 0x10;

function flagsOf(options = {}) {
  validateObject(options, 'options');
  const { subject = 'default', wildcards = true, partialWildcards = true, multiLabelWildcards = false, singleLabelSubdomains = false } = options;
  validateOneOf(subject, 'options.subject', ['default', 'always', 'never']);
  validateBoolean(wildcards, 'options.wildcards');
  validateBoolean(partialWildcards, 'options.partialWildcards');
  validateBoolean(multiLabelWildcards, 'options.multiLabelWildcards');
  validateBoolean(singleLabelSubdomains, 'options.singleLabelSubdomains');
  return (subject === 'always' ? ALWAYS_CHECK_SUBJECT : subject === 'never' ? NEVER_CHECK_SUBJECT : 0) | (wildcards ? 0 : NO_WILDCARDS) |
    (partialWildcards ? 0 : NO_PARTIAL_WILDCARDS) | (multiLabelWildcards ? MULTI_LABEL_WILDCARDS : 0) |
    (singleLabelSubdomains ? SINGLE_LABEL_SUBDOMAINS : 0);
}

module.exports = { X509Certificate };
