'use strict';
// When promises of the Web Cryptography API settle: at once where nothing is computed, else from the loop.
const { subtle } = globalThis.crypto;
const B = Buffer;
async function ticks(label, f) {
  let n = 0, done = false, imm = false, nt = false;
  setImmediate(() => { imm = true; });
  process.nextTick(() => { nt = true; });
  const p = f();
  p.then(() => { done = true; }, () => { done = true; });
  while (!done && n < 12) { n++; await null; }
  if (done) console.log(label, 'microticks', n, 'nexttick', nt, 'immediate', imm);
  else { try { await p; } catch {} console.log(label, 'later', 'nexttick', nt); }
}
(async () => {
  const kd = B.alloc(16);
  await ticks('importraw', () => subtle.importKey('raw', kd, 'AES-CBC', true, ['encrypt']));
  await ticks('importbad', () => subtle.importKey('raw', kd, 'AES-CBC', true, []));
  await ticks('importargs', () => subtle.importKey('raw'));
  const k = await subtle.importKey('raw', kd, 'AES-CBC', true, ['encrypt','wrapKey','unwrapKey']);
  const kw = await subtle.importKey('raw', kd, 'AES-KW', true, ['wrapKey','unwrapKey']);
  await ticks('exportraw', () => subtle.exportKey('raw', k));
  await ticks('exportjwk', () => subtle.exportKey('jwk', k));
  await ticks('exportbad', () => subtle.exportKey('spki', k));
  const ec = await subtle.generateKey({name:'ECDSA',namedCurve:'P-256'}, true, ['sign','verify']);
  await ticks('exportspki', () => subtle.exportKey('spki', ec.publicKey));
  await ticks('exportpkcs8', () => subtle.exportKey('pkcs8', ec.privateKey));
  await ticks('digest', () => subtle.digest('SHA-256', kd));
  await ticks('digestbad', () => subtle.digest('SHA-257', kd));
  await ticks('encrypt', () => subtle.encrypt({name:'AES-CBC', iv: B.alloc(16)}, k, kd));
  await ticks('genaes', () => subtle.generateKey({name:'AES-CBC', length:128}, true, ['encrypt']));
  await ticks('getpub', () => subtle.getPublicKey(ec.privateKey, ['verify']));
  const hk = await subtle.importKey('raw', kd, 'HKDF', false, ['deriveBits','deriveKey']);
  await ticks('der0', () => subtle.deriveBits({name:'HKDF',hash:'SHA-1',salt:kd,info:kd}, hk, 0));
  await ticks('der8', () => subtle.deriveBits({name:'HKDF',hash:'SHA-1',salt:kd,info:kd}, hk, 8));
  const pk = await subtle.importKey('raw', kd, 'PBKDF2', false, ['deriveBits','deriveKey']);
  await ticks('pb0', () => subtle.deriveBits({name:'PBKDF2',hash:'SHA-1',salt:kd,iterations:1}, pk, 0));
  const spki = await subtle.exportKey('spki', ec.publicKey), jwk = await subtle.exportKey('jwk', ec.publicKey);
  await ticks('impspki', () => subtle.importKey('spki', spki, {name:'ECDSA',namedCurve:'P-256'}, true, ['verify']));
  await ticks('impjwk', () => subtle.importKey('jwk', jwk, {name:'ECDSA',namedCurve:'P-256'}, true, ['verify']));
  await ticks('wrap', () => subtle.wrapKey('raw', k, kw, 'AES-KW'));
  const x = await subtle.generateKey('X25519', true, ['deriveBits']);
  await ticks('x0', () => subtle.deriveBits({name:'X25519', public:x.publicKey}, x.privateKey, 0));
  await ticks('x8', () => subtle.deriveBits({name:'X25519', public:x.publicKey}, x.privateKey, 256));
  await ticks('enc7', () => subtle.encrypt({name:'AES-CBC', iv: B.alloc(15)}, k, kd));
  const g = await subtle.importKey('raw', kd, 'AES-GCM', true, ['encrypt','decrypt']);
  await ticks('gcmshort', () => subtle.decrypt({name:'AES-GCM', iv: B.alloc(12)}, g, B.alloc(1)));
  await ticks('gcmiv0', () => subtle.encrypt({name:'AES-GCM', iv: B.alloc(0)}, g, B.alloc(1)));
  // order of completion within microtask: which is first when settled together?
  const log = [];
  await Promise.all([
    subtle.wrapKey('raw', k, kw, 'AES-KW').then(() => log.push('wrap')),
    subtle.importKey('raw', kd, 'AES-CBC', true, ['encrypt']).then(() => log.push('import')),
    subtle.exportKey('raw', k).then(() => log.push('export')),
    Promise.resolve().then(() => log.push('p1')).then(() => log.push('p2')).then(() => log.push('p3')).then(() => log.push('p4')).then(() => log.push('p5')),
    new Promise((r) => process.nextTick(() => { log.push('tick'); r(); })),
  ]);
  console.log(log.join());
})();
