'use strict';

// Calls in the wrong state, and input that is no key.
const c = require('crypto');
const t = (n, f) => {
  try {
    const r = f();
    console.log(n, typeof r);
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
const h = c.createHash('sha1');
t('dig', () => {
  h.update({
    get buffer() {
      h.digest();
      return 1;
    },
  });
});
t('dig2', () => {
  h.digest();
  return h.digest();
});
t('copy', () => h.copy());
const ci = c.createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
t('tag early', () => ci.getAuthTag());
t('final', () => ci.final());
t('final2', () => ci.final());
t('upd', () => ci.update('x'));
t('aad', () => ci.setAAD(Buffer.alloc(1)));
t('iv0', () => c.createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(0)));
t('dh', () => c.createDiffieHellman(Buffer.alloc(0)));
t('ecdh', () => c.createECDH('prime256v1').computeSecret(Buffer.alloc(65)));
t('pem', () => c.createPublicKey('-----BEGIN PUBLIC KEY-----\n' + 'A'.repeat(1e5) + '\n-----END PUBLIC KEY-----'));
t('der', () => c.createPrivateKey({ key: Buffer.alloc(100, 0x30), format: 'der', type: 'pkcs8' }));
t('jwk', () =>
  c.createPublicKey({
    key: new Proxy(
      { kty: 'RSA' },
      {
        get(o, p) {
          return p === 'kty' ? 'RSA' : {};
        },
      },
    ),
    format: 'jwk',
  }),
);
t('x509', () => new c.X509Certificate(Buffer.alloc(1000, 0x30)));
t('sign', () => c.createSign('sha1').sign({ key: {} }));
t('verify', () => c.verify(null, Buffer.alloc(1), c.generateKeyPairSync('ed25519').publicKey, Buffer.alloc(0)));
t('rsa', () => c.publicDecrypt(c.generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey, Buffer.alloc(64)));
t('tse', () => c.timingSafeEqual(Buffer.alloc(1), Buffer.alloc(2)));
t('sk', () => c.createSecretKey(Buffer.alloc(0)));
t('hkdf', () =>
  c.hkdfSync('sha1', c.createSecretKey(Buffer.alloc(1)), '', '', {
    valueOf() {
      return 5;
    },
  }),
);
t('getCipherInfo', () => c.getCipherInfo('aes-128-cbc', { keyLength: -1 }));
t('fips', () => c.setFips(0));
t('rng', () => c.getRandomValues(new Float64Array(1)));
t('rng2', () => c.getRandomValues(new Uint8Array(65537)));
