'use strict';
// Arrays whose buffers are detached, and lists that change while they are read.
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const crypto = require('crypto');
const { Certificate } = crypto;

function detached(make = (memory) => new Uint8Array(memory)) {
  const memory = new ArrayBuffer(16);
  const view = make(memory);
  structuredClone(memory, { transfer: [memory] });
  return view;
}

function show(name, work) {
  let result;
  try {
    result = work();
    if (ArrayBuffer.isView(result)) result = `bytes ${Buffer.from(result.buffer, result.byteOffset, result.byteLength).toString('hex')}`;
  } catch (error) {
    result = `threw ${error.code ?? error.name}`;
  }
  console.log(name, result);
}

for (const name of ['exportPublicKey', 'exportChallenge']) show(name, () => Certificate[name](detached()));
const bytes = detached((memory) => Buffer.from(memory));
show('toString', () => bytes.toString() + bytes.toString('hex') + bytes.toString('base64') + bytes.toString('ucs2'));
show('indexOf', () => bytes.indexOf('x'));
show('indexOf empty', () => bytes.indexOf(''));
show('lastIndexOf', () => bytes.lastIndexOf('x'));
show('compare', () => Buffer.compare(bytes, Buffer.alloc(3)));
show('equals', () => bytes.equals(Buffer.alloc(0)));
show('swap16', () => bytes.swap16().length);
show('write', () => bytes.write('abc'));
show('copy', () => bytes.copy(Buffer.alloc(3)));
show('concat', () => Buffer.concat([bytes, Buffer.from('a')]));
show('hash', () => crypto.createHash('md5').update(detached()).digest('hex'));
show('hmac', () => crypto.createHmac('md5', detached()).update(detached()).digest('hex'));
show('timingSafeEqual', () => crypto.timingSafeEqual(detached(), new Uint8Array(0)));
show('randomFillSync', () => crypto.randomFillSync(detached()).length);
show('cipher', () => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)).update(detached()).length);
show('deflate', () => zlib.inflateSync(zlib.deflateSync(detached())).length);
show('dictionary', () => zlib.inflateSync(zlib.deflateSync('abc', { dictionary: detached() }), { dictionary: detached() }).toString());
show('inflate', () => zlib.inflateSync(detached()).length);
show('brotli', () => zlib.brotliDecompressSync(zlib.brotliCompressSync(detached())).length);
show('crc32', () => zlib.crc32(detached()));
show('decode', () => `[${new TextDecoder().decode(detached())}]`);

const file = path.join(os.tmpdir(), `detached-${process.pid}`);
const fd = fs.openSync(file, 'w+');
show('write', () => fs.writeSync(fd, detached()));
show('writev', () => fs.writevSync(fd, [detached(), Buffer.from('abc'), detached()]));
show('writeFile', () => fs.writeFileSync(file, detached()));
show('times too large', () => fs.utimesSync(file, 1e300, 2 ** 63));
const shrinking = [Buffer.alloc(10), Buffer.alloc(10)];
Object.defineProperty(shrinking, 1, {
  get() {
    shrinking.length = 0;
    return Buffer.alloc(4);
  },
});
show('a list that shrinks', () => fs.writevSync(fd, shrinking));
show('many', () => fs.writevSync(fd, Array(5000).fill(Buffer.alloc(1))));
show('many to read', () => fs.readvSync(fd, Array(5000).fill(Buffer.alloc(1)), 0));
show('a proxy that is too long', () => fs.writevSync(fd, new Proxy([Buffer.alloc(1)], { get: (list, key) => (key === 'length' ? 1e6 : list[key]) })));
show('holes', () => fs.writevSync(fd, [Buffer.alloc(1), , Buffer.alloc(1)])); // eslint-disable-line no-sparse-arrays
fs.closeSync(fd);
fs.unlinkSync(file);
