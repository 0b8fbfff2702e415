'use strict';

// A signal that is null or false is none.
const http = require('http');

const server = http.createServer((request, response) => response.end('ok')).listen(0, () => {
  const none = [null, undefined, false, 0], codes = new Map();
  for (const signal of none) {
    http.get({ port: server.address().port, signal, agent: false }, (response) => {
      response.resume().on('end', () => {
        codes.set(signal, response.statusCode);
        if (codes.size < none.length) return;
        for (const each of none) console.log(each, codes.get(each)); // who is answered first is not promised
        server.close();
      });
    });
  }
  try {
    http.get({ port: server.address().port, signal: 'x' });
  } catch (error) {
    console.log(error.code);
  }
});
