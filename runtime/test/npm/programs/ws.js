// Messages of text and bytes, large ones, pings, fragments, closing with a reason.
const { WebSocketServer, WebSocket } = require('ws');
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: true }, () => {
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/path?x=1`, { perMessageDeflate: true });
  client.on('open', () => { console.log('open', client.extensions); client.send('hello'); client.send(Buffer.from([1, 2, 3])); client.send('x'.repeat(100000)); client.ping('p'); });
  client.on('pong', (data) => console.log('pong', String(data)));
  let messages = 0;
  client.on('message', (data, binary) => {
    console.log('client got', binary, data.length, String(data.subarray(0, 5)));
    if (++messages === 3) client.close(4000, 'done');
  });
  client.on('close', (code, reason) => { console.log('client closed', code, String(reason)); server.close(() => console.log('server closed')); });
});
server.on('connection', (socket, request) => {
  console.log('connection', request.url, request.headers.upgrade);
  socket.on('message', (data, binary) => socket.send(data, { binary }));
  socket.on('close', (code, reason) => console.log('server side closed', code, String(reason)));
});
