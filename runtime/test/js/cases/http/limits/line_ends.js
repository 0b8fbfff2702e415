'use strict';
// Newlines without a carriage return, trailers that claim a length, too many headers: refused, whole or in two pieces.
const http = require('http');
const net = require('net');

const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const many = (count, header) => `GET / HTTP/1.1\r\nHost: a\r\n${`${header}\r\n`.repeat(count)}\r\n`;
const requests = {
  allBare: 'GET / HTTP/1.1\nHost: a\n\n',
  afterVersion: 'GET / HTTP/1.1\nHost: a\r\n\r\n',
  noHeaders: 'GET / HTTP/1.1\r\n\n',
  afterValue: 'GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n',
  afterLastValue: 'GET / HTTP/1.1\r\nHost: a\r\nX: y\n\r\n',
  emptyLine: 'GET / HTTP/1.1\r\nHost: a\r\n\n',
  emptyLineSmuggling: 'GET /one HTTP/1.1\r\nHost: a\r\n\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n',
  secondOfTwo: 'GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\n\n',
  chunkSize: `${chunked}3\nabc\r\n0\r\n\r\n`,
  chunkData: `${chunked}3\r\nabc\n0\r\n\r\n`,
  chunkExtension: `${chunked}3;x=y\nabc\r\n0\r\n\r\n`,
  chunkEnd: `${chunked}3\r\nabc\r\n0\r\n\n`,
  chunkEndAtOnce: `${chunked}0\r\n\n`,
  trailer: `${chunked}3\r\nabc\r\n0\r\nX: y\n\r\n`,
  trailerEnd: `${chunked}3\r\nabc\r\n0\r\nX: y\r\n\n`,
  trailerLength: `${chunked}3\r\nabc\r\n0\r\nContent-Length: 5\r\n\r\n`,
  trailerFine: `${chunked}3\r\nabc\r\n0\r\nX: y\r\n\r\n`,
  newlinesInBody: `${chunked}4\r\n\n\n\n\n\r\n1\r\n\n\r\n0\r\n\r\n`,
  newlinesInPlainBody: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\n\n\n\n',
  pipelined: `${chunked}3\r\nabc\r\n0\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n`,
  count1000: many(999, 'a:b'),
  count1001: many(1000, 'a:b'),
  count1500: many(1499, 'abc: de'),
};

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk; });
  request.on('end', () => response.end(JSON.stringify([request.url, request.rawHeaders.length, body, request.trailers])));
});
server.on('clientError', (error, socket) => {
  if (socket.writable) socket.end(`refused: ${error.code} ${error.reason}`);
});

function ask(text, cut) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => { answer += chunk; });
    // What was answered before something was refused depends on the pace.
    socket.on('close', () => resolve(/refused.*/.exec(answer)?.[0] ?? answer.split('\r\n').filter((line) => line.startsWith('[')).join(' ')));
    socket.on('error', () => {});
    if (cut === 0) {
      socket.end(text);
    } else {
      socket.write(text.slice(0, -cut));
      setTimeout(() => socket.end(text.slice(-cut)), 20);
    }
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (const [name, text] of Object.entries(requests)) {
    console.log(name, await ask(text, 0));
    const cuts = await Promise.all([1, 2, 3, 5].map((cut) => ask(text, cut)));
    console.log(name, 'in pieces', new Set(cuts).size === 1 ? cuts[0] : cuts);
  }
  server.close();
});
