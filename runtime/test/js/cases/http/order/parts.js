// Requests that come in one piece: ticks run after the trailers of one, and before a head of more than 31 headers. After either, ticks run before each head of that connection.
const http = require('http');
const net = require('net');

const get = 'GET /n HTTP/1.1\r\nHost: h\r\n\r\n';
const chunked = (body) => `POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
const many = (count) => get.replace('\r\n\r\n', `${'\r\nX: y'.repeat(count - 1)}\r\n\r\n`);
const plain = chunked('3\r\nabc\r\n0\r\n\r\n');
const trailers = chunked('3\r\nabc\r\n0\r\nX: y\r\n\r\n');
const forms = {
  plain: plain + get, empty: chunked('0\r\n\r\n') + get, 'two chunks': chunked('3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n') + get,
  trailers: trailers + get, 'empty with trailers': chunked('0\r\nX: y\r\n\r\n') + get, 'trailers, then none': trailers + plain + get + get,
  length: `POST /l HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc${get}`, extension: chunked('3;a=b\r\nabc\r\n0;c=d\r\n\r\n') + get,
  '31 headers': get + many(31) + get, '32 headers': get + many(32) + get, '33 headers': get + many(33) + get + get, '80 headers': many(80) + get + get,
};
let log;
const server = http.createServer((req, res) => {
  log.push(`head ${req.url}`);
  process.nextTick(() => log.push('tick'));
  Promise.resolve().then(() => log.push('microtask'));
  req.on('data', () => log.push('data'));
  req.on('end', () => { log.push(`end ${req.url} ${req.rawTrailers}`); res.end(); });
  req.on('close', () => log.push('close'));
  res.on('close', () => log.push('response closed'));
});
server.listen(0, async () => {
  for (const [name, text] of Object.entries(forms)) {
    log = [];
    const answers = text.split('HTTP/1.1').length - 1;
    await new Promise((resolve) => {
      const socket = net.connect(server.address().port, () => socket.write(text));
      let got = '';
      socket.on('data', (data) => {
        got += data;
        if (got.split('HTTP/1.1').length - 1 === answers) socket.destroy();
      });
      socket.on('close', resolve);
    });
    console.log(`${name}: ${log.join(', ')}`);
  }
  server.close();
});
