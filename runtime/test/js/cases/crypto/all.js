// Deterministic results: digests, codes, derivations, ciphers, signatures that verify, errors.
const crypto = require('crypto');
const attempt = (label, fn) => {
  try {
    const value = fn();
    console.log(label, Buffer.isBuffer(value) ? value.toString('hex') : value);
  } catch (error) {
    console.log(label, 'threw', error.name, error.code, error.message);
  }
};
for (const name of ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-256', 'blake2b512', 'RSA-SHA256']) {
  attempt(name, () => crypto.createHash(name).update('hello').update(Buffer.from(' world')).digest('hex'));
}
attempt('shake', () => crypto.createHash('shake128', { outputLength: 20 }).update('x').digest('hex'));
attempt('copy', () => { const h = crypto.createHash('sha256').update('a'); const c = h.copy().update('b'); return [h.digest('hex'), c.digest('base64')]; });
attempt('hash', () => crypto.hash('sha1', 'data', 'base64'));
attempt('no such hash', () => crypto.createHash('nope'));
attempt('twice', () => { const h = crypto.createHash('md5'); h.digest(); h.digest(); });
attempt('hmac', () => crypto.createHmac('sha256', 'key').update('data').digest('hex'));
attempt('hmac key', () => crypto.createHmac('sha256', null));
attempt('pbkdf2', () => crypto.pbkdf2Sync('password', 'salt', 1000, 32, 'sha256'));
attempt('pbkdf2 digest', () => crypto.pbkdf2Sync('password', 'salt', 1, 32, 'nope'));
attempt('scrypt', () => crypto.scryptSync('password', 'salt', 32, { N: 1024 }));
attempt('scrypt bad', () => crypto.scryptSync('password', 'salt', 32, { N: 1000 }));
attempt('hkdf', () => Buffer.from(crypto.hkdfSync('sha512', 'key', 'salt', 'info', 40)));
attempt('equal', () => [crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')), crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('b'))]);
attempt('unequal', () => crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('ab')));
for (const [name, keyLength, ivLength, options] of [['aes-128-cbc', 16, 16], ['aes-256-ctr', 32, 16], ['aes-192-ecb', 24, 0], ['aes-256-gcm', 32, 12],
  ['aes-128-ccm', 16, 12, { authTagLength: 16 }], ['chacha20-poly1305', 32, 12, { authTagLength: 16 }]]) {
  attempt(name, () => {
    const key = Buffer.alloc(keyLength, 7);
    const iv = ivLength ? Buffer.alloc(ivLength, 9) : null;
    const text = 'attack at dawn, or a little later';
    const cipher = crypto.createCipheriv(name, key, iv, options);
    const authenticated = /gcm|ccm|poly/.test(name);
    if (authenticated) cipher.setAAD(Buffer.from('aad'), { plaintextLength: text.length });
    const secret = cipher.update(text, 'utf8', 'hex') + cipher.final('hex');
    const decipher = crypto.createDecipheriv(name, key, iv, options);
    if (authenticated) {
      decipher.setAuthTag(cipher.getAuthTag());
      decipher.setAAD(Buffer.from('aad'), { plaintextLength: text.length });
    }
    return [secret, authenticated ? cipher.getAuthTag().toString('hex') : '', decipher.update(secret, 'hex', 'utf8') + decipher.final('utf8')];
  });
}
attempt('bad key', () => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(3), Buffer.alloc(16)));
attempt('bad iv', () => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(3)));
attempt('no such cipher', () => crypto.createCipheriv('nope', Buffer.alloc(16), Buffer.alloc(16)));
attempt('bad data', () => { const d = crypto.createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)); d.update(Buffer.alloc(16, 1)); return d.final(); });
attempt('bad tag', () => { const d = crypto.createDecipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12)); d.setAuthTag(Buffer.alloc(16)); d.update('aabb', 'hex'); return d.final(); });
for (const [type, options, digest] of [['rsa', { modulusLength: 1024 }, 'sha256'], ['ec', { namedCurve: 'P-256' }, 'sha256'], ['ed25519', undefined, null]]) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  const signature = crypto.sign(digest, Buffer.from('message'), privateKey);
  attempt(type, () => [publicKey.type, privateKey.asymmetricKeyType, privateKey.asymmetricKeyDetails, crypto.verify(digest, Buffer.from('message'), publicKey, signature),
    crypto.verify(digest, Buffer.from('massage'), publicKey, signature)]);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  attempt('again', () => crypto.createPrivateKey(pem).equals(privateKey) && crypto.createPublicKey(pem).equals(publicKey));
  attempt('encrypted', () => crypto.createPrivateKey({ key: privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'p' }), passphrase: 'p' }).equals(privateKey));
  attempt('jwk', () => crypto.createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' }).equals(publicKey));
}
attempt('secret key', () => crypto.createSecretKey('abc').export({ format: 'jwk' }));
attempt('x25519', () => {
  const a = crypto.generateKeyPairSync('x25519');
  const b = crypto.generateKeyPairSync('x25519');
  return crypto.diffieHellman({ privateKey: a.privateKey, publicKey: b.publicKey }).equals(crypto.diffieHellman({ privateKey: b.privateKey, publicKey: a.publicKey }));
});
attempt('ecdh', () => {
  const a = crypto.createECDH('secp256k1');
  a.setPrivateKey('11'.repeat(32), 'hex');
  return a.getPublicKey('hex', 'compressed');
});
attempt('modp', () => { const a = crypto.getDiffieHellman('modp14'); const b = crypto.getDiffieHellman('modp14'); a.generateKeys(); b.generateKeys(); return a.computeSecret(b.getPublicKey()).equals(b.computeSecret(a.getPublicKey())); });
attempt('random', () => [crypto.randomBytes(10).length, /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), crypto.randomInt(5) < 5]);
attempt('random bad', () => crypto.randomBytes(-1));
attempt('prime', () => [crypto.checkPrimeSync(97n), crypto.checkPrimeSync(98n), crypto.generatePrimeSync(32, { bigint: true }) > 0n]);
(async () => {
  const { subtle } = globalThis.crypto;
  console.log(Buffer.from(await subtle.digest('SHA-256', Buffer.from('abc'))).toString('hex'));
  const key = await subtle.importKey('raw', Buffer.alloc(16, 1), 'AES-GCM', true, ['encrypt', 'decrypt']);
  const iv = Buffer.alloc(12);
  const secret = await subtle.encrypt({ name: 'AES-GCM', iv }, key, Buffer.from('hi'));
  console.log(Buffer.from(secret).toString('hex'), Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, key, secret)).toString(), await subtle.exportKey('jwk', key));
  const hmac = await subtle.importKey('raw', Buffer.from('k'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  console.log(await subtle.verify('HMAC', hmac, await subtle.sign('HMAC', hmac, Buffer.from('m')), Buffer.from('m')));
  await new Promise((resolve) => crypto.scrypt('p', 's', 8, (error, value) => resolve(console.log(error, value.toString('hex')))));
  await new Promise((resolve) => crypto.createHash('md5').end('streamed').on('data', (d) => resolve(console.log(d.toString('hex')))));
})();
