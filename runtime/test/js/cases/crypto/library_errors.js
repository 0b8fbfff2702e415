'use strict';
// Messages of the cryptographic library, as errors.
const c = require('crypto');
const show = (l, f) => {
  try {
    f();
    console.log(l, 'ok');
  } catch (e) {
    console.log(
      l,
      e.message,
      Object.keys(e)
        .map((k) => k + '=' + JSON.stringify(e[k]))
        .join(' ')
    );
  }
};
show(1, () => c.createPrivateKey('x'));
show(2, () => c.createPrivateKey({ key: Buffer.alloc(16), format: 'der', type: 'pkcs8' }));
show(3, () => c.createPublicKey({ key: Buffer.alloc(16), format: 'der', type: 'spki' }));
show(4, () => c.createPublicKey('x'));
const d = c.createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16));
d.update(Buffer.alloc(16));
show(5, () => d.final());
const { privateKey, publicKey } = c.generateKeyPairSync('rsa', { modulusLength: 1024 });
show(6, () => c.privateDecrypt(privateKey, Buffer.alloc(128)));
show(7, () => c.publicEncrypt(publicKey, Buffer.alloc(1280)));
show(9, () => new c.X509Certificate('x'));
show(10, () => c.createHash('sha256', { outputLength: 4 }));
show(13, () => c.createCipheriv('aes-128-gcm', Buffer.alloc(15), Buffer.alloc(12)));
show(18, () => new c.X509Certificate(Buffer.alloc(10)));
show(20, () => c.createECDH('prime256v1').computeSecret(Buffer.alloc(5)));
show(21, () => c.scryptSync('a', 'b', 8, { N: 3 }));
show(22, () => c.verify('sha256', Buffer.alloc(1), publicKey, Buffer.alloc(1)));
