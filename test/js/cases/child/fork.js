'use strict';
// A channel to a child: messages, a server and a connection handed over, the end.
const { fork } = require('child_process');
const net = require('net');
const path = require('path');
const child = fork(path.join(__dirname, 'support/fork.js'), ['argument']);
const messages = [{ a: [1, null, 'ü'] }, 'text', 5, true, null, { deep: { deeper: [[]] } }];
let answers = 0;
console.log(child.connected, typeof child.channel, child.send({ first: 1 }));
child.on('message', (message) => {
  console.log(message);
  if (message.echo !== undefined) {
    if (answers < messages.length) child.send(messages[answers++]);
    else handOver();
  }
});
let handed = false;
function handOver() {
  if (handed) return;
  handed = true;
  const server = net.createServer((socket) => child.send('socket', socket));
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write('a word'));
    client.on('data', (data) => console.log(String(data)));
    client.on('close', () => {
      server.close();
      const second = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = second.address();
        child.send('server', second, () => {
          second.close();
          setTimeout(() => {
            net.connect(port, '127.0.0.1').on('data', (data) => {
              console.log(String(data));
              child.send('leave');
            });
          }, 200);
        });
      });
    });
  });
}
child.on('disconnect', () => {
  console.log('disconnect', child.connected, child.channel);
  child.send('too late', (error) => console.log(error.code));
});
child.on('exit', (code) => console.log('exit', code));
