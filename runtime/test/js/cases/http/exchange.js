// What a server sends, byte for byte, for each kind of response.
const http = require('http');
const net = require('net');

const handlers = {
  '/empty': (req, res) => res.end(),
  '/text': (req, res) => res.end('text'),
  '/utf8': (req, res) => res.end('grüße €'),
  '/latin1': (req, res) => res.end('grüße', 'latin1'),
  '/buffer': (req, res) => res.end(Buffer.from([1, 2, 3])),
  '/chunks': (req, res) => { res.write('one'); res.write('two'); res.end('three'); },
  '/length': (req, res) => { res.setHeader('Content-Length', 6); res.write('abc'); res.end('def'); },
  '/head': (req, res) => { res.writeHead(201, 'Made', { 'X-A': '1', 'X-List': ['a', 'b'] }); res.end('x'); },
  '/array': (req, res) => { res.writeHead(200, ['X-A', '1', 'x-a', '2', 'Set-Cookie', 'c']); res.end(); },
  '/merge': (req, res) => { res.setHeader('X-A', 'old'); res.setHeader('X-B', 'b'); res.writeHead(200, { 'x-a': 'new' }); res.end('m'); },
  '/204': (req, res) => { res.statusCode = 204; res.end(); },
  '/304': (req, res) => { res.writeHead(304, { ETag: 'x' }); res.end('ignored'); },
  '/close': (req, res) => { res.setHeader('Connection', 'close'); res.end('bye'); },
  '/nolength': (req, res) => { res.removeHeader('Content-Length'); res.removeHeader('Transfer-Encoding'); res.end('until the end'); },
  '/trailers': (req, res) => { res.setHeader('Trailer', 'X-T'); res.write('body'); res.addTrailers({ 'X-T': 'v' }); res.end(); },
  '/early': (req, res) => { res.writeEarlyHints({ link: '</a.css>; rel=preload' }); res.writeProcessing(); res.end('late'); },
  '/cork': (req, res) => { res.cork(); res.write('a'); res.write('b'); res.uncork(); res.end('c'); },
  '/cookies': (req, res) => { res.setHeader('Set-Cookie', ['a=1', 'b=2']); res.appendHeader('X', '1'); res.appendHeader('X', '2'); res.end(); },
  '/echo': (req, res) => { res.write(`${req.method} ${req.url} `); req.on('data', (d) => res.write(d)); req.on('end', () => res.end(` ${JSON.stringify(req.trailers)}`)); },
};
const server = http.createServer((req, res) => handlers[req.url](req, res));

const get = (path, version = '1.1', method = 'GET') => `${method} ${path} HTTP/${version}\r\nHost: h\r\nConnection: close\r\n\r\n`;
const requests = [
  ...Object.keys(handlers).filter((path) => path !== '/echo').map((path) => get(path)),
  get('/text', '1.0'), get('/chunks', '1.0'), get('/text', '1.1', 'HEAD'), get('/chunks', '1.1', 'HEAD'),
  'POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody',
  'POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-T: t\r\n\r\n',
  'POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok',
  'GET /text HTTP/1.1\r\nHost: h\r\nExpect: something\r\nConnection: close\r\n\r\n',
  'GET /text HTTP/1.1\r\nHost: h\r\n\r\nGET /length HTTP/1.1\r\nHost: h\r\n\r\nGET /empty HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
];

server.listen(0, async () => {
  for (const request of requests) {
    const answer = await new Promise((resolve) => {
      const socket = net.connect(server.address().port, () => socket.write(request));
      let text = '';
      socket.setEncoding('latin1');
      socket.on('data', (data) => { text += data; });
      socket.on('close', () => resolve(text));
    });
    console.log(JSON.stringify(request));
    console.log(JSON.stringify(answer.replace(/Date: [^\r]*/g, 'Date: now')));
  }
  server.close();
});
