'use strict';

// The getters of a secure connection. Each entry is a method of TLSSocket: it gets the number by which C knows the
// connection. It returns `otherwise` if there is no connection any more, and `before` (if that differs) if there is
// none yet.

const binding = internalBinding('tls');
const { Buffer } = require('internal/buffer/class');
const { ERR_TLS_INVALID_STATE } = require('internal/tls/errors');
const { validateBuffer, validateString, validateUint32 } = require('internal/validators');
const { certificateObject } = require('internal/tls/peer');

const bytesOf = (value) => (value === undefined ? undefined : Buffer.from(value));

// Only a connection knows the issuers of the certificates that it received: each certificate has the next one as its
// issuer.
function x509(number, own) {
  const { X509Certificate } = require('crypto');
  const list = binding.certificates(number, own).map((raw) => new X509Certificate(Buffer.from(raw)));
  list.forEach((certificate, i) => {
    if (i + 1 < list.length)
      Object.defineProperty(certificate, 'issuerCertificate', {
        __proto__: null,
        value: list[i + 1],
        configurable: true,
      });
  });
  return list[0];
}

const answers = {
  getPeerCertificate: {
    otherwise: null,
    ask: (number, socket, detailed) => certificateObject(binding.certificates(number, false), Boolean(detailed)),
  },
  getCertificate: {
    otherwise: null,
    ask: (number) => certificateObject(binding.certificates(number, true).slice(0, 1), true),
  },
  getPeerX509Certificate: { otherwise: undefined, ask: (number) => x509(number, false) },
  getX509Certificate: { otherwise: undefined, ask: (number) => x509(number, true) },
  getCipher: {
    otherwise: undefined,
    ask(number) {
      const found = binding.cipher(number);
      return found === undefined ? undefined : { name: found[0], standardName: found[1], version: found[2] };
    },
  },
  getEphemeralKeyInfo: {
    otherwise: null,
    ask(number, socket) {
      if (socket._tlsOptions.isServer) return null;
      const [type, name, size] = binding.ephemeral(number) ?? [];
      if (type === undefined) return {};
      return type === 'DH' ? { type, size } : { type, name, size };
    },
  },
  getProtocol: { otherwise: null, ask: (number) => binding.protocol(number) },
  getSession: { otherwise: undefined, ask: (number) => bytesOf(binding.session(number)) },
  getTLSTicket: { otherwise: undefined, ask: (number) => bytesOf(binding.ticket(number)) },
  isSessionReused: { otherwise: null, before: false, ask: (number) => binding.reused(number) },
  getFinished: { otherwise: undefined, ask: (number) => bytesOf(binding.finished(number, false)) },
  getPeerFinished: { otherwise: undefined, ask: (number) => bytesOf(binding.finished(number, true)) },
  getSharedSigalgs: { otherwise: [], ask: (number) => binding.sharedSignatures(number) },
};

// Exported keying material (RFC 5705). A negative number: there is no secure connection yet.
function exportKeys(number, length, label, about) {
  validateUint32(length, 'length', true);
  validateString(label, 'label');
  if (about !== undefined) validateBuffer(about, 'context');
  if (number < 0) throw new ERR_TLS_INVALID_STATE();
  return bytesOf(binding.exportKeys(number, length, label, about));
}

module.exports = { answers, exportKeys };
