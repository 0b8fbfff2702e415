'use strict';
process.on('message', (message, handle) => {
  if (handle) {
    handle.once?.('data', (data) => handle.end(`child has ${data}`));
    handle.resume?.();
    if (message === 'server') handle.on('connection', (socket) => socket.end('served by the child'));
    process.send({ got: message, kind: handle.constructor.name });
  } else if (message === 'leave') {
    process.disconnect();
  } else {
    process.send({ echo: message, argv: process.argv.slice(2), connected: process.connected });
  }
});
process.on('disconnect', () => process.exit(9));
