// Round trips in every format, errors, flushing, and streams.
const zlib = require('zlib');
const input = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(50));
const pairs = [['deflate', 'inflate'], ['gzip', 'gunzip'], ['deflateRaw', 'inflateRaw'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress'], ['gzip', 'unzip'], ['deflate', 'unzip']];
const { promisify } = require('util');
(async () => {
  for (const [pack, unpack] of pairs) {
    const packed = zlib[`${pack}Sync`](input);
    console.log(pack, unpack, packed.length < input.length, zlib[`${unpack}Sync`](packed).equals(input));
    const again = await promisify(zlib[unpack])(await promisify(zlib[pack])(input));
    console.log(again.equals(input), zlib[`${unpack}Sync`](zlib[`${pack}Sync`]('')).length);
    for (const bad of [Buffer.from('no such format at all'), packed.subarray(0, packed.length - 4)]) {
      try {
        zlib[`${unpack}Sync`](bad);
        console.log('fine');
      } catch (error) {
        console.log(error.name, error.code, error.errno, error.message);
      }
      await promisify(zlib[unpack])(bad).catch((error) => console.log('  later', error.code, error.errno, error.message));
    }
  }
  console.log(zlib.inflateSync(zlib.deflateSync(input, { dictionary: Buffer.from('quick brown fox') }), { dictionary: Buffer.from('quick brown fox') }).equals(input));
  for (const options of [undefined, { dictionary: Buffer.from('wrong') }]) {
    try {
      zlib.inflateSync(zlib.deflateSync(input, { dictionary: Buffer.from('quick brown fox') }), options);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  for (const options of [{ level: 99 }, { level: 'x' }, { windowBits: 5 }, { chunkSize: 1 }, { memLevel: 20 }, { strategy: 9 }, { dictionary: 5 }, { flush: 99 }]) {
    try {
      zlib.createGzip(options);
      console.log('fine');
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  console.log(zlib.crc32('hello'), zlib.crc32(Buffer.from('world'), 907060870));
  console.log(zlib.gunzipSync(Buffer.concat([zlib.gzipSync('abc'), zlib.gzipSync('def')])).toString());
  const stream = zlib.createGzip({ chunkSize: 64 });
  const parts = [];
  stream.on('data', (part) => parts.push(part)).on('end', () => console.log('end', stream.bytesWritten)).on('close', () => console.log('close'));
  stream.write(input);
  await new Promise((resolve) => stream.flush(resolve));
  console.log('flushed', parts.length > 0);
  stream.end('tail');
  await new Promise((resolve) => stream.on('close', resolve));
  console.log(zlib.gunzipSync(Buffer.concat(parts)).toString().endsWith('dog. tail'));
  try {
    zlib.inflateSync(zlib.deflateSync(input), { maxOutputLength: 10 });
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
})();
