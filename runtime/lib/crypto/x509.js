'use strict';

// X.509 certificates, and the older certificates of SPKAC.
//
// X509Certificate: a certificate that can be looked at and compared, but not changed. All its fields come from the
// binding at once, when the first is asked for, in the order of the table below.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const keys = require('internal/crypto/keys');
const { validateObject, validateOneOf, validateString, validateBoolean } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');

const asDate = (seconds) => new Date(seconds * 1000);

// [property, index among the binding's fields, conversion]
const fields = [
  ['subject', 0],
  ['subjectAltName', 10],
  ['issuer', 1],
  ['infoAccess', 11],
  ['validFrom', 2],
  ['validTo', 3],
  ['validFromDate', 15, asDate],
  ['validToDate', 16, asDate],
  ['fingerprint', 4],
  ['fingerprint256', 5],
  ['fingerprint512', 6],
  ['keyUsage', 12],
  ['serialNumber', 7],
  ['raw', 8, (bytes) => Buffer.from(bytes)],
  ['ca', 9],
  ['publicKey', 13, (handle) => new keys.PublicKeyObject(handle)],
  ['signatureAlgorithm', 17],
  ['signatureAlgorithmOid', 18],
];
const pemField = 14;
const keyField = 13;
const hidden = new Set(['raw', 'ca', 'publicKey']); // inspect does not show these

const checks = { host: 0, email: 1, address: 2 };
const signed = 0;
const itsOwn = 1;

// Flags for the checks of names; the numbers are OpenSSL's.
const subjectFlags = { default: 0, always: 0x1, never: 0x20 };
const switches = [
  ['wildcards', true, 0x2],
  ['partialWildcards', true, 0x4],
  ['multiLabelWildcards', false, 0x8],
  ['singleLabelSubdomains', false, 0x10],
];

function readCheckOptions(options = {}) {
  validateObject(options, 'options');
  const { subject = 'default' } = options;
  validateOneOf(subject, 'options.subject', Object.keys(subjectFlags));
  let flags = subjectFlags[subject];
  for (const [name, usual, bit] of switches) {
    const value = options[name] === undefined ? usual : options[name];
    validateBoolean(value, `options.${name}`);
    // A bit is set for a value that is not the default.
    if (value !== usual) flags |= bit;
  }
  return flags;
}

function needKey(key, type) {
  if (!keys.isKeyObject(key)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', key);
  const slots = keys.slotsOf(key);
  if (slots.type !== type) throw new codes.ERR_INVALID_ARG_VALUE('pkey', key);
  return slots.handle;
}

// [name, value, name, value ...] as an object; a name that comes again makes a list, and so do all with `isList`.
function gather(pairs, isList) {
  if (pairs === undefined) return undefined;
  const found = { __proto__: null };
  for (let i = 0; i < pairs.length; i += 2) {
    const [name, value] = [pairs[i], pairs[i + 1]];
    if (isList || name in found) found[name] = [...(name in found ? [found[name]].flat() : []), value];
    else found[name] = value;
  }
  return found;
}

const nistCurves = {
  '__proto__': null,
  'prime256v1': 'P-256',
  'secp384r1': 'P-384',
  'secp521r1': 'P-521',
  'secp224r1': 'P-224',
  'prime192v1': 'P-192',
};

// The key in the legacy form: { modulus, exponent, pubkey, bits, asn1Curve, nistCurve }.
function keyParts(handle) {
  const kind = handle === undefined ? undefined : binding.keyType(handle);
  if (kind !== 'rsa' && kind !== 'ec') return {};
  const [bits, , curve] = binding.keyDetails(handle);
  const numbers = binding.keyParts(handle, false).map((number) => Buffer.from(number));
  if (kind === 'ec')
    return { pubkey: Buffer.concat([Buffer.of(4), ...numbers]), bits, asn1Curve: curve, nistCurve: nistCurves[curve] };
  const [modulus, exponent] = numbers.map((number) => number.hexSlice());
  const pubkey = Buffer.from(binding.keyExport(handle, false, false, 'spki'));
  return { modulus: modulus.toUpperCase(), exponent: `0x${exponent.replace(/^0+/, '')}`, pubkey, bits };
}

class X509Certificate {
  #handle;
  #fields;

  constructor(buffer) {
    const bytes = typeof buffer === 'string' ? Buffer.from(buffer) : buffer;
    if (!isArrayBufferView(bytes))
      throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    this.#handle = binding.certificateParse(bytes);
  }

  static #field(certificate, place) {
    certificate.#fields ??= binding.certificateFields(certificate.#handle);
    return certificate.#fields[place];
  }

  static {
    for (const [name, place, convert] of fields) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: false,
        get() {
          const value = X509Certificate.#field(this, place);
          return convert === undefined || value === undefined ? value : convert(value);
        },
      });
    }
    this.prototype.toString = function toString() {
      return X509Certificate.#field(this, pemField);
    };
    Object.defineProperty(this.prototype, 'toString', { enumerable: false });
  }

  // Only a connection knows the issuer of a certificate that its peer sent.
  get issuerCertificate() {
    return undefined;
  }

  toJSON() {
    return this.toString();
  }

  toLegacyObject() {
    const [subject, issuer, access] = binding.certificateParts(this.#handle);
    const { modulus, exponent, pubkey, bits, asn1Curve, nistCurve } = keyParts(X509Certificate.#field(this, keyField));
    return {
      subject: gather(subject),
      issuer: gather(issuer),
      subjectaltname: this.subjectAltName,
      infoAccess: gather(access, true),
      ca: this.ca,
      modulus,
      exponent,
      pubkey,
      bits,
      valid_from: this.validFrom,
      valid_to: this.validTo,
      fingerprint: this.fingerprint,
      fingerprint256: this.fingerprint256,
      fingerprint512: this.fingerprint512,
      ext_key_usage: this.keyUsage,
      serialNumber: this.serialNumber,
      raw: this.raw,
      asn1Curve,
      nistCurve,
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
    if (!(otherCert instanceof X509Certificate))
      throw new codes.ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
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

// Certificate: SPKAC, a public key that was signed together with a challenge, as old browsers sent it.

const questions = { verifySpkac: 0, exportPublicKey: 1, exportChallenge: 2 };
const mostBytes = 2 ** 31 - 1;

function ask(name, spkac, encoding) {
  const bytes = toBytes(getArrayBufferOrView(spkac, 'spkac', encoding));
  if (bytes.byteLength > mostBytes)
    throw new codes.ERR_OUT_OF_RANGE('spkac.byteLength', `<= ${mostBytes}`, bytes.byteLength);
  if (bytes.byteLength === 0) return '';
  const answer = binding.spkac(bytes, questions[name]);
  if (typeof answer === 'boolean') return answer;
  return answer === undefined ? '' : Buffer.from(answer);
}

// May be called without `new`. Its functions are both static methods and methods of instances.
function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
for (const name of ['verifySpkac', 'exportPublicKey', 'exportChallenge']) {
  const method = { [name]: (spkac, encoding) => ask(name, spkac, encoding) }[name];
  Certificate[name] = method;
  Certificate.prototype[name] = method;
}

module.exports = { X509Certificate, Certificate };
