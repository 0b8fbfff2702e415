// Events with acknowledgements and rooms, first by polling, then by WebSocket.
const { Server } = require('socket.io');
const { io } = require('socket.io-client');
const http = require('http');
const server = http.createServer();
const sockets = new Server(server);
sockets.on('connection', (socket) => {
  socket.join('room');
  socket.on('add', (a, b, reply) => reply(a + b));
  socket.on('shout', (word) => sockets.to('room').emit('heard', word.toUpperCase(), Buffer.from('b')));
});
server.listen(0, '127.0.0.1', () => {
  const client = io(`http://127.0.0.1:${server.address().port}`, { reconnection: false });
  client.on('connect', async () => {
    console.log('connected');
    console.log('add', await client.emitWithAck('add', 2, 3));
    if (client.io.engine.transport.name !== 'websocket') await new Promise((resolve) => client.io.engine.once('upgrade', resolve));
    console.log('transport', client.io.engine.transport.name);
    client.emit('shout', 'hey');
  });
  client.on('heard', (word, bytes) => { console.log('heard', word, bytes); client.close(); });
  client.on('disconnect', (reason) => { console.log(reason); sockets.close(() => console.log('closed')); });
});
