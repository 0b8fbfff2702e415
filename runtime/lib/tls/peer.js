'use strict';

// What is known of a secure connection and its peer.
//
// Certificates as the plain objects that tlsSocket.getPeerCertificate gives.

const { Buffer } = require('internal/buffer/class');
const binding = internalBinding('tls');
const { ERR_TLS_INVALID_STATE } = require('internal/tls/errors');
const { validateBuffer, validateString, validateUint32 } = require('internal/validators');

const isOwnIssuer = ({ subject, issuer }) => JSON.stringify(subject) === JSON.stringify(issuer);

// The first of a list in DER; with `chain`, each has the next as its issuer, and a self-signed one has itself.
function certificateObject(list, chain) {
  if (list.length === 0) return {};
  const { X509Certificate } = require('crypto');
  const objects = (chain ? list : list.slice(0, 1)).map((raw) =>
    new X509Certificate(Buffer.from(raw)).toLegacyObject(),
  );
  if (chain) {
    objects.forEach((object, i) => {
      if (i + 1 < objects.length) object.issuerCertificate = objects[i + 1];
      else if (isOwnIssuer(object)) object.issuerCertificate = object;
    });
  }
  return objects[0];
}

// A certificate whose "info access" is still text: lines of `name:value`, where a value in quotes is JSON.
function translatePeerCertificate(certificate) {
  if (!certificate) return null;
  if (certificate.issuerCertificate != null && certificate.issuerCertificate !== certificate) {
    certificate.issuerCertificate = translatePeerCertificate(certificate.issuerCertificate);
  }
  if (certificate.infoAccess == null) return certificate;
  const found = { __proto__: null };
  for (const line of certificate.infoAccess.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1);
    found[name] = [...(found[name] ?? []), value[0] === '"' ? JSON.parse(value) : value];
  }
  certificate.infoAccess = found;
  return certificate;
}

// The getters of a secure connection. Each entry is a method of TLSSocket: it gets the number by which C knows the
// connection. It returns `otherwise` if there is no connection any more, and `before` (if that differs) if there is
// none yet.

const bytesOf = (value) => (value === undefined ? undefined : Buffer.from(value));

// Only a connection knows the issuers of the certificates that it received: each certificate has the next
// one as its issuer.
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

module.exports = { translatePeerCertificate, answers, exportKeys };
