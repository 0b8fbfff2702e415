'use strict';
// Without descriptors a server drops connections, and goes on when there are some again.
const net = require('net');
const { spawn } = require('child_process');
if (process.argv[2] !== 'server') {
  const child = spawn('sh', ['-c', 'ulimit -n 60; exec "$0" "$1" server', process.execPath, __filename], { stdio: ['ipc', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data) => { text += data; });
  child.once('message', (port) => {
    const sockets = [];
    for (let i = 0; i < 100; i++) sockets.push(net.connect(port, '127.0.0.1').on('error', () => {}));
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
      // Until it has noticed that they are gone, it may drop this one, too.
      const again = () => {
        let served = false;
        net.connect(port, '127.0.0.1').on('error', () => {}).on('data', (data) => {
          served = true;
          console.log(String(data));
          child.kill();
        }).on('close', () => {
          if (!served) again();
        });
      };
      setTimeout(again, 200);
    }, 500);
  });
  child.on('close', (code, signal) => console.log(signal, text));
} else {
  const held = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.write('served');
    held.push(socket);
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}
