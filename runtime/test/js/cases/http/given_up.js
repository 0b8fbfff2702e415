'use strict';

// Exchanges that one side aborts: the events of each side, and what can still be answered. Also: when a response that
// was written in small pieces has room again, and what a message says that is ended after it failed.
const http = require('http');
const { Duplex, Writable, destroy, pipeline } = require('stream');

// The client gives up a response that has begun.
function clientGivesUp(label, reason, iterate) {
  return new Promise((resolve) => {
    const server = http.createServer((req, res) => {
      req.on('error', () => {});
      res.write('x');
    }).listen(0, () => {
      const request = http.get({ port: server.address().port, agent: false });
      const log = [];
      const note = (text) => log.push(text);
      let open = 2;
      const closed = (text) => {
        note(text);
        if (--open === 0) setImmediate(() => server.close(() => resolve(console.log(label, log.join('; ')))));
      };
      request.on('error', (error) => note(`request: ${error.message} ${error.code}`));
      request.on('close', () => closed('request closed'));
      request.on('response', (response) => {
        response.on('error', (error) => note(`response: ${error.message} ${error.code}`));
        response.on('close', () => closed('response closed'));
        response.once('data', () => request.destroy(reason));
        if (iterate) response.toArray().catch((error) => note(`iteration: ${error.message} ${error.code}`));
      });
    });
  });
}

// The server gives up a request, and answers it if it can.
async function serverGivesUp() {
  const ways = {
    destroy: (req) => destroy(req),
    reason: (req) => destroy(req, new Error('mine')),
    pipeline: (req) => pipeline(req, new Writable({ write: (chunk, encoding, done) => done(new Error('full')) }), () => {}),
    iteration: async (req) => {
      for await (const chunk of req) if (chunk) break;
    },
    method: (req) => req.destroy(),
  };
  const server = http.createServer((req, res) => {
    const { socket } = req;
    const way = req.url.slice(1);
    req.on('error', (error) => console.log(way, 'request', error.name, error.message));
    req.on('close', () => {
      console.log(way, 'closed', req.socket === null, socket.destroyed);
      res.end('answer');
    });
    ways[way](req);
  });
  await new Promise((resolve) => server.listen(0, resolve));
  for (const way in ways) {
    await new Promise((resolve) => {
      const request = http.request({ method: 'POST', port: server.address().port, path: `/${way}`, agent: new http.Agent() });
      request.on('error', (error) => resolve(console.log(way, error.code)));
      request.on('response', (response) => response.toArray().then((list) => resolve(console.log(way, String(list)))));
      request.end('asked');
    });
  }
  server.close();
}

// A body that is paused with a listener flows away when the answer is done.
function pausedBody() {
  return new Promise((resolve) => {
    const server = http.createServer((req, res) => {
      req.pause();
      req.on('data', () => console.log('paused: never told'));
      req.once('resume', () => console.log('paused: resumed, listeners', req.listenerCount('data')));
      req.once('end', () => console.log('paused: ended'));
      res.end('early');
    }).listen(0, () => {
      const request = http.request({ method: 'POST', port: server.address().port, agent: false }, (response) => {
        response.resume().on('close', () => server.close(resolve));
      });
      request.end('body');
    });
  });
}

// Many small writes until there is no room: it comes.
function smallWrites() {
  return new Promise((resolve) => {
    const server = http.createServer((req, res) => {
      res.once('drain', () => {
        console.log('drain');
        res.end();
      });
      while (res.write('hello'));
    }).listen(0, () => {
      http.get({ port: server.address().port, agent: false }, (response) => response.resume().on('close', () => server.close(resolve)));
    });
  });
}

// Ended after its socket has failed.
function endedLate() {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (chunk, encoding, done) => done(new Error('no')) });
    const server = http.createServer((req, res) => {
      res.on('finish', () => console.log('never finished'));
      res.setHeader('Content-Length', '5');
      res.write('hello', (error) => console.log('write:', error.message));
      setImmediate(() => {
        res.end((error) => {
          console.log('end:', error.message, res.writableFinished);
          res.end((again) => resolve(console.log('end again:', again === error)));
        });
      });
    });
    server.emit('connection', socket);
    socket.push('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  });
}

(async () => {
  await clientGivesUp('with a reason:', new Error('boom'), false);
  await clientGivesUp('without:', undefined, false);
  await clientGivesUp('read by iteration:', new Error('boom'), true);
  await serverGivesUp();
  await pausedBody();
  await smallWrites();
  await endedLate();
})();
