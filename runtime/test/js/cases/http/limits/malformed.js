// Malformed requests, and attempts of request smuggling: the server's answer, and the code of the error.
const http = require('http');
const net = require('net');

const post = (...lines) => `POST / HTTP/1.1\r\nHost: h\r\n${lines.join('\r\n')}`;
const corpus = [
  'hello\r\n\r\n', ' GET / HTTP/1.1\r\n\r\n', 'get / HTTP/1.1\r\nHost: h\r\n\r\n', 'GET / HTTP/1.1 \r\nHost: h\r\n\r\n', 'GET  / HTTP/1.1\r\nHost: h\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: h\r\n\r\n', 'GET / HTTPS/1.1\r\nHost: h\r\n\r\n', 'GET /a b HTTP/1.1\r\nHost: h\r\n\r\n', 'GET /\0 HTTP/1.1\r\nHost: h\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nX Y: z\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nX : z\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\n: z\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n',
  post('Content-Length: 1', 'Content-Length: 2', '', 'ab'), post('Content-Length: 2', 'Content-Length: 2', '', 'ab'), post('Content-Length: -1', '', ''),
  post('Content-Length: +1', '', 'a'), post('Content-Length: 1,1', '', 'a'), post('Content-Length: 0x1', '', 'a'), post('Content-Length: 99999999999999999999', '', ''),
  post('Content-Length: 1', 'Transfer-Encoding: chunked', '', '0\r\n\r\n'), post('Transfer-Encoding: chunked', 'Content-Length: 1', '', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked, identity', '', '0\r\n\r\n'), post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity', '', '0\r\n\r\n'),
  post('Transfer-Encoding: xchunked', '', '0\r\n\r\n'), post('Transfer-Encoding: chunkedx', '', '0\r\n\r\n'), post('Transfer-Encoding:\tchunked', '', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked', '', 'z\r\n\r\n'), post('Transfer-Encoding: chunked', '', '-1\r\n\r\n'), post('Transfer-Encoding: chunked', '', '1\r\nab\r\n0\r\n\r\n'),
  post('Transfer-Encoding: chunked', '', 'ffffffffffffffffff\r\n\r\n'),
  post('Transfer-Encoding: chunked', '', `1;${'x'.repeat(20000)}\r\na\r\n0\r\n\r\n`),
  post('Content-Length: 0', '', 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n'), 'GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nGET /',
  `GET / HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20000)}\r\n\r\n`, `GET /${'a'.repeat(20000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nmore',
];

const seen = [];
const server = http.createServer((req, res) => {
  seen.push(`${req.method} ${req.url}`);
  req.resume();
  req.on('end', () => res.end('ok'));
  req.on('error', () => {});
});
server.on('clientError', (error, socket) => {
  seen.push(error.code);
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  else socket.destroy();
});
server.listen(0, async () => {
  for (const request of corpus) {
    seen.length = 0;
    const status = await new Promise((resolve) => {
      const socket = net.connect({ port: server.address().port }, () => socket.write(request, 'latin1'));
      let text = '';
      socket.setEncoding('latin1');
      socket.on('data', (data) => { text += data; });
      socket.on('error', () => {});
      const timer = setTimeout(() => socket.destroy(), 500);
      socket.on('close', () => { clearTimeout(timer); resolve(text.match(/HTTP\/1.1 \d+/g)?.join(' ') ?? 'nothing'); });
    });
    console.log(JSON.stringify(request.length > 120 ? `${request.slice(0, 60)}... (${request.length})` : request), '->', seen.join(', ') || 'nothing', '|', status);
  }
  server.close();
  server.closeAllConnections();
});
