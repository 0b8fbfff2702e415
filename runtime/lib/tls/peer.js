'use strict';

// Certificates as the plain objects that tlsSocket.getPeerCertificate gives.

const { Buffer } = require('internal/buffer/class');

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

module.exports = { certificateObject, translatePeerCertificate };
