'use strict';
// A channel to a child: messages, a server and a connection handed over, the end.
const { fork } = require('child_process');
const net = require('net');
const path = require('path');
const child = fork(path.join(__dirname, 'support/fork.js'), ['argument']);
const messages = [{ a: [1, null, 'ü'] }, 'text', 5, true, null, { deep: { deeper: [[]] } }];
let answers = 0;
const ends = [];
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
  const server = net.createServer({ pauseOnConnect: true }, (socket) => child.send('socket', socket));
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write('a word'));
    client.on('data', (data) => console.log(String(data)));
    client.on('close', () => {
      server.close();
      const second = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = second.address();
        child.send('server', second);
        child.on('message', function listening(message) {
          if (message.got !== 'server') return;
          child.off('message', listening);
          second.close();
          net.connect(port, '127.0.0.1').on('data', (data) => {
            console.log(String(data));
            child.send('leave');
          });
        });
      });
    });
  });
}
child.on('disconnect', () => {
  ends.push(`disconnect ${child.connected} ${child.channel}`);
  child.send('too late', (error) => ends.push(error.code));
});
child.on('exit', (code) => ends.push(`exit ${code}`));
process.on('exit', () => console.log(ends.sort()));
