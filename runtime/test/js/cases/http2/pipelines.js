'use strict';

// Pipelines into and out of streams of http2 call back once, even if their source is destroyed meanwhile.

const http2 = require('http2');
const { Readable, pipeline } = require('stream');

const calls = { client: 0, server: 0 };

const server = http2.createServer((req, res) => pipeline(req, res, () => calls.server++));
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const req = client.request({ ':method': 'POST' });
  const source = new Readable({ read: () => source.push('hello') });
  pipeline(source, req, (error) => {
    calls.client++;
    console.log('client:', error?.code);
    server.close();
    client.close();
  });
  let received = 0;
  req.on('data', (chunk) => {
    received += chunk.length;
    if (received >= 32768) source.destroy();
  });
});

process.on('exit', () => console.log(calls));
