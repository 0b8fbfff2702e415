'use strict';
// Whose a client's socket is, by _httpMessage, which agents of programs read: the request's until the agent has parked the socket.
const http = require('http');

const server = http.createServer((request, response) => response.end('here'));
server.on('upgrade', (request, socket) => socket.end('HTTP/1.1 101 Go on\r\nUpgrade: plain\r\nConnection: upgrade\r\n\r\n'));

function ask(title, agent, headers, then) {
  const request = http.get({ host: '127.0.0.1', port: server.address().port, agent, headers });
  let own;
  const tell = (event) => console.log(title, event, own._httpMessage === request, own._httpMessage === null);
  request.on('response', (response) => {
    tell('response');
    response.on('end', () => tell('end'));
    response.resume();
  });
  request.on('upgrade', (response, socket) => {
    tell('upgrade');
    socket.resume();
    socket.on('close', then);
  });
  request.on('socket', (socket) => {
    own = socket;
    tell('socket');
    socket.prependOnceListener('free', () => {
      tell('free');
      process.nextTick(() => tell('after free'));
      setImmediate(then);
    });
    if (headers.connection === 'close') socket.on('close', then);
  });
}

// An agent that parks a socket only if its request may be followed by another, as agentkeepalive 2 does.
class Careful extends http.Agent {
  parked = 0;
  constructor() {
    super({ keepAlive: true });
    this.prependListener('free', (socket) => {
      if (socket._httpMessage?.shouldKeepAlive) this.parked++;
    });
  }
}

server.listen(0, '127.0.0.1', () => {
  const kept = new Careful();
  ask('kept', kept, {}, () => {
    ask('again', kept, {}, () => {
      console.log('parked', kept.parked);
      kept.destroy();
      ask('closed', new http.Agent(), { connection: 'close' }, () => {
        ask('upgraded', new http.Agent(), { connection: 'upgrade', upgrade: 'plain' }, () => server.close());
      });
    });
  });
});
