// CONNECT, upgrades, and the bytes after them.
const http = require('http');

const server = http.createServer((req, res) => res.end('no upgrade'));
server.on('upgrade', (req, socket, head) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  socket.write(head);
  socket.pipe(socket);
});
server.on('connect', (req, socket, head) => {
  socket.end(`HTTP/1.1 200 Connected\r\n\r\nto ${req.url} with ${head}`);
});
server.listen(0, () => {
  const { port } = server.address();
  const up = http.request({ port, headers: { Connection: 'Upgrade', Upgrade: 'echo' } });
  up.on('upgrade', (res, socket, head) => {
    console.log('upgrade', res.statusCode, res.headers.upgrade, head.length);
    socket.setEncoding('utf8');
    socket.write('hello');
    socket.once('data', (data) => {
      console.log('echo', data);
      socket.end();
    });
    socket.on('close', () => {
      console.log('closed', socket.destroyed);
      const tunnel = http.request({ port, method: 'CONNECT', path: 'example.org:443' });
      tunnel.on('connect', (response, stream, first) => {
        let text = String(first);
        console.log('connect', response.statusCode, response.statusMessage);
        stream.on('data', (data) => { text += data; });
        stream.on('end', () => {
          console.log(text);
          server.close();
        });
      });
      tunnel.end();
    });
  });
  up.end();
});
