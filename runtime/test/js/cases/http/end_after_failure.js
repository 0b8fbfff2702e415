'use strict';

// Invalid data follows a request: the socket is closed before the response, which is never finished; its write gets the error.

const http = require('node:http');
const net = require('node:net');

const server = http.createServer((request, response) => {
  console.log('request', request.method);
  response.on('finish', () => console.log('finish'));
  response.on('close', () => console.log('response close', response.writableFinished, response.destroyed, response.socket === null));
  request.on('close', () => console.log('request close'));
  request.resume();
  request.on('end', () => {
    console.log('end', response.destroyed, request.socket.destroyed, response.writable);
    response.write('abc', (error) => console.log('written', error?.code));
    response.end('done', (error) => console.log('ended', error?.code));
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nno http\r\n\r\n');
  client.on('data', (data) => console.log(String(data).split('\r\n')[0]));
  client.on('close', () => {
    console.log('client close');
    server.close();
  });
});
