// Messages whose end two readers could see in different places: what is refused, with which words, and at which byte.
const http = require('http');
const net = require('net');

const post = (...lines) => `POST / HTTP/1.1\r\nHost: h\r\n${lines.join('\r\n')}`;
const chunked = 'Transfer-Encoding: chunked';
const next = 'GET /next HTTP/1.1\r\nHost: n\r\n\r\n';
const corpus = [
  // a header that goes on in the next line, also if nothing is there
  'GET / HTTP/1.1\r\nHost: h\r\nX:\r\n \r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nX:\r\n\t\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nX:\r\n y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n', post('X:', ' ', 'Content-Length: 3', '', 'abc'), post(chunked, '', '0\r\nX:\r\n \r\n\r\n'),
  // a length and an encoding, whatever their values
  post(chunked, 'Content-Length: ', '', '0\r\n\r\n'), post(chunked, 'Content-Length:: 3', '', '0\r\n\r\n'), post('Transfer-Encoding: cow', 'Content-Length: 5', '', '0\r\n\r\n'),
  post('Content-Length: 5', 'Transfer-Encoding: \fchunked', '', '0\r\n\r\n'), post('Content-Length: 5', 'Transfer-Encoding: chunked,', '', '0\r\n\r\n'),
  post('Content-Length: 5', 'Transfer-Encoding: ', '', '0\r\n\r\n'), post(chunked, 'Content-Length: 18446744073709551616', '', '0\r\n\r\n'),
  // trailers
  post(chunked, '', '0\r\nContent-Length: 5\r\n\r\n'), post(chunked, '', '0\r\nTransfer-Encoding:\r\n\r\n'), post(chunked, '', '0\r\nTransfer-Encoding: chunked\r\n\r\n'),
  // ends of lines
  'GET / HTTP/1.1\nHost: h\n\n', 'GET / HTTP/1.1\r\r\nHost: h\r\n\r\n', 'GET / HTTP/1\nHost: h\n\n', 'GET / http/1.1\nHost: h\n\n', 'GET / HTTP/1.1\r\nHost: h\r\nX:\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nX: y\n\r\n', post(chunked, '', '3\r\nabc0\r\n\r\n'), post(chunked, '', '3\r\nabc\n0\r\n\r\n'), 'GET /\tHTTP/1.1\r\nHost: h\r\n\r\n',
  // the end of the connection
  'GET / HTTP/1.1\r\nHo', post('Content-Length: 5', '', 'ab'),
  // expectations
  'GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nExpect: x\r\n\r\n', 'GET / HTTP/1.1\r\nHost: h\r\nExpect: x\r\nExpect: 100-continue\r\n\r\n',
];

// Where llhttp 8 finds these is not where llhttp 9 does.
const elsewhere = /Empty Transfer-Encoding|after chunk data/;

const seen = [];
const server = http.createServer((req, res) => {
  seen.push(`${req.method} ${req.url}`);
  let body = '';
  req.setEncoding('latin1');
  req.on('data', (data) => { body += data; });
  req.on('end', () => { seen.push(`end ${JSON.stringify(body)}`); res.end('ok'); });
  req.on('error', (error) => seen.push(error.code));
  res.on('close', () => seen.push(`response closed ${res.writableFinished}`));
});
server.on('connection', (socket) => socket.on('close', () => seen.push('socket closed')));
server.on('clientError', (error, socket) => {
  seen.push(`${error.code} '${error.message}' at ${elsewhere.test(error.message) ? 'a byte' : error.bytesParsed} of ${error.rawPacket?.length} (${Object.keys(error)})`);
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  else socket.destroy();
});

function send(text) {
  seen.length = 0;
  return new Promise((resolve) => {
    const socket = net.connect({ port: server.address().port, allowHalfOpen: true }, () => socket.write(text, 'latin1'));
    let answer = '';
    let last;
    const quiet = () => { clearTimeout(last); last = setTimeout(() => socket.end(), 150); };
    quiet();
    socket.setEncoding('latin1');
    socket.on('data', (data) => { answer += data; quiet(); });
    socket.on('end', () => socket.end());
    socket.on('error', () => {});
    socket.on('close', () => { clearTimeout(last); setTimeout(resolve, 20, answer.match(/HTTP\/1.1 \d+/g)?.join(' ') ?? 'nothing'); });
  });
}

server.listen(0, async () => {
  for (const request of corpus) {
    for (const text of [request, request + next]) {
      const status = await send(text);
      console.log(`${JSON.stringify(text)}\n  ${status}\n  ${seen.join('\n  ')}`);
    }
  }
  server.close();
});
