// A program that a reader might have: a timer, a file, a request to itself.
const fs = require('fs');
const http = require('http');
setTimeout(() => {}, 5);
fs.readFile(__filename, () => {
  const server = http.createServer((request, response) => response.end('hello'));
  server.listen(0, '127.0.0.1', () => {
    http.get({ port: server.address().port, agent: false }, (response) => response.resume().on('end', () => server.close()));
  });
});
