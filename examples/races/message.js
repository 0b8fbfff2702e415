'use strict';
// A race: a message that is taken for whole. TCP gives bytes, not messages; a small one comes in one piece nearly always.
//
//   rota fuzz examples/races/message.js

const net = require('net');

const server = net.createServer((socket) => {
  socket.once('data', (data) => {
    const { name } = JSON.parse(data);
    socket.end(`hello ${name}`);
    server.close();
  });
});

server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.setEncoding('utf8');
  client.write(JSON.stringify({ name: 'world' }));
  let answer = '';
  client.on('data', (text) => { answer += text; });
  client.on('end', () => console.log(answer));
});
