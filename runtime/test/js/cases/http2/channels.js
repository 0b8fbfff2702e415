// The diagnostics channels of HTTP/2's streams, on both sides.
const dc = require('node:diagnostics_channel');
const http2 = require('node:http2');

const said = [];
const names = [];
for (const side of ['client', 'server']) for (const name of ['created', 'start', 'error', 'finish', 'close']) names.push(`http2.${side}.stream.${name}`);
names.push('http2.client.stream.bodyChunkSent', 'http2.client.stream.bodySent');
for (const channel of names) {
  dc.subscribe(channel, ({ stream, headers, flags, error, writev, data, encoding }) => {
    const path = headers?.[':path'] ?? headers?.[':status'];
    const body = Array.isArray(data) ? data.map((each) => (Buffer.isBuffer(each) ? `<${each}>` : `${each.chunk}/${each.encoding}`)) : Buffer.isBuffer(data) ? `<${data}>` : data;
    said.push([channel.slice(6), stream.constructor.name, path, typeof flags, error?.code, writev, body, encoding, channel.endsWith('close') ? stream.rstCode : ''].join(' '));
  });
}

const server = http2.createServer();
server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  if (headers[':path'] === '/broken') {
    stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  stream.resume();
  stream.respond({ ':status': 201 });
  stream.end('answer');
});

server.listen(0, async () => {
  const client = http2.connect(`http://localhost:${server.address().port}`);
  const ask = (path, body) => new Promise((resolve) => {
    const stream = client.request({ ':path': path, ':method': body ? 'POST' : 'GET' });
    stream.on('error', () => {}).on('close', resolve).resume();
    if (body) body(stream);
  });
  await ask('/plain');
  await ask('/one', (stream) => stream.end('text'));
  await ask('/many', (stream) => {
    stream.write('a\u00e9', 'latin1');
    stream.write(Buffer.from('b'));
    stream.end();
  });
  await ask('/buffers', (stream) => {
    stream.write(Buffer.from('a'));
    stream.write(Buffer.from('b'));
    stream.end();
  });
  await ask('/broken');
  client.close();
  server.close(() => {
    // Both sides live in this process: only the order within each is promised.
    for (const side of ['client', 'server']) console.log(said.filter((line) => line.startsWith(side)).join('\n'));
  });
});
