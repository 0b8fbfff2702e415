'use strict';
// Streams of zlib: what follows the end, the order of events, flushes, parameters, closing early.
const zlib = require('zlib');
const t = (n, f) => { try { const r = f(); console.log(n, String(r)); } catch (e) { console.log(n, e.name, e.code, e.errno, e.message); } };
const junk = Buffer.from('junk');
for (const [c, d] of [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress'], ['gzip', 'unzip'], ['deflate', 'unzip']]) {
  const one = zlib[c + 'Sync']('hello'), two = zlib[c + 'Sync']('WORLD');
  for (const rejectGarbageAfterEnd of [false, true]) {
    t(`${d} twice ${rejectGarbageAfterEnd}`, () => zlib[d + 'Sync'](Buffer.concat([one, two]), { rejectGarbageAfterEnd }));
    t(`${d} junk ${rejectGarbageAfterEnd}`, () => zlib[d + 'Sync'](Buffer.concat([one, junk]), { rejectGarbageAfterEnd }));
    t(`${d} zeros ${rejectGarbageAfterEnd}`, () => zlib[d + 'Sync'](Buffer.concat([one, Buffer.alloc(5)]), { rejectGarbageAfterEnd }));
  }
  t(`${d} cut`, () => zlib[d + 'Sync'](one.subarray(0, one.length - 3)));
  t(`${d} cut sync`, () => zlib[d + 'Sync'](one.subarray(0, one.length - 3), { finishFlush: c[0] === 'b' || c[0] === 'z' ? 1 : 2 }));
}
const log = (...a) => console.log(...a);
(async () => {
  for (const kind of ['one', 'split', 'late']) for (const d of ['gunzip', 'inflate', 'brotliDecompress', 'zstdDecompress']) for (const reject of [false, true]) {
    const c = { gunzip: 'gzip', inflate: 'deflate', brotliDecompress: 'brotliCompress', zstdDecompress: 'zstdCompress' }[d];
    const one = zlib[c + 'Sync']('hello'), two = zlib[c + 'Sync']('WORLD');
    const s = zlib['create' + d[0].toUpperCase() + d.slice(1)]({ rejectGarbageAfterEnd: reject }); const out = [];
    await new Promise((res) => { s.on('data', (x) => out.push(String(x))); s.on('end', () => out.push('end')); s.on('error', (e) => { out.push(e.code); }); s.on('close', () => { out.push('close'); res(); }); s.on('finish', () => out.push('finish'));
      if (kind === 'one') s.end(Buffer.concat([one, two])); else if (kind === 'split') { s.write(one); s.end(two); } else { s.write(one, () => setTimeout(() => s.end(junk), 5)); } });
    log(kind, d, reject, out.join());
  }
  const order = (n, s, f) => new Promise((res) => { for (const e of ['data', 'end', 'finish', 'close', 'error', 'drain', 'readable', 'prefinish']) if (e !== 'readable') s.on(e, (x) => log(n, e, e === 'data' ? x.length : x?.code ?? '')); s.on('close', () => setImmediate(res)); f(s); });
  await order('gzip', zlib.createGzip(), (s) => { s.write('a', (e) => log('wcb', e)); s.flush((...a) => log('flushcb', a)); s.write('b'); s.flush(2, () => log('flush2')); s.end('c', () => log('endcb')); });
  await order('params', zlib.createDeflate({ level: 9 }), (s) => { s.write('aaaaaaaaaaaaaaaa'); s.params(0, 0, (e) => { log('params', e); s.end('bbbb'); }); });
  await order('bad', zlib.createGunzip(), (s) => { s.write('nope', (e) => log('wcb', e?.code)); s.end(); });
  let flushed;
  const isFlushed = new Promise((resolve) => { flushed = () => { log('flushed'); resolve(); }; });
  await order('destroy', zlib.createGzip(), (s) => { s.write('x'); s.flush(flushed); s.destroy(new Error('mine')); });
  await isFlushed; // a thread may take its time
  await order('reset', zlib.createDeflate(), (s) => { s.write('x', () => { s.reset(); s.end('y'); }); });
  await order('big', zlib.createInflate({ chunkSize: 64 }), (s) => { s.end(zlib.deflateSync('x'.repeat(300)), () => log('endcb')); });
  const s = zlib.createDeflate();
  log(s._processChunk(Buffer.from('hello'), 4).toString('hex'), s._closed, s.bytesWritten);
})();
