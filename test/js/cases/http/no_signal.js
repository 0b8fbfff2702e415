'use strict';

// A signal that is null or false is none.
const http = require('http');

const server = http.createServer((request, response) => response.end('ok')).listen(0, () => {
  let left = 4;
  for (const signal of [null, undefined, false, 0]) {
    http.get({ port: server.address().port, signal, agent: false }, (response) => {
      response.resume().on('end', () => {
        console.log(signal, response.statusCode);
        if (--left === 0) server.close();
      });
    });
  }
  try {
    http.get({ port: server.address().port, signal: 'x' });
  } catch (error) {
    console.log(error.code);
  }
});
