'use strict';

// Secure contexts, and the defaults of TLS.
//
// The defaults of TLS: the lists of ciphers and curves, and the versions. The command line may change them, and so may
// programs, through the module tls.

const { hasFlag, valuesOf } = require('internal/process/flags');
const binding = internalBinding('tls');
const { Buffer } = require('internal/buffer/class');
const { codes } = require('internal/errors');
const errors = require('internal/tls/errors');
const { isArrayBufferView } = require('internal/util/types');
const { validateBuffer, validateInt32, validateInteger, validateString } = require('internal/validators');
const { defaultAuthorities, extraCertificates } = require('internal/tls/authorities');
const { contextText, contextNumber } = require('internal/shared');

const ciphers =
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:' +
  'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:' +
  'ECDHE-ECDSA-AES256-GCM-SHA384:' +
  'DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384:' +
  'DHE-RSA-AES256-SHA384:' +
  'ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:HIGH:!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!PSK:!SRP:!CAMELLIA';

// If several options are given, the one that allows more wins.
const allowed = (options) => options.find(([option]) => hasFlag(option))?.[1];
const valueOf = (option) => valuesOf(option).at(-1);

const defaults = {
  DEFAULT_CIPHERS: valueOf('--tls-cipher-list') ?? ciphers,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION:
    allowed([
      ['--tls-min-v1.0', 'TLSv1'],
      ['--tls-min-v1.1', 'TLSv1.1'],
      ['--tls-min-v1.2', 'TLSv1.2'],
      ['--tls-min-v1.3', 'TLSv1.3'],
    ]) ?? 'TLSv1.2',
  DEFAULT_MAX_VERSION:
    allowed([
      ['--tls-max-v1.3', 'TLSv1.3'],
      ['--tls-max-v1.2', 'TLSv1.2'],
    ]) ?? 'TLSv1.3',
};

// Secure contexts: a program's options as a context of OpenSSL. Each entry of `steps` reads its options, checks them
// and passes them on; the order of the steps is the order in which errors are reported.

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = codes;

const SERVER_PREFERENCE = 0x00400000;
const NEWEST = 0x304;
const versions = { '__proto__': null, 'TLSv1': 0x301, 'TLSv1.1': 0x302, 'TLSv1.2': 0x303, 'TLSv1.3': NEWEST };

// ---- versions ----

const methodNames = /^(SSLv2|SSLv3|SSLv23|TLS|TLSv1|TLSv1_1|TLSv1_2)_(?:client_|server_)?method$/;

// 'TLSv1_2_method' and similar names: one version, or any.
function rangeOfMethod(method) {
  const [, name] = methodNames.exec(method) ?? [];
  switch (name) {
    case undefined:
      throw new errors.ERR_TLS_INVALID_PROTOCOL_METHOD(`Unknown method: ${method}`);
    case 'SSLv2':
    case 'SSLv3':
      throw new errors.ERR_TLS_INVALID_PROTOCOL_METHOD(`${name} methods disabled`);
    case 'TLS':
      return [versions.TLSv1, NEWEST];
    case 'SSLv23':
      return [versions.TLSv1, versions['TLSv1.2']];
    default:
      return Array(2).fill(versions[name.replace('_', '.')]);
  }
}

function rangeOf(options) {
  const { secureProtocol } = options;
  if (!secureProtocol) {
    return [
      ['minVersion', 'minimum', 'DEFAULT_MIN_VERSION'],
      ['maxVersion', 'maximum', 'DEFAULT_MAX_VERSION'],
    ].map(([option, word, fallback]) => {
      const name = options[option] ?? defaults[fallback];
      if (versions[name] === undefined) throw new errors.ERR_TLS_INVALID_PROTOCOL_VERSION(name, word);
      return versions[name];
    });
  }
  const conflict = options.minVersion ?? options.maxVersion ?? undefined;
  if (conflict !== undefined) throw new errors.ERR_TLS_PROTOCOL_VERSION_CONFLICT(conflict, secureProtocol);
  return rangeOfMethod(secureProtocol);
}

// ---- ciphers ----

// The ciphers of TLS 1.3 (`suites`), and those of the versions before it.
class CipherList {
  constructor({ ciphers }) {
    if (ciphers !== undefined && ciphers !== null) validateString(ciphers, 'options.ciphers');
    this.text = ciphers || defaults.DEFAULT_CIPHERS;
    const parts = this.text.split(':');
    const names = parts.filter((name) => name !== '');
    this.suites = names.filter((name) => name.startsWith('TLS_'));
    this.rest = names.filter((name) => !/^!?TLS_/.test(name));
    if (names.length === 0) throw new ERR_INVALID_ARG_VALUE('options.ciphers', parts);
  }

