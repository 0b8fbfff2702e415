'use strict';
// Hashes, codes, signatures, exchanges, derivations and random numbers: messages of errors, and shapes.
const c = require('crypto');
const B = Buffer;
const show = (label, run) => {
  try {
    const value = run();
    console.log(label, 'ok', B.isBuffer(value) ? `${value.length} bytes` : typeof value === 'object' && value !== null ? value.constructor?.name : value);
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
};
const brief = (key, value) => (typeof value === 'bigint' ? `${value}n` : value?.type === 'Buffer' ? `${value.data.length} bytes` : value);
const all = (label, list, run) => {
  for (const each of list) show(`${label} ${typeof each === 'object' ? JSON.stringify(each, brief) : String(each)}`, () => run(each));
};
const odd = [undefined, null, 5, 'x', {}, [], true];

all('createHash', [undefined, 5, 'nope', 'SHA256', 'RSA-SHA256', 'sha-256', 'md5', 'md4', 'ripemd160', 'shake128'], (name) => c.createHash(name).update('x').digest('hex'));
all('hash update', [undefined, null, 5, {}, [], new Uint8Array(1), new ArrayBuffer(1)], (data) => c.createHash('md5').update(data).digest('hex'));
{
  const h = c.createHash('md5');
  show('digest', () => h.digest('hex'));
  show('digest again', () => h.digest('hex'));
  show('update after', () => h.update('x'));
  show('copy after', () => h.copy());
}
all('xof', [{ outputLength: 5 }, { outputLength: 0 }, { outputLength: -1 }, { outputLength: 'x' }, {}, undefined], (options) => c.createHash('shake256', options).update('x').digest('hex'));
all('digest encoding', ['hex', 'base64', 'base64url', 'latin1', 'buffer', undefined, null, 'utf-16le'], (encoding) => c.createHash('md5').update('x').digest(encoding));
all('digest encoding', ['nope', 5], (encoding) => c.createHash('md5').update('x').digest(encoding));
show('hash', () => c.hash('sha1', 'x'));
all('hash', odd, (data) => c.hash('sha1', data));
all('hash options', ['base64', 'buffer', { outputEncoding: 'hex' }, { outputLength: 3 }, 'nope', 5, null], (options) => c.hash('shake128', 'x', options));
all('createHmac', ['md5', 'nope', undefined], (name) => c.createHmac(name, 'k').update('x').digest('hex'));
all('hmac key', odd, (key) => c.createHmac('md5', key).update('x').digest('hex'));
{
  const h = c.createHmac('md5', 'k');
  h.update('x').digest();
  show('hmac again', () => h.digest());
  show('hmac again', () => h.digest('hex'));
  show('hmac update after', () => h.update('x'));
}
const ec = c.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = c.generateKeyPairSync('rsa', { modulusLength: 1024 });
const ed = c.generateKeyPairSync('ed25519');
all('createSign', [undefined, 'nope', 'sha256', 'RSA-SHA1'], (name) => c.createSign(name).update('x').sign(rsa.privateKey));
all('sign key', [undefined, null, 5, {}, 'x', rsa.publicKey, c.createSecretKey(B.alloc(8))].map((key) => ({ key })), ({ key }) => c.createSign('sha256').update('x').sign(key));
all('padding', [1, 6, 4, 3, 'x', null], (padding) => c.sign('sha256', B.alloc(1), { key: rsa.privateKey, padding }));
all('salt', [-1, -2, 20, 'x', null], (saltLength) => c.sign('sha256', B.alloc(1), { key: rsa.privateKey, padding: 6, saltLength }));
all('dsaEncoding', ['ieee-p1363', 'nope', 5, null], (dsaEncoding) => c.sign('sha256', B.alloc(1), { key: ec.privateKey, dsaEncoding }).length > 60);
all('one call', [undefined, null, 'nope', 5, 'sha256'], (name) => c.sign(name, B.alloc(1), rsa.privateKey));
all('data', odd, (data) => c.sign('sha256', data, rsa.privateKey));
all('verify', [...odd, B.alloc(5), new ArrayBuffer(3)], (signature) => c.verify('sha256', B.alloc(1), rsa.publicKey, signature));
all('verify', [undefined, 5, 'x', B.alloc(128)], (signature) => c.createVerify('sha256').update('x').verify(rsa.publicKey, signature));
all('named', ['sign', 'privateDecrypt', 'privateEncrypt', 'publicEncrypt', 'publicDecrypt'], (name) => (name === 'sign' ? c.sign('sha256', B.alloc(1), 5) : c[name](5, B.alloc(1))));
show('named', () => c.verify('sha256', B.alloc(1), 5, B.alloc(1)));
show('named', () => c.createVerify('sha256').verify(5, B.alloc(1)));
show('named', () => c.sign('sha256', B.alloc(1), { key: 5 }));
show('named', () => c.privateDecrypt({ key: 5 }, B.alloc(1)));
show('named', () => c.createSign('sha256').sign(rsa.privateKey, 'nope'));
show('callback', () => c.sign('sha256', B.alloc(1), rsa.privateKey, 5));
{
  const s = c.createSign('sha256').update('x');
  s.sign(rsa.privateKey);
  show('sign again', () => s.sign(rsa.privateKey));
  show('sign update', () => s.update('x'));
  const v = c.createVerify('sha256').update('x');
  v.verify(rsa.publicKey, B.alloc(1));
  show('verify again', () => v.verify(rsa.publicKey, B.alloc(1)));
}
show('ed stream', () => c.createSign('sha256').update('x').sign(ed.privateKey));
show('ed', () => c.verify(null, B.from('x'), ed.publicKey, c.sign(undefined, B.from('x'), ed.privateKey)));
all('dh', [undefined, null, 'x', {}, 1.5, -1, 1], (size) => c.createDiffieHellman(size));
all('dh generator', [0, 1, 'x', {}, true], (generator) => c.createDiffieHellman(B.from('ffff', 'hex'), generator));
all('group', [undefined, 'nope', 'modp14', 5], (name) => c.getDiffieHellman(name));
show('group keys', () => c.getDiffieHellman('modp5').getPublicKey());
show('group set', () => typeof c.getDiffieHellman('modp5').setPublicKey);
show('group secret', () => c.getDiffieHellman('modp5').computeSecret('x'));
{
  const dh = c.createDiffieHellmanGroup('modp5');
  dh.generateKeys();
  all('secret', [undefined, '', 'x', B.alloc(300), B.from([1]), B.from([2])], (key) => dh.computeSecret(key));
  show('verifyError', () => dh.verifyError);
}
all('ecdh', [undefined, 'nope', 'secp256k1', 'P-256'], (curve) => c.createECDH(curve));
{
  const e = c.createECDH('prime256v1');
  show('no keys', () => e.getPublicKey());
  show('no keys', () => e.getPrivateKey());
  show('no keys', () => e.computeSecret(c.createECDH('prime256v1').generateKeys()));
  all('private', [undefined, 'x', B.alloc(32), B.alloc(32, 1), B.alloc(40, 255)], (key) => e.setPrivateKey(key));
  all('form', ['compressed', 'hybrid', 'uncompressed', 'nope', 5], (form) => e.getPublicKey('hex', form).length);
  all('other', [undefined, 'x', B.alloc(65)], (key) => e.computeSecret(key));
  show('convert', () => c.ECDH.convertKey(B.alloc(4), 'prime256v1'));
  show('convert', () => c.ECDH.convertKey(e.getPublicKey(), 'nope'));
  show('convert', () => c.ECDH.convertKey(e.getPublicKey(), 'prime256v1', null, 'hex', 'compressed').length);
}
all('diffieHellman', [undefined, {}, { privateKey: ec.privateKey }, { privateKey: ec.privateKey, publicKey: ed.publicKey }, { privateKey: ed.privateKey, publicKey: ed.publicKey },
  { privateKey: ec.privateKey, publicKey: ec.publicKey }], (options) => c.diffieHellman(options));
all('pbkdf2', [[], ['p'], ['p', 's', 0, 8, 'sha1'], ['p', 's', 1, -1, 'sha1'], ['p', 's', 1, 8, 'nope'], ['p', 's', 1, 8], ['p', 's', 1.5, 8, 'sha1'], [5, 's', 1, 8, 'sha1'],
  ['p', 's', 1, 8, 'sha1']], (given) => c.pbkdf2Sync(...given));
all('scrypt', [[], ['p', 's', -1], ['p', 's', 8, { N: 3 }], ['p', 's', 8, { N: 16, cost: 16 }], ['p', 's', 8, { r: 'x' }], ['p', 's', 8, { N: 2 ** 20 }], ['p', 's', 0], ['p', 's', 8, { N: 16 }]],
  (given) => c.scryptSync(...given));
all('hkdf', [[], ['sha1', 'k', 's', 'i', -1], ['nope', 'k', 's', 'i', 8], ['sha1', '', '', '', 8], ['sha1', 'k', 's', 'i', 100000], ['sha1', 5, 's', 'i', 8], ['sha1', 'k', 's', 'i'.repeat(1025), 8]],
  (given) => c.hkdfSync(...given));
all('randomBytes', [undefined, -1, 1.5, 2 ** 32, 'x', 0, 5], (size) => c.randomBytes(size).length);
all('randomInt', [[], [0], [1], [5, 5], [5, 4], [0, 2 ** 48], [1.5], ['x'], [-5, -4]], (given) => c.randomInt(...given));
all('randomFillSync', [[], [5], [B.alloc(4), 5], [B.alloc(4), 0, 5], [B.alloc(4), -1], [new Float32Array(2), 1, 1]], (given) => c.randomFillSync(...given));
all('timingSafeEqual', [[], ['a', 'b'], [B.alloc(1), B.alloc(2)], [B.alloc(2), B.alloc(2)], [new ArrayBuffer(1), new DataView(new ArrayBuffer(1))]], (given) => c.timingSafeEqual(...given));
all('generateKeyPair', [[], ['nope'], ['rsa'], ['rsa', {}], ['rsa', { modulusLength: 'x' }], ['rsa', { modulusLength: 10 }], ['ec', {}], ['ec', { namedCurve: 'nope' }], ['dsa', { modulusLength: 'x' }],
  ['dh', {}], ['dh', { group: 'nope' }], ['ed25519', 5], ['rsa-pss', { modulusLength: 512, hashAlgorithm: 'nope' }]], (given) => c.generateKeyPairSync(...given));
all('generateKey', [[], ['aes'], ['aes', { length: 5 }], ['hmac', { length: 4 }], ['hmac', { length: 9 }], ['nope', { length: 8 }]], (given) => c.generateKeySync(...given).symmetricKeySize);
all('prime', [[], [0], ['x'], [8, { add: 5 }], [8, { safe: 5 }], [8, { add: 1000n }]], (given) => c.generatePrimeSync(...given));
all('checkPrime', [3n, 4n, -1n, 'x', B.from([7])], (candidate) => c.checkPrimeSync(candidate));
show('uuid', () => c.randomUUID({ disableEntropyCache: 5 }));
show('fips', () => c.getFips());
show('curves', () => c.getCurves().includes('prime256v1'));
console.log(Object.keys(c).length, Object.keys(c).sort().join());
