'use strict';
// agentkeepalive issue 23: the time of a free connection is over, it is being destroyed, and the next request is still sent through it.
// The next request comes nearly as late as the connection's time ends.

const http = require('http');
const { bug, pick } = require('../driver.js');

const Agent = pick('agentkeepalive-2.0.0', 'agentkeepalive-2.0.2');
const agent = new Agent({ keepAliveTimeout: 30, timeout: 60000 });
const server = http.createServer((request, response) => response.end('here'));

function get(then) {
  const request = http.get({ host: '127.0.0.1', port: server.address().port, agent }, (response) => {
    response.resume();
    response.on('end', then);
  });
  request.on('error', (error) => {
    if (error.code !== 'ECONNRESET') throw error;
    bug('a request went through a connection that was being closed');
    end();
  });
}

function end() {
  agent.destroy();
  server.close();
  server.closeAllConnections();
}

server.listen(0, '127.0.0.1', () => get(() => setTimeout(() => get(end), 33)));
