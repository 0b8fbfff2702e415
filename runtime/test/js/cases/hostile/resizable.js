'use strict';

// Views whose buffer has become too short for them.
const t = (n, f) => {
  try {
    console.log(n, f());
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
const fs = require('fs'),
  crypto = require('crypto'),
  zlib = require('zlib');
const mk = () => {
  const a = new ArrayBuffer(64, { maxByteLength: 4096 });
  return [a, Buffer.from(a)];
};
t('shrunk read', () => {
  const [a, b] = mk();
  a.resize(8);
  return fs.readSync(fs.openSync('/dev/zero'), new Uint8Array(a), 0, 8);
});
t('len', () => {
  const [a, b] = mk();
  a.resize(8);
  return b.length;
});
t('str', () => {
  const [a, b] = mk();
  a.resize(8);
  return b.toString('hex').length;
});
t('write', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 0, 64);
  a.resize(8);
  return fs.writeSync(fs.openSync('/dev/null', 'w'), v);
});
t('hash', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 32, 16);
  a.resize(8);
  return crypto.createHash('md5').update(v).digest('hex');
});
t('inflate', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 32, 16);
  a.resize(8);
  return zlib.deflateSync(v).length;
});
t('decode', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 32, 16);
  a.resize(8);
  return new TextDecoder().decode(v).length;
});
t('clone', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 32, 16);
  a.resize(8);
  return structuredClone(v).length;
});
t('view', () => {
  const [a, b] = mk();
  const v = new DataView(a, 32, 16);
  a.resize(8);
  return structuredClone(v).byteLength;
});
t('blob', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 32, 16);
  a.resize(8);
  return new Blob([v]).size;
});
t('isUtf8', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 32, 16);
  a.resize(8);
  return require('buffer').isUtf8(v);
});
t('timing', () => {
  const [a, b] = mk();
  const v = new Uint8Array(a, 0, 16);
  a.resize(8);
  return crypto.timingSafeEqual(v, Buffer.alloc(0));
});
