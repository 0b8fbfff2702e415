'use strict';
// A request to this machine, with a watchdog of a second.
const http = require('http');
const server = http.createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1', () => {
  const watchdog = setTimeout(() => { console.log('the watchdog expired'); process.exit(3); }, 1000);
  http.get({ port: server.address().port, host: '127.0.0.1' }, (response) => {
    response.resume().on('end', () => { clearTimeout(watchdog); server.close(); });
  });
});
