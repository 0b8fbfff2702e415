// Responses that wait stop reading with the next request, not before: what has come with it, an upgrade here, is handled.
const http = require('http'), net = require('net');
const chunk = Buffer.alloc(1024, 'X');
let first, second, size = 0, requests = 0, ask;
const server = http.createServer((req, res) => {
  requests++;
  if (first === undefined) {
    server.close();
    first = res;
    return;
  }
  if (second === undefined) (second = res).write(chunk);
  else res.end(chunk);
  size += res.outputSize;
  if (size <= req.socket.writableHighWaterMark) {
    ask('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n');
    return;
  }
  console.log(requests, 'requests,', size, 'bytes wait');
  ask('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: ws\r\n\r\naaa');
});
server.on('upgrade', (req, socket) => {
  console.log('upgrade');
  second.end(chunk, () => {
    console.log('the second has ended');
    socket.end();
  });
  first.end('hello');
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  ask = (text) => socket.write(text);
  let received = 0;
  socket.on('data', (data) => { received += data.length; });
  socket.on('close', () => console.log('closed after', received, 'bytes'));
  ask('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n');
  ask('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n');
});
