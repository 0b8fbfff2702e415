'use strict';
// A race: a retry that does it twice. An order that is not confirmed within 400 ms is sent again; if only the confirmation was slow, there
// are two orders.
//
//   rota fuzz examples/races/retry.js

const assert = require('assert');
const fs = require('fs');
const http = require('http');

const orders = new Set(); // an order has a number, and is one however often it comes
const server = http.createServer((request, response) => {
  fs.stat(__filename, () => {
    orders.add(request.headers['x-order']);
    response.end('confirmed');
  });
});

function send(order, done) {
  const request = http.request({ port: server.address().port, headers: { 'x-order': order }, agent: false });
  const timer = setTimeout(() => {
    request.destroy();
    send(order, done);
  }, 400);
  request.on('error', () => {});
  request.on('response', (response) => {
    clearTimeout(timer);
    response.resume().on('end', done);
  });
  request.end();
}

server.listen(0, '127.0.0.1', () => {
  send('17', () => {
    server.close();
    assert.deepStrictEqual([...orders], ['17'], 'ordered twice');
  });
});
