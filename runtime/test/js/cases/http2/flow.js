// Much data in both directions on many streams at once; a stream that is not read meets backpressure.
const http2 = require('http2');
const crypto = require('crypto');
const { pipeline } = require('stream');

const big = Buffer.alloc(3 * 1024 * 1024 + 17, 'abcdefghij');
const digest = (data) => crypto.createHash('sha1').update(data).digest('hex').slice(0, 12);

const server = http2.createServer();
let pausedBytes = 0;
server.on('stream', (stream, headers) => {
  if (headers[':path'] === '/echo') {
    stream.respond();
    pipeline(stream, stream, (error) => console.log('piped', error?.code));
  } else if (headers[':path'] === '/held') {
    stream.respond();
    const write = () => {
      while (pausedBytes < 50e6) {
        pausedBytes += 16384;
        if (!stream.write(Buffer.alloc(16384))) return stream.once('drain', write);
      }
    };
    write();
    stream.on('error', () => {});
  } else {
    stream.respond({ 'content-length': big.length });
    stream.end(big);
  }
});

function collect(stream) {
  return new Promise((resolve) => {
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const all = await Promise.all(Array.from({ length: 5 }, (_, i) => {
    if (i % 2 === 0) return collect(client.request({ ':path': '/big' }));
    const stream = client.request({ ':path': '/echo', ':method': 'POST' });
    stream.end(big.subarray(0, 500000 + i));
    return collect(stream);
  }));
  for (const data of all) console.log(data.length, digest(data));
  console.log(digest(big));
  const held = client.request({ ':path': '/held' });
  held.on('response', () => {});
  held.on('error', (error) => console.log(error.code));
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log('held back', pausedBytes < 1e6);
  held.on('close', () => {
    client.close();
    server.close(() => console.log('closed'));
  });
  held.destroy();
});
