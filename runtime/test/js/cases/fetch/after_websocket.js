'use strict';

// Whichever global is used first, a request may have a body.
const http = require('http');

console.log(typeof WebSocket, typeof EventSource);
const server = http.createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text) => response.end(`got ${text}`));
}).listen(0, async () => {
  const response = await fetch(`http://localhost:${server.address().port}`, { method: 'POST', body: 'this' });
  console.log(await response.text());
  server.close();
});
