'use strict';

// Secure contexts: the options of a program as a context of OpenSSL's.

const binding = internalBinding('tls');
const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const errors = require('internal/tls/errors');
const { isArrayBufferView } = require('internal/util/types');
const { validateBuffer, validateInt32, validateInteger, validateString } = require('internal/validators');
const { defaultAuthorities, extraCertificates } = require('internal/tls/authorities');

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = codes;

const versions = { '__proto__': null, 'TLSv1': 0x301, 'TLSv1.1': 0x302, 'TLSv1.2': 0x303, 'TLSv1.3': 0x304 };
const SERVER_PREFERENCE = 0x00400000;

const defaults = {
  DEFAULT_CIPHERS: 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:' +
    'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384:' +
    'DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384:DHE-RSA-AES256-SHA384:' +
    'ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:HIGH:!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!PSK:!SRP:!CAMELLIA',
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: 'TLSv1.2',
  DEFAULT_MAX_VERSION: 'TLSv1.3',
};

function version(value, which, fallback) {
  const name = value ?? fallback;
  if (versions[name] === undefined) throw new errors.ERR_TLS_INVALID_PROTOCOL_VERSION(name, which);
  return versions[name];
}

// 'TLSv1_2_method' and its like: one version, or any.
function range(options) {
  const { secureProtocol: method, minVersion, maxVersion } = options;
  if (!method) {
    return [version(minVersion, 'minimum', module.exports.defaults.DEFAULT_MIN_VERSION),
      version(maxVersion, 'maximum', module.exports.defaults.DEFAULT_MAX_VERSION)];
  }
  if (minVersion != null) throw new errors.ERR_TLS_PROTOCOL_VERSION_CONFLICT(minVersion, method);
  if (maxVersion != null) throw new errors.ERR_TLS_PROTOCOL_VERSION_CONFLICT(maxVersion, method);
  const found = /^(SSLv2|SSLv3|SSLv23|TLS|TLSv1|TLSv1_1|TLSv1_2)_(?:client_|server_)?method$/.exec(method);
  if (found === null) throw new errors.ERR_TLS_INVALID_PROTOCOL_METHOD(`Unknown method: ${method}`);
  if (found[1] === 'SSLv2' || found[1] === 'SSLv3') throw new errors.ERR_TLS_INVALID_PROTOCOL_METHOD(`${found[1]} methods disabled`);
  if (found[1] === 'TLS') return [versions.TLSv1, versions['TLSv1.3']];
  if (found[1] === 'SSLv23') return [versions.TLSv1, versions['TLSv1.2']];
  const one = versions[found[1].replace('_', '.')];
  return [one, one];
}

const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null || value === false || value === '' ? [] : [value]);

