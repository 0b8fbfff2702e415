'use strict';
// Keys of the Web Cryptography API: how they are described, written as JSON and read.
const { subtle } = globalThis.crypto; const B = Buffer;
(async () => {
  const k = await subtle.importKey('raw', B.alloc(16), 'aes-gcm', 1, ['unwrapKey','encrypt','encrypt','decrypt']);
  console.log(k.usages, k.extractable, k.algorithm);
  const red = (o) => JSON.stringify(o, (n, v) => n && typeof v === 'string' && v.length > 20 ? '#' : v);
  const pair = async (a, u) => { const p = await subtle.generateKey(a, true, u); for (const q of [p.publicKey, p.privateKey]) console.log(red(await subtle.exportKey('jwk', q)), q.algorithm, q.usages); };
  await pair({name:'RSA-PSS', modulusLength: 1024, publicExponent: new Uint8Array([1,0,1]), hash:'SHA-256'}, ['verify','sign']);
  await pair({name:'RSA-OAEP', modulusLength: 1024, publicExponent: new Uint8Array([0,1,0,1]), hash:{name:'sha-1'}}, ['decrypt','encrypt']);
  await pair({name:'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([3]), hash:'SHA3-256'}, ['verify','sign']);
  await pair({name:'ecdsa', namedCurve:'P-384'}, ['verify','sign']);
  await pair({name:'ECDH', namedCurve:'P-384'}, ['deriveKey','deriveBits']);
  await pair('Ed25519', ['verify','sign']);
  await pair('Ed448', ['verify','sign']);
  await pair('X25519', ['deriveBits']);
  await pair('X448', ['deriveBits']);
  for (const [a, f] of [['AES-CTR'], ['AES-CBC'], ['AES-KW'], ['AES-OCB','raw-secret'], ['ChaCha20-Poly1305','raw-secret'], [{name:'HMAC',hash:'SHA-512'}], [{name:'HMAC',hash:'SHA3-512'}], ['KMAC256','raw-secret']]) {
    const n = a.name ?? a;
    const q = await subtle.importKey(f ?? 'raw', B.alloc(32), a, true, /MAC/.test(n) ? ['sign'] : ['wrapKey']);
    console.log(q.algorithm, red(await subtle.exportKey('jwk', q)));
  }
  for (const n of ['PBKDF2','HKDF']) { const q = await subtle.importKey('raw', B.alloc(3), n, false, ['deriveKey']); console.log(q.algorithm, q.type); }
  for (const a of [{name:'KMAC128'}, {name:'KMAC256'}, {name:'HMAC',hash:'SHA-1'}, {name:'HMAC',hash:'SHA-384'}, {name:'ChaCha20-Poly1305'}])
    console.log((await subtle.generateKey(a, true, /MAC/.test(a.name) ? ['sign'] : ['encrypt'])).algorithm);
  const e = async (l, f) => { try { console.log(l, await f()); } catch (x) { console.log(l, x.name, x.code, x.message, x.cause?.message, x.cause?.code); } };
  const rsa = await subtle.generateKey({name:'RSA-PSS', modulusLength: 1024, publicExponent: new Uint8Array([1,0,1]), hash:'SHA-256'}, true, ['sign','verify']);
  const spki = await subtle.exportKey('spki', rsa.publicKey);
  const pkcs8 = await subtle.exportKey('pkcs8', rsa.privateKey);
  await e('a', () => subtle.importKey('spki', spki, 'Ed25519', true, ['verify']));
  await e('b', () => subtle.importKey('spki', spki, {name:'ECDSA',namedCurve:'P-256'}, true, ['sign']));
  await e('c', () => subtle.importKey('spki', spki, {name:'RSA-PSS',hash:'SHA-256'}, true, ['sign']));
  await e('d', () => subtle.importKey('pkcs8', pkcs8, {name:'RSA-PSS',hash:'SHA-256'}, true, ['verify']));
  await e('d2', () => subtle.importKey('spki', B.concat([B.from(spki), B.alloc(3)]), {name:'RSA-PSS',hash:'SHA-256'}, true, ['verify']));
  await e('g', () => subtle.importKey('jwk', {kty:'EC',crv:'P-256',x:'AA',y:'AA'}, {name:'ECDSA',namedCurve:'P-256'}, true, ['verify']));
  await e('h', () => subtle.importKey('jwk', {kty:'EC',crv:'P-256',x:'AA',y:'AA'}, {name:'ECDSA',namedCurve:'P-256'}, true, ['sign']));
  await e('i', () => subtle.importKey('jwk', {kty:'EC',crv:'P-256',x:'AA',y:'AA'}, {name:'ECDH',namedCurve:'P-256'}, true, ['deriveBits']));
  await e('j', () => subtle.importKey('jwk', {kty:'EC',crv:'P-256',x:'AA',y:'AA', key_ops:['a']}, {name:'ECDSA',namedCurve:'P-256'}, true, ['verify']));
  await e('k', () => subtle.importKey('jwk', {kty:'EC',crv:'P-256',x:'AA',y:'AA', use:'enc'}, {name:'ECDSA',namedCurve:'P-256'}, true, []));
  await e('k2', () => subtle.importKey('jwk', {kty:'EC',crv:'P-256',x:'AA',y:'AA',d:'AA', use:'enc'}, {name:'ECDSA',namedCurve:'P-256'}, true, []));
  await e('k3', () => subtle.importKey('raw', B.alloc(31), 'X25519', true, []));
  await e('l', () => subtle.sign({name:'Ed448', context: B.alloc(256)}, k, B.alloc(1)));
  await e('m', () => subtle.encrypt({name:'ChaCha20-Poly1305', iv: B.alloc(11)}, k, B.alloc(1)));
  await e('m2', () => subtle.encrypt({name:'ChaCha20-Poly1305', iv: B.alloc(12), tagLength: 64}, k, B.alloc(1)));
  await e('m3', () => subtle.encrypt({name:'AES-OCB', iv: B.alloc(16)}, k, B.alloc(1)));
  await e('m4', () => subtle.encrypt({name:'AES-OCB', iv: B.alloc(12), tagLength: 32}, k, B.alloc(1)));
  await e('n', () => subtle.sign({name:'KMAC128'}, k, B.alloc(1)));
  await e('o', () => subtle.deriveKey({name:'HKDF',hash:'SHA-1',salt:B.alloc(1),info:B.alloc(1)}, k, {name:'HMAC',hash:'SHA3-256'}, true, ['sign']));
  await e('p', () => subtle.deriveKey({name:'HKDF',hash:'MD5',salt:B.alloc(1),info:B.alloc(1)}, k, {name:'HMAC',hash:'SHA3-256'}, true, ['sign']));
  await e('q', () => subtle.deriveKey({name:'HKDF',hash:{},salt:B.alloc(1),info:B.alloc(1)}, k, {name:'HMAC',hash:'SHA3-256'}, true, ['sign']));
  await e('r', () => subtle.sign({name:'ECDSA', hash:'cSHAKE128'}, k, B.alloc(1)));
  await e('s', () => subtle.importKey('raw', B.alloc(4), {name:'HMAC', hash:'MD5'}, true, ['sign']));
  await e('t', () => subtle.importKey('spki', B.alloc(4), {name:'RSA-PSS', hash:'MD5'}, true, ['sign']));
  await e('t2', () => subtle.generateKey({name:'RSA-PSS', hash:'MD5', modulusLength:1024, publicExponent:new Uint8Array([1,0,1])}, true, ['sign']));
  await e('t3', () => subtle.deriveBits({name:'PBKDF2',hash:'MD5',salt:B.alloc(1),iterations:1}, k, 8));
  for (const n of ['type','usages']) console.log(Object.getOwnPropertyDescriptor(CryptoKey.prototype,n).get.name);
  console.log(SubtleCrypto.supports.name, Object.getOwnPropertyNames(crypto), Object.getOwnPropertyNames(subtle));
})();
