'use strict';

// When a request and its response end: 'finish', 'end' and 'close' to the tick, for every way of not reading a body; and what
// runs after a listener that threw.

const http = require('http');

const modes = {
  nothing() {},
  close: (req, log) => req.on('close', () => log('req close')),
  end: (req, log) => req.on('end', () => log('req end')),
  pause(req, log) {
    modes.end(req, log);
    req.pause();
  },
  readable(req, log) {
    modes.end(req, log);
    req.on('readable', () => log('readable'));
  },
  dataThenPause(req, log) {
    modes.end(req, log);
    req.on('data', () => log('data'));
    req.pause();
  },
  resume(req, log) {
    modes.end(req, log);
    req.resume();
  },
  data(req, log) {
    modes.end(req, log);
    req.on('data', (chunk) => log(`data ${chunk}`));
  },
};

function ticks(log, left, number = 1) {
  if (left === 0) return;
  process.nextTick(() => {
    log(`tick ${number}`);
    ticks(log, left - 1, number + 1);
  });
}

function run(method, mode, late, throws) {
  const seen = [];
  const log = (text) => seen.push(text);
  const server = http.createServer((req, res) => {
    modes[mode](req, log);
    const answer = () => {
      if (mode !== 'nothing') req.on('close', () => log(`req close ${req.destroyed}`)).on('resume', () => log('resume'));
      res.on('finish', () => {
        log(throws ? 'finish' : `finish ${req.readableFlowing} ${req.readableEnded} ${req.readableDidRead}`);
        ticks(log, 5);
      });
      res.on('close', () => log('res close'));
      process.nextTick(log, 'before');
      res.end('x', () => log('ended'));
      process.nextTick(log, 'after');
      Promise.resolve('microtask').then(log);
      setImmediate(log, 'immediate');
      if (throws) throw new Error('thrown');
    };
    if (late) setTimeout(answer, 10);
    else answer();
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const req = http.request({ port: server.address().port, method }, (res) => {
        res.resume().on('end', () => setTimeout(() => {
          server.close();
          server.closeAllConnections();
          console.log(method, mode, late ? 'late' : 'at once', throws ? 'throws' : '', '-', seen.join(', '));
          done();
        }, 20));
      });
      req.end(method === 'POST' ? 'hello' : undefined);
    });
  });
}

(async () => {
  for (const mode of Object.keys(modes)) {
    for (const method of ['GET', 'POST']) {
      await run(method, mode, false);
      await run(method, mode, true);
    }
  }
  process.on('uncaughtException', (error) => console.log('uncaught', error.message));
  await run('GET', 'nothing', false, true);
})();
