'use strict';

// Certificates as the plain objects that tlsSocket.getPeerCertificate gives.

const { Buffer } = require('buffer');

const isOwnIssuer = ({ subject, issuer }) => JSON.stringify(subject) === JSON.stringify(issuer);

// The first of a list in DER; with `chain`, each has the next as its issuer, and an authority itself.
function certificateObject(list, chain) {
  if (list.length === 0) return {};
  const { X509Certificate } = require('crypto');
  const objects = (chain ? list : list.slice(0, 1)).map((raw) => new X509Certificate(Buffer.from(raw)).toLegacyObject());
  if (chain) {
    objects.forEach((object, i) => {
      if (i + 1 < objects.length) object.issuerCertificate = objects[i + 1];
      else if (isOwnIssuer(object)) object.issuerCertificate = object;
    });
  }
  return objects[0];
}

module.exports = { certificateObject };
