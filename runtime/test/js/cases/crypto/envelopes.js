'use strict';
// encapsulate and decapsulate; SPKAC; masks of OAEP; where keys are kept.
const c = require('crypto');
const fs = require('fs');
const show = (l, f) => {
  try {
    const v = f();
    console.log(l, 'ok', v);
  } catch (e) {
    console.log(l, e.name, e.code, e.message, e.opensslErrorStack);
  }
};
const { privateKey, publicKey } = c.generateKeyPairSync('rsa', { modulusLength: 1024 });
show(2, () => {
  const { sharedKey, ciphertext, ...r } = c.encapsulate(publicKey);
  return [sharedKey.constructor.name, sharedKey.length, ciphertext.length, r, c.decapsulate(privateKey, ciphertext).equals(sharedKey)];
});
show(3, () => c.encapsulate(c.generateKeyPairSync('ed25519').publicKey));
show(4, () => c.decapsulate(privateKey, Buffer.alloc(5)));
show(5, () => c.decapsulate(privateKey, 'x'));
show(6, () => c.encapsulate());
show(7, () => c.decapsulate());
show(8, () => c.encapsulate(publicKey, 5));
show(9, () => c.decapsulate(publicKey, Buffer.alloc(5)));
c.encapsulate(publicKey, (...a) => {
  console.log(a.length, a[0], Object.keys(a[1]));
  c.decapsulate(privateKey, Buffer.alloc(5), (...b) => console.log(b.length, b[0]?.message));
});

const sealed = c.publicEncrypt({ key: publicKey, oaepHash: 'sha256', mgf1Hash: 'sha1' }, Buffer.from('hello'));
show('mask', () => c.privateDecrypt({ key: privateKey, oaepHash: 'sha256', mgf1Hash: 'sha1' }, sealed).toString());
show('mask', () => c.privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, sealed).toString());
show('mask', () => c.privateDecrypt({ key: privateKey, mgf1Hash: 5 }, sealed).toString());
show('mask', () => c.privateDecrypt({ key: privateKey, mgf1Hash: 'nope' }, sealed).toString());
console.log(c.secureHeapUsed());
const { Certificate } = c;
const spkac =
  'MIICUzCCATswggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQC33FiIiiexwLe/P8DZx5HsqFlmUO7/lvJ7necJVNwqdZ3ax5jpQB0p6uxfqeOvzcN3k5V7UFb/Am+nkSNZMAZhsWzCU2Z4Pjh50QYz3f0Hour7/yIGStOLyYY3hgLK2K8TbhgjQPhdkw9+QtKlpvbL8fLgONAoGrVOFnRQGcr70iFffsm79mgZhKVMgYiHPJqJgGHvCtkGg9zMgS7p63+Q3ZWedtFS2RhMX3uCBy/mH6EOlRCNBbRmA4xxNzyf5GQaki3T+Iz9tOMjdPP+CwV2LqEdylmBuik8vrfTb3qIHLKKBAI8lXN26wWtA3kN4L7NP+cbKlCRlqctvhmylLH1AgMBAAEWE3RoaXMtaXMtYS1jaGFsbGVuZ2UwDQYJKoZIhvcNAQEEBQADggEBAIozmeW1kfDfAVwRQKileZGLRGCD7AjdHLYEe16xTBPve8Af1bDOyuWsAm4qQLYA4FAFROiKeGqxCtIErEvm87/09tCfF1My/1Uj+INjAk39DK9J9alLlTsrwSgd1lb3YlXY7TyitCmh7iXLo4pVhA2chNA3njiMq3CUpSvGbpzrESL2dv97lv590gUD988wkTDVyYsf0T8+X0Kww3AgPWGji+2f2i5/jTfD/s1lK1nqi7ZxFm0pGZoy1MJ51SCEy7Y82ajroI+5786nC02mo9ak7samca4YDZOoxN4d3tax4B/HDF5dqJSm1/31xYLDTfujCM5FkSjRc4m6hnriEkc=';
for (const certificate of [Certificate, new Certificate()]) {
  console.log(certificate.verifySpkac(spkac), certificate.verifySpkac('junk'));
  console.log(certificate.exportChallenge(spkac).toString(), certificate.exportChallenge(Buffer.from('junk')) === '');
  console.log(certificate.exportPublicKey(spkac).toString().length, certificate.exportPublicKey('junk') === '');
}
show('spkac', () => Certificate.verifySpkac(5));
