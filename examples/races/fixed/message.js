'use strict';
// A race: a message that is taken for whole. TCP gives bytes, not messages; a small one comes in one piece nearly always.
//
//   rota fuzz examples/races/message.js

const net = require('net');

const server = net.createServer((socket) => {
  let text = '';
  socket.setEncoding('utf8').on('data', (data) => {
    text += data;
    if (!text.endsWith('\n')) return;
    const { name } = JSON.parse(text);
    socket.end(`hello ${name}`);
    server.close();
  });
});

server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.setEncoding('utf8');
  client.write(`${JSON.stringify({ name: 'world' })}\n`);
  let answer = '';
  client.on('data', (text) => { answer += text; });
  client.on('end', () => console.log(answer));
});
