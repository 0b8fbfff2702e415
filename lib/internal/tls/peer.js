'use strict';

// Certificates as the plain objects that tlsSocket.getPeerCertificate gives.

const { Buffer } = require('buffer');

const curves = {
  __proto__: null,
  prime256v1: { bits: 256, nist: 'P-256' },
  secp384r1: { bits: 384, nist: 'P-384' },
  secp521r1: { bits: 521, nist: 'P-521' },
};

const fromText = (text) => Buffer.from(text, 'base64url');

// What is in the key, by its type.
const keyDetails = {
  __proto__: null,
  rsa(key, object) {
    const { n, e } = key.export({ format: 'jwk' });
    object.modulus = fromText(n).toString('hex').toUpperCase();
    object.exponent = `0x${BigInt(`0x${fromText(e).toString('hex')}`).toString(16)}`;
    object.bits = key.asymmetricKeyDetails?.modulusLength;
    object.pubkey = key.export({ type: 'spki', format: 'der' });
  },
  ec(key, object) {
    const curve = key.asymmetricKeyDetails?.namedCurve;
    const { x, y } = key.export({ format: 'jwk' });
    object.pubkey = Buffer.concat([Buffer.from([4]), fromText(x), fromText(y)]);
    object.bits = curves[curve]?.bits;
    object.asn1Curve = curve;
    if (curves[curve] !== undefined) object.nistCurve = curves[curve].nist;
  },
};

// 'name:value' lines by their names.
function accessTable(text) {
  const table = { __proto__: null };
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) (table[line.slice(0, colon)] ??= []).push(line.slice(colon + 1));
  }
  return table;
}

function describe(certificate) {
  const object = certificate.toLegacyObject();
  if (certificate.keyUsage !== undefined) object.ext_key_usage ??= certificate.keyUsage;
  if (object.infoAccess === undefined) delete object.infoAccess;
  else object.infoAccess = accessTable(object.infoAccess);
  if (object.subjectaltname === undefined) delete object.subjectaltname;
  const { publicKey } = certificate;
  keyDetails[publicKey.asymmetricKeyType]?.(publicKey, object);
  return object;
}

const isOwnIssuer = ({ subject, issuer }) => JSON.stringify(subject) === JSON.stringify(issuer);

// The first of a list in DER; with `chain`, each has the next as its issuer, and an authority itself.
function certificateObject(list, chain) {
  if (list.length === 0) return {};
  const { X509Certificate } = require('crypto');
  const objects = (chain ? list : list.slice(0, 1)).map((raw) => describe(new X509Certificate(Buffer.from(raw))));
  if (chain) {
    objects.forEach((object, i) => {
      if (i + 1 < objects.length) object.issuerCertificate = objects[i + 1];
      else if (isOwnIssuer(object)) object.issuerCertificate = object;
    });
  }
  return objects[0];
}

module.exports = { certificateObject };
