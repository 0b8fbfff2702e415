'use strict';
// Errors: their codes, words and fields.
const net = require('net');
const fields = (error) => [error.name, error.code, error.syscall, error.address, error.message.replace(/\d{4,5}/g, 'PORT'), Object.keys(error).join()];
const attempt = (what) => {
  try {
    what();
    console.log('no error');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
attempt(() => net.connect());
attempt(() => net.connect({ port: 70000 }));
attempt(() => net.connect({ port: 'x' }));
attempt(() => net.connect({ port: 1, localAddress: 'x' }));
attempt(() => net.connect({ port: 1, lookup: 1 }));
attempt(() => new net.Server(1));
attempt(() => net.createServer().listen({}));
attempt(() => net.createServer().listen(-1));
attempt(() => net.createServer().listen({ port: 1, signal: 1 }));
attempt(() => new net.Socket({ objectMode: true }));
attempt(() => new net.Socket({ fd: -1 }));
attempt(() => new net.Socket().setTimeout('x'));
attempt(() => new net.Socket().setTimeout(-1));
attempt(() => new net.Socket().write(1));
const free = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = free.address();
  net.createServer().on('error', (error) => {
    console.log(...fields(error));
    free.close(() => {
      const refused = net.connect(port, '127.0.0.1');
      refused.on('error', (e) => console.log(...fields(e)));
      refused.on('close', (failed) => {
        console.log('close', failed, refused.errored.code);
        refused.write('x', (e) => console.log('write', e.code, e.message));
        net.connect('/nonexistent/socket').on('error', (e) => {
          console.log(...fields(e));
          net.connect({ port: 80, host: 'no such host' }).on('error', (f) => {
            console.log(f.code, f.syscall, f.hostname);
            free.close((g) => console.log(g.code, g.message));
          });
        });
      });
    });
  }).listen(port, '127.0.0.1');
});