function checkBytes(name, value) {
  if (typeof value !== 'string' && !isArrayBufferView(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
  return value;
}

class SecureContext {
  constructor(options) {
    const { suites, rest } = splitCiphers(options);
    let [lowest, highest] = range(options);
    // Where there are ciphers for one side of TLS 1.3 only, the versions of the other side cannot be used.
    if (lowest < versions['TLSv1.3'] && highest === versions['TLSv1.3']) {
      if (suites.length === 0) highest = versions['TLSv1.2'];
      else if (rest.length === 0) lowest = versions['TLSv1.3'];
    }
    this.context = binding.contextCreate(lowest, highest);
  }
}

function addKeys(native, options) {
  const { cert, key, passphrase, pfx } = options;
  for (const item of listOf(cert)) binding.contextCertificate(native, checkBytes('options.cert', item));
  for (const item of listOf(key)) {
    const pem = Array.isArray(key) && item?.pem !== undefined ? item.pem : item;
    binding.contextKey(native, checkBytes('options.key', pem), (item?.passphrase !== undefined ? item.passphrase : passphrase) ?? undefined);
  }
  for (const item of listOf(pfx)) {
    const bytes = item?.buf !== undefined ? item.buf : item;
    const password = item?.passphrase || passphrase;
    binding.contextPackage(native, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, password == null ? undefined : password);
  }
}

let extraText;
function addAuthorities(native, { ca, crl, pfx }) {
  if (ca) {
    for (const item of listOf(ca)) binding.contextAuthorities(native, checkBytes('options.ca', item));
    return;
  }
  const own = defaultAuthorities();
  if (own !== undefined) {
    for (const pem of own) binding.contextAuthorities(native, pem);
    return;
  }
  const extra = extraCertificates();
  binding.contextSystemAuthorities(native, Boolean(crl || pfx), extra.length > 0 ? (extraText ??= extra.join('\n')) : undefined);
}

// Those of TLS 1.3, and those of the versions before it.
function splitCiphers({ ciphers }) {
  if (ciphers !== undefined && ciphers !== null) validateString(ciphers, 'options.ciphers');
  const all = (ciphers || module.exports.defaults.DEFAULT_CIPHERS).split(':');
  return { suites: all.filter((name) => name.startsWith('TLS_')), rest: all.filter((name) => name !== '' && !name.startsWith('TLS_')) };
}

function setCiphers(native, options) {
  const { suites, rest } = splitCiphers(options);
  binding.contextText(native, 1, suites.join(':'));
  try {
    binding.contextText(native, 0, rest.join(':') || (suites.length > 0 ? '!ALL' : ''));
  } catch (error) {
    // A list with names for TLS 1.3 alone leaves nothing for the versions before it.
    if (rest.length > 0 || suites.length === 0) throw error;
  }
}

function createSecureContext(options) {
  options ||= {};
  const secure = new SecureContext(options);
  const native = secure.context;
  const { crl, dhparam, ecdhCurve = module.exports.defaults.DEFAULT_ECDH_CURVE, honorCipherOrder, secureOptions, sessionIdContext, sessionTimeout, sigalgs, ticketKeys } = options;
  setCiphers(native, options);
  if (sigalgs !== undefined && sigalgs !== null) {
    validateString(sigalgs, 'options.sigalgs');
    if (sigalgs === '') throw new ERR_INVALID_ARG_VALUE('options.sigalgs', sigalgs);
    binding.contextText(native, 3, sigalgs);
  }
  validateString(ecdhCurve, 'options.ecdhCurve');
  if (ecdhCurve !== 'auto') binding.contextText(native, 2, ecdhCurve);
  addAuthorities(native, options);
  addKeys(native, options);
  for (const item of listOf(crl)) binding.contextRevoked(native, checkBytes('options.crl', item));
  if (dhparam !== undefined && dhparam !== null) {
    checkBytes('options.dhparam', dhparam);
    const bits = binding.contextExchange(native, dhparam);
    if (bits !== 0 && bits < 1024) throw new ERR_INVALID_ARG_VALUE('options.dhparam', dhparam, 'DH parameter is less than 1024 bits');
    if (bits !== 0 && bits < 2048) process.emitWarning(`DH parameter is less than 2048 bits`, 'SecurityWarning');
  }
  let flags = 0;
  if (secureOptions) {
    validateInteger(secureOptions, 'secureOptions');
    flags = secureOptions;
  }
  if (honorCipherOrder) flags |= SERVER_PREFERENCE;
  if (flags !== 0) binding.contextNumber(native, 0, flags);
  if (sessionIdContext !== undefined && sessionIdContext !== null) {
    validateString(sessionIdContext, 'options.sessionIdContext');
    binding.contextText(native, 4, sessionIdContext);
  }
  if (ticketKeys !== undefined && ticketKeys !== null) {
    validateBuffer(ticketKeys, 'options.ticketKeys');
    if (ticketKeys.byteLength !== 48) throw new ERR_INVALID_ARG_VALUE('options.ticketKeys', ticketKeys.byteLength, 'must be exactly 48 bytes');
    binding.contextTickets(native, ticketKeys);
    Object.defineProperty(secure, 'ticketKeys', { __proto__: null, value: Buffer.from(ticketKeys), writable: true, configurable: true });
  }
  if (sessionTimeout !== undefined && sessionTimeout !== null) {
    validateInt32(sessionTimeout, 'options.sessionTimeout', 0);
    binding.contextNumber(native, 1, sessionTimeout);
  }
  return secure;
}

// Names behind their lengths.
function protocolBytes(list) {
  const parts = list.map((name, i) => {
    const bytes = Buffer.from(name, 'latin1');
    if (bytes.length > 255) throw new codes.ERR_OUT_OF_RANGE(`The byte length of the protocol at index ${i} exceeds the maximum length.`, '<= 255', bytes.length, true);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  return Buffer.concat(parts);
}

function convertALPNProtocols(protocols, out) {
  if (Array.isArray(protocols)) {
    out.ALPNProtocols = protocolBytes(protocols);
  } else if (isArrayBufferView(protocols)) {
    out.ALPNProtocols = Buffer.from(Buffer.from(protocols.buffer, protocols.byteOffset, protocols.byteLength));
  }
}

module.exports = { SecureContext, convertALPNProtocols, createSecureContext, defaults };
