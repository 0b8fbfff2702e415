'use strict';

// A request that is ended while its header is read.
const http = require('http');
const s = http.createServer(
  {
    get maxHeaderSize() {
      return 2 ** 31;
    },
    get keepAliveTimeout() {
      return NaN;
    },
  },
  (q, r) => {
    Object.defineProperty(q.headers, 'host', {
      get() {
        q.destroy();
        return 'x';
      },
    });
    q.headers.host;
    r.end('x', () => console.log('cb'));
    r.on('close', () => {
      console.log('close');
      s.close();
    });
  },
);
s.on('error', (e) => console.log(e.code)).listen(0, '127.0.0.1', () => {
  http.get({ port: s.address().port, host: '127.0.0.1' }, (r) => r.resume()).on('error', (e) => console.log(e.code));
});
