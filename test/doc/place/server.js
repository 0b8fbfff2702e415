// A server that ends by itself, with a handler that blocks for a moment.
const http = require('http');
const server = http.createServer(function handler(request, response) {
  for (const end = Date.now() + 60; Date.now() < end; );
  response.end('hello');
});
server.listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, agent: false }, (response) => response.resume().on('end', () => server.close()));
});
