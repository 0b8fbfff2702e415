// An upgrade that nobody listens for is an ordinary request. What follows it in the same bytes is dropped: it may be the other
// protocol. A request in later bytes is answered.
const http = require('http');
const net = require('net');

const kUpgrade = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: other\r\n';
const kNext = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n';
const kLater = 'GET /later HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const cases = {
  'no body': `GET /first HTTP/1.1\r\n${kUpgrade}\r\n${kNext}`,
  'a body': `POST /first HTTP/1.1\r\nContent-Length: 3\r\n${kUpgrade}\r\nabc${kNext}`,
  'chunks': `POST /first HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${kUpgrade}\r\n3\r\nabc\r\n0\r\n\r\n${kNext}`,
  'another protocol': `GET /first HTTP/1.1\r\n${kUpgrade}\r\n\x01\x02\x03`,
  'nothing': `GET /first HTTP/1.1\r\n${kUpgrade}\r\n`,
};

function attempt(bytes, options, later) {
  return new Promise((resolve) => {
    const seen = [];
    const server = http.createServer(options, (req, res) => {
      let body = '';
      req.on('data', (data) => { body += data; }).on('end', () => {
        seen.push(`${req.url} ${req.upgrade} '${body}'`);
        res.end('answer');
      });
    });
    server.on('clientError', (error, socket) => {
      seen.push(error.code);
      socket.destroy();
    });
    server.listen(0, () => {
      const client = net.connect(server.address().port, () => client.write(bytes, 'latin1'));
      client.once('data', () => (later === '' ? client.end() : client.write(later)));
      client.resume().on('close', () => server.close(() => resolve(seen.join(', '))));
    });
  });
}

(async () => {
  for (const [name, bytes] of Object.entries(cases)) {
    console.log(name, '|', await attempt(bytes, {}, kLater));
    console.log(name, 'and the end |', await attempt(bytes, {}, ''));
  }
  console.log('refused |', await attempt(cases['no body'], { shouldUpgradeCallback: () => false }, kLater));
})();