  // If the ciphers are only for TLS 1.3, or only for earlier versions, the other versions cannot be used.
  narrow([lowest, highest]) {
    if (lowest === NEWEST || highest !== NEWEST) return [lowest, highest];
    return this.rest.length === 0 ? [NEWEST, NEWEST] : [lowest, highest];
  }

  apply(native) {
    // A list without suites of TLS 1.3 leaves them unchanged.
    if (this.suites.length > 0) binding.contextText(native, contextText.kSuites, this.suites.join(':'));
    try {
      binding.contextText(native, contextText.kCiphers, this.rest.length > 0 ? this.rest.join(':') : '!ALL');
    } catch (error) {
      if (this.rest.length > 0) throw error;
    }
  }
}

// ---- keys, certificates and authorities ----

const listOf = (value) => (Array.isArray(value) ? value : value ? [value] : []);

function bytesOrText(name, value) {
  if (typeof value !== 'string' && !isArrayBufferView(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
  return value;
}

let extraText;
function trustDefaults(native, alone) {
  const chosen = defaultAuthorities();
  if (chosen !== undefined) {
    for (const pem of chosen) binding.contextAuthorities(native, pem);
    return;
  }
  const extra = extraCertificates();
  binding.contextSystemAuthorities(native, alone, extra.length > 0 ? (extraText ??= extra.join('\n')) : undefined);
}

const pfxTrouble = [[/unsupported/, () => new errors.ERR_CRYPTO_UNSUPPORTED_OPERATION('Unsupported PKCS12 PFX data')]];

function usePackage(native, bytes, passphrase) {
  try {
    binding.contextPackage(
      native,
      typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
      passphrase ?? undefined,
    );
  } catch (error) {
    const known = pfxTrouble.find(([pattern]) => pattern.test(error.message));
    throw known === undefined ? error : known[1]();
  }
}

// ---- the steps ----

const steps = {
  // This is the first step: the security level in the list decides which keys are accepted.
  ciphers(native, options, secure, list) {
    list.apply(native);
  },
  ca(native, { ca, crl, pfx, allowPartialTrustChain }) {
    if (ca) for (const item of listOf(ca)) binding.contextAuthorities(native, bytesOrText('options.ca', item));
    else trustDefaults(native, Boolean(crl || pfx || allowPartialTrustChain));
  },
  partialChains(native, { allowPartialTrustChain }) {
    if (allowPartialTrustChain) binding.contextPartialChains(native);
  },
  cert(native, { cert }) {
    for (const item of listOf(cert)) binding.contextCertificate(native, bytesOrText('options.cert', item));
  },
  key(native, { key, passphrase }) {
    for (const item of listOf(key)) {
      const own = Array.isArray(key) && item?.pem !== undefined;
      const secret = own && item.passphrase !== undefined ? item.passphrase : passphrase;
      if (secret !== undefined && secret !== null) validateString(secret, 'options.passphrase');
      binding.contextKey(native, bytesOrText('options.key', own ? item.pem : item), secret ?? undefined);
    }
  },
  signatures(native, { sigalgs }) {
    if (sigalgs === undefined || sigalgs === null) return;
    validateString(sigalgs, 'options.sigalgs');
    if (sigalgs === '') throw new ERR_INVALID_ARG_VALUE('options.sigalgs', sigalgs);
    binding.contextText(native, contextText.kSignatures, sigalgs);
  },
  engines(native, { clientCertEngine, privateKeyEngine, privateKeyIdentifier }) {
    if (privateKeyIdentifier !== undefined && privateKeyIdentifier !== null) {
      if (privateKeyEngine !== undefined && privateKeyEngine !== null)
        validateText('options.privateKeyEngine', privateKeyEngine);
      validateText('options.privateKeyIdentifier', privateKeyIdentifier);
      if (privateKeyEngine) throw new codes.ERR_FEATURE_NOT_AVAILABLE('options.privateKeyEngine');
    }
    if (clientCertEngine === undefined || clientCertEngine === null) return;
    validateText('options.clientCertEngine', clientCertEngine);
    throw new codes.ERR_FEATURE_NOT_AVAILABLE('options.clientCertEngine');
  },
  curves(native, { ecdhCurve = defaults.DEFAULT_ECDH_CURVE }) {
    validateString(ecdhCurve, 'options.ecdhCurve');
    if (ecdhCurve !== 'auto') binding.contextText(native, contextText.kCurves, ecdhCurve);
  },
  exchange(native, { dhparam }) {
    if (dhparam === undefined || dhparam === null) return;
    const bits = binding.contextExchange(native, bytesOrText('options.dhparam', dhparam));
    if (bits === 0) return;
    if (bits < 1024) throw new ERR_INVALID_ARG_VALUE('options.dhparam', dhparam, 'DH parameter is less than 1024 bits');
    if (bits < 2048) process.emitWarning('DH parameter is less than 2048 bits', 'SecurityWarning');
  },
  revoked(native, { crl }) {
    for (const item of listOf(crl)) binding.contextRevoked(native, bytesOrText('options.crl', item));
  },
  sessionContext(native, { sessionIdContext }) {
    if (sessionIdContext === undefined || sessionIdContext === null) return;
    validateString(sessionIdContext, 'options.sessionIdContext');
    binding.contextText(native, contextText.kSessionContext, sessionIdContext);
  },
  packages(native, { pfx, passphrase }) {
    for (const item of listOf(pfx)) usePackage(native, item?.buf ?? item, item?.passphrase || passphrase);
  },
  flags(native, { secureOptions, honorCipherOrder }) {
    if (secureOptions) validateInteger(secureOptions, 'secureOptions');
    if (secureOptions) binding.contextNumber(native, contextNumber.kOptions, secureOptions);
    if (honorCipherOrder) binding.contextNumber(native, contextNumber.kOptions, SERVER_PREFERENCE);
  },
  tickets(native, { ticketKeys }, secure) {
    if (ticketKeys === undefined || ticketKeys === null) return;
    validateBuffer(ticketKeys, 'options.ticketKeys');
    if (ticketKeys.byteLength !== 48)
      throw new ERR_INVALID_ARG_VALUE('options.ticketKeys', ticketKeys.byteLength, 'must be exactly 48 bytes');
    useTicketKeys(secure, ticketKeys);
  },
  sessionTime(native, { sessionTimeout }) {
    if (sessionTimeout === undefined || sessionTimeout === null) return;
    validateInt32(sessionTimeout, 'options.sessionTimeout', 0);
    binding.contextNumber(native, contextNumber.kSessionSeconds, sessionTimeout);
  },
};

function validateText(name, value) {
  if (typeof value !== 'string') throw new ERR_INVALID_ARG_TYPE(name, ['string', 'null', 'undefined'], value);
}

// Packages that add the authorities of other systems add them to contexts that others made.
const nativeMethods = {
  __proto__: null,
  addCACert(pem) {
    binding.contextAuthorities(this, bytesOrText('ca', pem), extraText);
  },
};

class SecureContext {
  #ticketKeys;

  constructor(options) {
    const list = new CipherList(options ?? {});
    this.context = Object.setPrototypeOf(binding.contextCreate(...list.narrow(rangeOf(options ?? {}))), nativeMethods);
  }

  static keysOf(secure) {
    return Buffer.from((secure.#ticketKeys ??= Buffer.from(binding.contextTickets(secure.context))));
  }

  static setKeys(secure, keys) {
    secure.#ticketKeys = Buffer.from(Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength));
    binding.contextTickets(secure.context, secure.#ticketKeys);
  }
}

// A server's getter returns what was set.
const ticketKeysOf = SecureContext.keysOf;
const useTicketKeys = SecureContext.setKeys;
delete SecureContext.keysOf;
delete SecureContext.setKeys;

function createSecureContext(options) {
  const given = options || {};
  const secure = new SecureContext(given);
  const list = new CipherList(given);
  for (const step of Object.values(steps)) step(secure.context, given, secure, list);
  return secure;
}

// ---- protocols of the application ----

// Each name is preceded by its length.
function protocolBytes(list) {
  const parts = list.map((name, i) => {
    const bytes = Buffer.from(name, 'latin1');
    if (bytes.length > 255)
      throw new codes.ERR_OUT_OF_RANGE(
        `The byte length of the protocol at index ${i} exceeds the maximum length.`,
        '<= 255',
        bytes.length,
        true,
      );
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

module.exports = {
  coreCiphers: ciphers,
  defaults,
  keyLogFile: valueOf('--tls-keylog'),
  SecureContext,
  convertALPNProtocols,
  createSecureContext,
  ticketKeysOf,
  useTicketKeys,
};
