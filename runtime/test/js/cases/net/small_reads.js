'use strict';

// Received data is a Buffer, whatever its size and however often: also after everything here was compiled.

const net = require('node:net');

const sizes = [1, 2, 64, 999, 1000, 1001, 4000];
const rounds = 3000;
const seen = { count: 0, wrong: 0, kept: [] };

const server = net.createServer((socket) => {
  socket.on('data', (chunk) => socket.write(chunk));
});

server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let expected = Buffer.alloc(0);
  let got = [];
  let length = 0;
  function next() {
    const size = sizes[seen.count % sizes.length];
    expected = Buffer.alloc(size, String.fromCharCode(97 + seen.count % 26));
    client.write(expected);
  }
  client.on('connect', next);
  client.on('data', (chunk) => {
    if (!Buffer.isBuffer(chunk) || chunk.constructor !== Buffer || chunk.toString('latin1').length !== chunk.length) seen.wrong++;
    got.push(chunk);
    length += chunk.length;
    if (length < expected.length) return;
    if (!Buffer.concat(got).equals(expected)) seen.wrong++;
    if (seen.count % 500 === 0) seen.kept.push(got[0]);
    got = [];
    length = 0;
    if (++seen.count < rounds) {
      next();
      return;
    }
    const [first] = seen.kept;
    console.log(seen.count, 'wrong:', seen.wrong);
    console.log(seen.kept.map((kept) => kept.toString('latin1', 0, 1)).join(''));
    console.log(first, first.buffer instanceof ArrayBuffer, first.buffer.byteLength >= first.length, first.toString('hex'));
    first[0] = 0x41;
    console.log(first.buffer === first.buffer, new Uint8Array(first.buffer, first.byteOffset, 1)[0]);
    console.log(Object.prototype.toString.call(first), first.slice(0, 1) instanceof Buffer, structuredClone(first));
    client.end();
    server.close();
  });
});
