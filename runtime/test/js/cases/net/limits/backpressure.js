'use strict';
// A reader that does not read stops the writer; when it reads, 'drain' is emitted and every byte arrives once.
const net = require('net');
const chunk = Buffer.alloc(65536, 'abcdefgh');
const total = 200;
let accepted;
const server = net.createServer((socket) => {
  accepted = socket;
  socket.pause();
  let bytes = 0;
  let wrong = 0;
  socket.on('data', (data) => {
    for (let i = 0; i < data.length; i += 997) if (data[i] !== chunk[(bytes + i) % 8]) wrong++;
    bytes += data.length;
  });
  socket.on('end', () => console.log('got', bytes, 'wrong', wrong));
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let sent = 0;
  let held = 0;
  let drains = 0;
  let callbacks = 0;
  function write() {
    while (sent < total) {
      sent++;
      if (!client.write(chunk, () => callbacks++)) {
        held++;
        client.once('drain', () => {
          drains++;
          write();
        });
        return;
      }
    }
    client.end();
  }
  client.on('connect', () => {
    write();
    const timer = setInterval(() => {
      if (accepted === undefined) return;
      clearInterval(timer);
      console.log('held back', sent < total, client.writableNeedDrain, client.writableLength > 0);
      accepted.resume();
    }, 100);
  });
  client.on('close', () => {
    console.log('sent', sent, callbacks, held === drains || held === drains + 1, client.bytesWritten);
    server.close();
  });
});
