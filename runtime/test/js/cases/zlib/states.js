'use strict';
// Compression: options, states and errors, in Node's words.
const zlib = require('zlib');
const B = Buffer;
const brief = (value) => (B.isBuffer(value) ? `${value.length} bytes` : typeof value === 'object' && value !== null ? value.constructor?.name : value);
const show = (label, run) => {
  try {
    console.log(label, 'ok', brief(run()));
  } catch (error) {
    console.log(label, error.name, error.code, error.errno, error.message);
  }
};
const all = (label, list, run) => { for (const each of list) show(`${label} ${typeof each === 'object' ? JSON.stringify(each) : String(each)}`, () => run(each)); };
const text = B.from('some text that repeats, some text that repeats, some text that repeats');

for (const [pack, unpack] of [['deflateSync', 'inflateSync'], ['gzipSync', 'gunzipSync'], ['deflateRawSync', 'inflateRawSync'], ['brotliCompressSync', 'brotliDecompressSync'],
  ['zstdCompressSync', 'zstdDecompressSync']]) {
  show(pack, () => zlib[unpack](zlib[pack](text)).equals(text));
  all(unpack, ['', 'junk', B.alloc(10), zlib[pack](text).subarray(0, 10), 5, null, undefined, {}].map((data) => ({ data })), ({ data }) => zlib[unpack](data));
  show(`${unpack} cut`, () => zlib[unpack](zlib[pack](text).subarray(0, -3)));
  show(`${unpack} partly`, () => zlib[unpack](zlib[pack](text).subarray(0, -3), { finishFlush: unpack.startsWith('brotli') ? 1 : unpack.startsWith('zstd') ? 1 : 2 }).length > 0);
  show(`${unpack} limit`, () => zlib[unpack](zlib[pack](text), { maxOutputLength: 8 }));
  show(`${unpack} more`, () => zlib[unpack](B.concat([zlib[pack](text), B.from('junk')])));
  show(`${unpack} refuse`, () => zlib[unpack](B.concat([zlib[pack](text), B.from('junk')]), { rejectGarbageAfterEnd: true }));
  show(`${unpack} twice`, () => zlib[unpack](B.concat([zlib[pack](text), zlib[pack](text)])));
  show(`${pack} info`, () => Object.keys(zlib[pack](text, { info: true })).join());
}
show('unzip', () => zlib.unzipSync(zlib.gzipSync(text)).equals(text));
show('unzip', () => zlib.unzipSync(zlib.deflateSync(text)).equals(text));
show('unzip', () => zlib.unzipSync('junk'));
for (const option of ['level', 'memLevel', 'strategy', 'windowBits', 'chunkSize', 'flush', 'finishFlush', 'maxOutputLength']) {
  all(`deflate ${option}`, [NaN, -2, 0, 1, 100, 'x', null, undefined, Infinity, 1.5], (value) => zlib.createDeflate({ [option]: value }));
}
all('windowBits 0', ['createInflate', 'createGunzip', 'createDeflate', 'createUnzip'], (name) => zlib[name]({ windowBits: 0 }));
all('dictionary', [5, 'x', {}, B.from('abc'), new ArrayBuffer(3), null], (dictionary) => zlib.createDeflate({ dictionary }));
show('dictionary', () => zlib.inflateSync(zlib.deflateSync(text, { dictionary: text })));
show('dictionary', () => zlib.inflateSync(zlib.deflateSync(text, { dictionary: text }), { dictionary: B.from('other') }));
show('dictionary', () => zlib.inflateSync(zlib.deflateSync(text, { dictionary: text }), { dictionary: text }).equals(text));
all('brotli', [{ params: 5 }, { params: { 5: 'x' } }, { params: { 99: 1 } }, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 99 } }, { chunkSize: 1 }, { flush: 9 }], (options) => zlib.createBrotliCompress(options));
all('zstd', [{ params: 5 }, { params: { 5: 'x' } }, { params: { 99: 1 } }, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 999 } }, { pledgedSrcSize: -1 }, { pledgedSrcSize: 5 }], (options) => zlib.createZstdCompress(options));
show('pledge', () => zlib.zstdCompressSync(text, { pledgedSrcSize: 5 }));
all('crc32', ['x', B.from('x'), 5, undefined, {}], (data) => zlib.crc32(data));
all('crc32 value', [0, 5, -1, 2 ** 32, 'x'], (value) => zlib.crc32('x', value));
show('called', () => zlib.Deflate().constructor.name);
show('codes', () => `${zlib.codes.Z_OK} ${zlib.codes['-3']} ${Object.isFrozen(zlib.codes)}`);
show('callback', () => zlib.deflate('x'));
show('callback', () => zlib.deflate('x', {}));
{
  const stream = zlib.createDeflate();
  all('params', [[5, 99], [99, 0], ['x', 0], [5, 'x']], (given) => stream.params(...given, () => {}));
  all('flush', [[99], ['x']], (given) => stream.flush(...given));
  show('reset', () => stream.reset());
  show('bytes', () => `${stream.bytesWritten} ${stream.bytesRead}`);
  show('close', () => stream.close());
  show('close again', () => stream.close());
}
function inTurn([name, ...rest]) {
  if (name === undefined) return;
  zlib[name]('junk', (error, result) => {
    console.log(name, error.code, error.errno, result);
    inTurn(rest);
  });
}
const log = [];
const events = ['end', 'finish', 'close', 'error'];
const deflate = zlib.createDeflate({ level: 9, chunkSize: 64 });
for (const name of events) deflate.on(name, (value) => log.push(value === undefined ? name : `${name} ${value.code}`));
deflate.resume();
deflate.write(text, () => log.push('written'));
deflate.flush(() => log.push('flushed'));
deflate.params(0, zlib.constants.Z_DEFAULT_STRATEGY, () => log.push('params'));
deflate.write(text);
deflate.flush(zlib.constants.Z_FULL_FLUSH, () => log.push('flushed fully'));
deflate.end(text, () => log.push('ended'));
deflate.on('close', () => {
  console.log(log.join(' | '), deflate.bytesWritten);
  const inflate = zlib.createInflate();
  const second = [];
  for (const name of ['data', 'end', 'finish', 'close', 'error']) inflate.on(name, (value) => second.push(name === 'error' ? `error ${value.code} ${value.errno} ${value.message}` : name));
  inflate.on('close', () => {
    console.log(second.join(' | '));
    inTurn(['gunzip', 'brotliDecompress', 'zstdDecompress', 'unzip']);
  });
  inflate.end('junk');
});
