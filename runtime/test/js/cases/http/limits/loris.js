// Slow clients are disconnected: in the head, in the body, and when they are idle.
const http = require('http');
const net = require('net');

const server = http.createServer({ headersTimeout: 400, requestTimeout: 800, keepAliveTimeout: 100, keepAliveTimeoutBuffer: 0, connectionsCheckingInterval: 20 }, (req, res) => {
  req.resume();
  req.on('error', () => {});
  req.on('end', () => res.end('done'));
});

function slow(name, first, then) {
  return new Promise((resolve) => {
    const begun = Date.now();
    let text = '';
    let timer;
    const socket = net.connect(server.address().port, () => {
      socket.write(first);
      if (then !== undefined) timer = setInterval(() => socket.write(then), 20);
    });
    socket.setEncoding('latin1');
    socket.on('data', (data) => { text += data; });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      console.log(name, text.split('\r\n')[0], Date.now() - begun < 20000 ? 'cut off' : 'not cut off');
      resolve();
    });
  });
}

server.listen(0, async () => {
  await slow('nothing', '');
  await slow('head', 'GET / HTTP/1.1\r\n', 'X: y\r\n');
  await slow('body', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n', 'x');
  await slow('idle', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  server.getConnections((err, count) => {
    console.log('left', count);
    server.close();
  });
});
