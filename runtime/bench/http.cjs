'use strict';

// Hello world over HTTP, for a load generator: prints its port.

const http = require('node:http');

const server = http.createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/plain' });
  response.end('hello world\n');
});
server.listen(0, '127.0.0.1', 1024, () => console.log(server.address().port));
