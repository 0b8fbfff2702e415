'use strict';
// Key objects: the arguments that they are made from, their formats, and the messages of errors.
const c = require('crypto');
const B = Buffer;
const show = (l, f) => {
  try {
    const v = f();
    console.log(l, 'ok', v instanceof c.KeyObject ? v.type + ' ' + v.asymmetricKeyType : B.isBuffer(v) ? 'buffer ' + v.length : v);
  } catch (e) {
    console.log(l, e.name, e.code, e.message);
  }
};
const ec = c.generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed = c.generateKeyPairSync('ed25519'),
  rsa = c.generateKeyPairSync('rsa', { modulusLength: 1024 });
const sec = c.createSecretKey(B.alloc(16));
show(1, () => rsa.publicKey.export({ format: 'raw-public' }));
show(2, () => rsa.privateKey.export({ format: 'raw-private' }));
show(3, () => ec.privateKey.export({ format: 'raw-seed' }));
show(4, () => ec.privateKey.export({ format: 'raw-public' }));
show(5, () => ec.publicKey.export({ format: 'raw-private' }));
show(6, () => ec.publicKey.export({ format: 'raw-public', type: 'hybrid' }));
show(7, () => ec.publicKey.export({ format: 'raw-public', type: 'compressed' }));
show(8, () => ed.privateKey.export({ format: 'raw-private', passphrase: 'x' }));
show(9, () => ed.privateKey.export({ format: 'raw-private' }));
show(10, () => c.createPublicKey({ key: 'x', format: 'raw-public', asymmetricKeyType: 'ed25519' }));
show(11, () => c.createPublicKey({ key: B.alloc(32), format: 'raw-public' }));
show(12, () => c.createPublicKey({ key: B.alloc(32), format: 'raw-public', asymmetricKeyType: 'foo' }));
show(13, () => c.createPublicKey({ key: B.alloc(32), format: 'raw-public', asymmetricKeyType: 'rsa' }));
show(14, () => c.createPublicKey({ key: B.alloc(32), format: 'raw-public', asymmetricKeyType: 'ec' }));
show(15, () => c.createPublicKey({ key: B.alloc(32), format: 'raw-public', asymmetricKeyType: 'ec', namedCurve: 'foo' }));
show(16, () => c.createPublicKey({ key: B.alloc(32), format: 'raw-public', asymmetricKeyType: 'ec', namedCurve: 'P-256' }));
show(17, () => c.createPublicKey({ key: B.alloc(31), format: 'raw-public', asymmetricKeyType: 'ed25519' }));
show(18, () => c.createPrivateKey({ key: B.alloc(31), format: 'raw-private', asymmetricKeyType: 'ed25519' }));
show(19, () => c.createPrivateKey({ key: B.alloc(32), format: 'raw-public', asymmetricKeyType: 'ed25519' }));
show(20, () => c.createPrivateKey({ key: B.alloc(32), format: 'raw-seed', asymmetricKeyType: 'ed25519' }));
show(21, () => c.createPrivateKey({ key: B.alloc(32, 1), format: 'raw-private', asymmetricKeyType: 'ec', namedCurve: 'P-256' }));
show(23, () => c.createPublicKey({ key: B.alloc(32, 1), format: 'raw-private', asymmetricKeyType: 'ed25519' }));
show(24, () => c.createPrivateKey({ key: B.alloc(32, 1), format: 'foo' }));
show(25, () => c.createPublicKey({ key: B.alloc(32, 1), format: 'foo' }));
show(26, () => c.createPublicKey({ key: B.alloc(32, 1), format: 'der' }));
show(27, () => c.createPublicKey({ key: B.alloc(32, 1), format: 'der', type: 'foo' }));
show(28, () => c.createPrivateKey({ key: B.alloc(32, 1), format: 'der', type: 'spki' }));
show(29, () => c.createPrivateKey({}));
show(30, () => c.createPrivateKey());
show(31, () => c.createPublicKey({ key: 5 }));
show(32, () => c.createPublicKey(ec.publicKey));
show(33, () => c.createPublicKey({ key: ec.publicKey }));
show(34, () => c.createPrivateKey(ec.privateKey));
show(35, () => c.createPrivateKey({ key: ec.privateKey }));
show(36, () => c.createPublicKey(sec));
show(37, () => c.createSecretKey(5));
show(38, () => c.createSecretKey('x', 5));
show(39, () => sec.export({ format: 'foo' }));
show(40, () => sec.export(5));
show(41, () => ec.publicKey.export());
show(42, () => ec.publicKey.export({}));
show(43, () => ec.publicKey.export({ format: 'pem' }));
show(44, () => ec.publicKey.export({ format: 'pem', type: 'pkcs1' }));
show(45, () => ec.privateKey.export({ format: 'pem', type: 'pkcs1' }));
show(46, () => rsa.privateKey.export({ format: 'pem', type: 'sec1' }));
show(47, () => ec.privateKey.export({ format: 'der', type: 'sec1', cipher: 'aes-128-cbc', passphrase: 'x' }));
show(48, () => ec.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'foo', passphrase: 'x' }));
show(49, () => ec.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc' }));
show(50, () => ec.privateKey.export({ format: 'pem', type: 'pkcs8', passphrase: 'x' }));
show(51, () => ec.privateKey.export({ format: 'jwk', passphrase: 'x' }));
show(52, () => c.createPrivateKey({ key: { kty: 'EC' }, format: 'jwk' }));
show(53, () => c.createPublicKey({ key: { kty: 'foo' }, format: 'jwk' }));
show(54, () => c.createPublicKey({ key: 'x', format: 'jwk' }));
show(55, () => c.createPublicKey({ key: { kty: 'RSA', n: 'AQ' }, format: 'jwk' }));
show(56, () => c.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'AQ' }, format: 'jwk' }));
show(57, () => c.createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'AQ' }, format: 'jwk' }));
show(58, () => new c.KeyObject('foo'));
show(59, () => new c.KeyObject('secret'));
show(60, () => new c.KeyObject('secret', 'x'));
show(61, () => c.KeyObject.from(sec));
show(62, () => sec.equals(5));
show(63, () => sec.equals(ec.publicKey));
show(64, () => c.createPrivateKey({ key: ec.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'x' }) }));
show(65, () =>
  c.createPrivateKey({
    key: ec.privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'x' }),
    format: 'der',
    type: 'pkcs8',
  })
);
show(66, () =>
  c.createPrivateKey({ key: ec.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'x' }), passphrase: 5 })
);
show(67, () =>
  c.createPrivateKey({
    key: ec.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'x' }),
    passphrase: B.from('x'),
  })
);
show(68, () => c.createPublicKey(ec.privateKey.export({ format: 'pem', type: 'sec1' })));
show(69, () => c.createPublicKey({ key: ec.privateKey.export({ format: 'der', type: 'sec1' }), format: 'der', type: 'sec1' }));
show(70, () => c.createPublicKey({ key: rsa.privateKey.export({ format: 'der', type: 'pkcs1' }), format: 'der', type: 'pkcs1' }));
show(72, () =>
  c.sign(null, B.alloc(1), { key: ed.privateKey.export({ format: 'raw-private' }), format: 'raw-private', asymmetricKeyType: 'ed25519' })
);
show(73, () => c.generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding: { format: 'raw-public', type: 'x' } }));
show(74, () => c.generateKeyPairSync('rsa', { modulusLength: 512, publicKeyEncoding: { format: 'raw-public' } }));
show(75, () => c.generateKeyPairSync('rsa', { modulusLength: 512, publicKeyEncoding: { format: 'foo' } }));
show(76, () => c.generateKeyPairSync('rsa', { modulusLength: 512, publicKeyEncoding: 5 }));
show(77, () => c.generateKeyPairSync('ed25519', { privateKeyEncoding: { format: 'raw-private', cipher: 'aes-128-cbc', passphrase: 'x' } }));
show(78, () => ec.privateKey.export({ format: 'raw-private', type: 'x' }).length);
show(81, () => c.sign('sha256', B.alloc(1), { key: rsa.privateKey, context: B.alloc(1) }));
show(84, () => c.createSecretKey(B.alloc(0)).symmetricKeySize);
console.log(sec, ec.publicKey, ec.privateKey);
