'use strict';
// A Transfer-Encoding without a value is refused, in requests and in responses, also by the lenient parser: readers would disagree about the body.
const http = require('http');
const net = require('net');

const kHeads = [
  'Transfer-Encoding:\r\n',
  'Transfer-Encoding: \t\r\n',
  'transfer-encoding:\r\nContent-Length: 5\r\n',
  'Content-Length: 5\r\nTransfer-Encoding:\r\n',
  'Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding:\r\n',
  'Content-Length:\r\n',
  'Transfer-Encodin:\r\n',
  'Content-Length: 3\r\n',
];

const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

async function request(line, head, insecureHTTPParser) {
  const server = http.createServer({ insecureHTTPParser });
  const port = await listen(server);
  const answer = await new Promise((resolve) => {
    server.on('request', (req, res) => {
      req.on('error', () => {});
      req.on('end', () => resolve(`read ${req.method}`));
      req.resume();
      res.end();
    });
    server.on('clientError', (error, socket) => {
      socket.destroy();
      resolve(`${error.code} ${error.message} ${error.reason}`);
    });
    net.connect(port, '127.0.0.1').on('error', () => {}).end(`${line}\r\nHost: a\r\n${head}\r\n`);
  });
  server.close();
  server.closeAllConnections();
  return answer;
}

async function response(head) {
  const server = net.createServer((socket) => socket.on('error', () => {}).end(`HTTP/1.1 200 OK\r\n${head}\r\nhello`));
  const port = await listen(server);
  const answer = await new Promise((resolve) => {
    const req = http.get({ port, host: '127.0.0.1', agent: false }, (res) => {
      res.on('error', () => {});
      res.on('end', () => resolve('read'));
      res.resume();
    });
    req.on('error', (error) => resolve(`${error.code} ${error.message}`));
  });
  server.close();
  return answer;
}

(async () => {
  for (const head of kHeads) {
    console.log(JSON.stringify(head));
    console.log('  request ', await request('POST / HTTP/1.1', head, false));
    console.log('  lenient ', await request('POST / HTTP/1.1', head, true));
    if (!head.startsWith('Content-Length: 3')) console.log('  response', await response(head));
  }
  for (const method of ['DESCRIBE', 'FLUSH', 'SET_PARAMETER']) console.log(method, await request(`${method} / RTSP/1.0`, '', false));
})();
