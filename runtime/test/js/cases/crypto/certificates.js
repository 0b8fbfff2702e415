'use strict';
// X509Certificate: what it tells, also in the old form.
const { X509Certificate, createPublicKey } = require('crypto');
const fs = require('fs');
const path = require('path');
const folder = path.join(__dirname, '../tls/support');
for (const file of fs.readdirSync(folder).filter((name) => /^(?!.*key).*\.pem$/.test(name)).sort()) {
  const certificate = new X509Certificate(fs.readFileSync(path.join(folder, file)));
  console.log(file, certificate, certificate.toLegacyObject());
  console.log(certificate.ca, certificate.publicKey.asymmetricKeyType, certificate.verify(certificate.publicKey), certificate.checkIssued(certificate));
  console.log(certificate.checkHost('localhost'), certificate.checkHost('example.com'), certificate.checkIP('127.0.0.1'), certificate.checkEmail('a@b.c'));
  console.log(certificate.toString() === JSON.parse(JSON.stringify(certificate)), certificate.raw.length, certificate.issuerCertificate);
  console.log(createPublicKey(certificate.toString()).equals(certificate.publicKey));
}
// Names with commas, quotes and other alphabets in them are written so that they cannot be taken for several.
const odd = new X509Certificate(`-----BEGIN CERTIFICATE-----
MIIC/DCCAqOgAwIBAgITDn9rQf1s3k5EVIHrHAd7wvcA8zAKBggqhkjOPQQDAjBL
MQswCQYDVQQGEwJERTERMA8GA1UEBwwITcO8bmNoZW4xEzARBgNVBAoMCkEsIEIg
YW5kIEMxFDASBgNVBAMMC29kZC5leGFtcGxlMCAXDTI2MTExNTE1MjUwOVoYDzIx
MDkwMTA0MTUyNTA5WjBLMQswCQYDVQQGEwJERTERMA8GA1UEBwwITcO8bmNoZW4x
EzARBgNVBAoMCkEsIEIgYW5kIEMxFDASBgNVBAMMC29kZC5leGFtcGxlMFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEIWtNODLK0F2Qk6rs9xO+XWSw+VfdZxS91nnl
iiKE7lcQ+ydb2mKd1I2c/aEeFEYSkp0uUKg7/Sy8NSE23KPuvKOCAWIwggFeMIHF
BgNVHREEgb0wgbqCC29kZC5leGFtcGxlgh5nb29kLmV4YW1wbGUsIEROUzpldmls
LmV4YW1wbGWGFmh0dHA6Ly9leGFtcGxlLmNvbS9hLGKBDWFAZXhhbXBsZS5jb22H
BH8AAAGHEP6AAAAAAAAAAAAAAAAAAAGIAyoDBKQhMB8xCzAJBgNVBAYTAkRFMRAw
DgYDVQQHDAdLw4PCtmxuoBQGCCsGAQUFBwgFoAgMBnVzZXJAeKAOBgQrzg8BoAYM
BHdoYXQwVgYIKwYBBQUHAQEESjBIMCAGCCsGAQUFBzABhhRodHRwOi8vb2NzcC5l
eGFtcGxlLzAkBggrBgEFBQcwAoYYaHR0cDovL2NhLmV4YW1wbGUvY2EuY3J0MB0G
A1UdJQQWMBQGCCsGAQUFBwMBBggrBgEFBQcDAjAdBgNVHQ4EFgQUE6Qu71LooTzW
NI84oVu9gbzg4wQwCgYIKoZIzj0EAwIDRwAwRAIgZsgK0rSreGF3CNmchYBjEwu2
ebMS+/HODZvAl6I2ArgCIEBLGQuPchraZtNoYxuYk4nL6I5+dTxWVTsU8bb9hjDq
-----END CERTIFICATE-----`);
console.log(odd, odd.toLegacyObject());
for (const given of ['', 'x', 5, {}]) {
  try {
    console.log(new X509Certificate(given).subject);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
