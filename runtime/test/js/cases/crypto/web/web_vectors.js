'use strict';
// Known answers: the vectors of the standards, through the Web Cryptography API and back.
const { subtle } = globalThis.crypto;
const hex = (text) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const show = (label, bytes) => console.log(label, Buffer.from(bytes).toString('hex'));

async function digests() {
  for (const name of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512']) {
    show(name, await subtle.digest(name, Buffer.from('abc')));
    show(name, await subtle.digest(name, new Uint8Array()));
  }
}

// RFC 4231, RFC 5869, RFC 6070 and RFC 7914
async function secrets() {
  const code = await subtle.importKey('raw', Buffer.from('Jefe'), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
  const signature = await subtle.sign('HMAC', code, Buffer.from('what do ya want for nothing?'));
  show('hmac', signature);
  console.log(await subtle.verify('HMAC', code, signature, Buffer.from('what do ya want for nothing?')));
  console.log(await subtle.verify('HMAC', code, signature, Buffer.from('what do ya want for something?')));
  const input = await subtle.importKey('raw', Buffer.alloc(22, 0x0b), 'HKDF', false, ['deriveBits', 'deriveKey']);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: hex('000102030405060708090a0b0c'), info: hex('f0f1f2f3f4f5f6f7f8f9') };
  show('hkdf', await subtle.deriveBits(hkdf, input, 42 * 8));
  const derived = await subtle.deriveKey(hkdf, input, { name: 'AES-GCM', length: 256 }, true, ['encrypt']);
  show('hkdf key', await subtle.exportKey('raw', derived));
  const password = await subtle.importKey('raw', Buffer.from('password'), 'PBKDF2', false, ['deriveBits']);
  show('pbkdf2', await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-1', salt: Buffer.from('salt'), iterations: 4096 }, password, 160));
}

// NIST SP 800-38A and 38D, RFC 3394, RFC 8439, RFC 7253
async function ciphers() {
  const key = hex('2b7e151628aed2a6abf7158809cf4f3c');
  const text = hex('6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51');
  const both = async (label, format, bytes, algorithm, data) => {
    const imported = await subtle.importKey(format, bytes, algorithm.name, false, ['encrypt', 'decrypt']);
    const sealed = await subtle.encrypt(algorithm, imported, data);
    show(label, sealed);
    console.log(Buffer.from(await subtle.decrypt(algorithm, imported, sealed)).equals(data));
  };
  await both('cbc', 'raw', key, { name: 'AES-CBC', iv: hex('000102030405060708090a0b0c0d0e0f') }, text);
  await both('ctr', 'raw', key, { name: 'AES-CTR', counter: hex('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'), length: 128 }, text);
  await both('ctr, wrapping', 'raw', key, { name: 'AES-CTR', counter: hex('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'), length: 8 }, text);
  await both('ctr, wrapping soon', 'raw', key, { name: 'AES-CTR', counter: Buffer.alloc(16, 0xff), length: 64 }, Buffer.concat([text, text]));
  await both('gcm', 'raw', hex('feffe9928665731c6d6a8f9467308308'), {
    name: 'AES-GCM', iv: hex('cafebabefacedbaddecaf888'), additionalData: hex('feedfacedeadbeeffeedfacedeadbeefabaddad2'), tagLength: 96,
  }, text);
  await both('ocb', 'raw-secret', hex('000102030405060708090a0b0c0d0e0f'),
             { name: 'AES-OCB', iv: hex('bbaa99887766554433221101'), additionalData: hex('0001020304050607') }, hex('0001020304050607'));
  await both('chacha', 'raw-secret', Buffer.from(Array.from({ length: 32 }, (_, i) => 0x80 + i)), {
    name: 'ChaCha20-Poly1305', iv: hex('070000004041424344454647'), additionalData: hex('50515253c0c1c2c3c4c5c6c7'),
  }, Buffer.from('Ladies and Gentlemen of the class of \'99'));
  const wrapping = await subtle.importKey('raw', hex('000102030405060708090a0b0c0d0e0f'), 'AES-KW', false, ['wrapKey', 'unwrapKey']);
  const inner = await subtle.importKey('raw', hex('00112233445566778899aabbccddeeff'), 'AES-CBC', true, ['encrypt']);
  const wrapped = await subtle.wrapKey('raw', inner, wrapping, 'AES-KW');
  show('kw', wrapped);
  const unwrapped = await subtle.unwrapKey('raw', wrapped, wrapping, 'AES-KW', 'AES-CBC', true, ['encrypt']);
  show('unwrapped', await subtle.exportKey('raw', unwrapped));
}

// RFC 8032, RFC 7748, NIST SP 800-185
async function curves() {
  const d = hex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60').toString('base64url');
  const x = hex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a').toString('base64url');
  const signer = await subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', d, x }, 'Ed25519', true, ['sign']);
  const signature = await subtle.sign('Ed25519', signer, new Uint8Array());
  show('ed25519', signature);
  const checker = await subtle.getPublicKey(signer, ['verify']);
  console.log(await subtle.verify('Ed25519', checker, signature, new Uint8Array()));
  show('pkcs8', await subtle.exportKey('pkcs8', signer));
  show('spki', await subtle.exportKey('spki', checker));
  const pair = await subtle.generateKey('X25519', true, ['deriveBits']);
  const other = await subtle.generateKey('X25519', true, ['deriveBits']);
  const [one, two] = await Promise.all([subtle.deriveBits({ name: 'X25519', public: other.publicKey }, pair.privateKey, 251),
    subtle.deriveBits({ name: 'X25519', public: pair.publicKey }, other.privateKey, 251)]);
  console.log(Buffer.from(one).equals(Buffer.from(two)), one.byteLength, new Uint8Array(one)[31] & 0x1f);
  const kmac = await subtle.importKey('raw-secret', Buffer.from(Array.from({ length: 32 }, (_, i) => 0x40 + i)), 'KMAC128', false, ['sign']);
  show('kmac', await subtle.sign({ name: 'KMAC128', outputLength: 256 }, kmac, hex('00010203')));
  show('kmac', await subtle.sign({ name: 'KMAC128', outputLength: 256, customization: Buffer.from('My Tagged Application') }, kmac, hex('00010203')));
}

// Signatures with chance in them are checked by their own verification.
async function roundTrips() {
  const data = Buffer.from('a message');
  for (const [algorithm, parameters] of [
    [{ name: 'ECDSA', namedCurve: 'P-256' }, { name: 'ECDSA', hash: 'SHA-256' }],
    [{ name: 'ECDSA', namedCurve: 'P-521' }, { name: 'ECDSA', hash: 'SHA-512' }],
    ['Ed448', 'Ed448'],
    [{ name: 'RSA-PSS', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' }, { name: 'RSA-PSS', saltLength: 20 }],
    [{ name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-384' }, 'RSASSA-PKCS1-v1_5'],
  ]) {
    const { publicKey, privateKey } = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const signature = await subtle.sign(parameters, privateKey, data);
    const isValid = await subtle.verify(parameters, publicKey, signature, data);
    const isOther = await subtle.verify(parameters, publicKey, signature, Buffer.from('another'));
    console.log(publicKey.algorithm.name, signature.byteLength, isValid, isOther);
    for (const [format, key] of [['spki', publicKey], ['jwk', publicKey], ['pkcs8', privateKey], ['jwk', privateKey]]) {
      const again = await subtle.importKey(format, await subtle.exportKey(format, key), algorithm, true, key.usages);
      console.log(format, again.type, again.usages.join(), JSON.stringify(await subtle.exportKey('jwk', again)) === JSON.stringify(await subtle.exportKey('jwk', key)));
    }
  }
  const rsa = await subtle.generateKey({ name: 'RSA-OAEP', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-1' }, true,
                                       ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey']);
  const label = Buffer.from('label');
  const sealed = await subtle.encrypt({ name: 'RSA-OAEP', label }, rsa.publicKey, data);
  console.log(Buffer.from(await subtle.decrypt({ name: 'RSA-OAEP', label }, rsa.privateKey, sealed)).toString());
  const aes = await subtle.generateKey({ name: 'AES-CBC', length: 192 }, true, ['encrypt']);
  const wrapped = await subtle.wrapKey('raw', aes, rsa.publicKey, 'RSA-OAEP');
  console.log((await subtle.unwrapKey('raw', wrapped, rsa.privateKey, 'RSA-OAEP', 'AES-CBC', true, ['encrypt'])).algorithm);
  const kw = await subtle.generateKey({ name: 'AES-KW', length: 128 }, true, ['wrapKey', 'unwrapKey']);
  const json = await subtle.wrapKey('jwk', aes, kw, 'AES-KW');
  console.log(json.byteLength, (await subtle.unwrapKey('jwk', json, kw, 'AES-KW', 'AES-CBC', true, ['encrypt'])).algorithm);
}

(async () => {
  await digests();
  await secrets();
  await ciphers();
  await curves();
  await roundTrips();
})();
