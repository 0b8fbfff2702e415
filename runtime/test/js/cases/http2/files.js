// Files as responses.
const http2 = require('http2');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'h2-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, 'x'.repeat(100000) + 'the end');
const fd = fs.openSync(file);

const server = http2.createServer();
server.on('stream', (stream, { ':path': url }) => {
  stream.on('error', (error) => console.log('error', error.code));
  if (url === '/file') {
    stream.respondWithFile(file, { 'content-type': 'text/plain' }, { statCheck: (stat, headers) => { headers['x-size'] = stat.size; } });
  } else if (url === '/range') {
    stream.respondWithFile(file, {}, { offset: 99998, length: 5, waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ a: 'b' }));
  } else if (url === '/refused') {
    stream.respondWithFile(file, {}, { statCheck() {
      stream.respond({ ':status': 304 });
      return false;
    } });
  } else if (url === '/none') {
    stream.respondWithFile(`${file}.none`, {}, { onError(error) {
      console.log('onError', error.code);
      stream.respond({ ':status': 404 });
      stream.end();
    } });
  } else if (url === '/folder') {
    stream.respondWithFile(folder);
  } else {
    stream.respondWithFD(fd, { 'content-length': 7 }, { offset: 100000, length: 7 });
  }
});

function ask(client, url) {
  return new Promise((resolve) => {
    const stream = client.request({ ':path': url });
    let size = 0;
    let last = '';
    stream.on('response', ({ date, ...headers }) => console.log(url, JSON.stringify(headers)));
    stream.on('trailers', (trailers) => console.log('trailers', JSON.stringify(trailers)));
    stream.on('data', (chunk) => {
      size += chunk.length;
      last = String(chunk).slice(-7);
    });
    stream.on('error', (error) => console.log('client', error.code));
    stream.on('close', () => {
      console.log(size, last, stream.rstCode);
      setTimeout(resolve, 10);
    });
  });
}

server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (const url of ['/file', '/range', '/refused', '/none', '/folder', '/fd', '/fd']) await ask(client, url);
  client.close();
  server.close();
  fs.closeSync(fd);
  fs.rmSync(folder, { recursive: true });
});
