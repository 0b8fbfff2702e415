'use strict';

// The events of an exchange, to the tick, as either side hears them: for every way in which it may go.

const http = require('http');

const heard = {
  request: ['socket', 'finish', 'close', 'error', 'timeout', 'drain', 'continue', 'information', 'prefinish'],
  response: ['end', 'close', 'aborted', 'error', 'data', 'resume', 'pause'],
  served: ['end', 'close', 'aborted', 'error'],
  answer: ['finish', 'close', 'error', 'drain', 'prefinish'],
};

function ticks(log, left, number = 1) {
  if (left === 0) return;
  process.nextTick(() => {
    log(`t${number}`);
    ticks(log, left - 1, number + 1);
  });
}

function listen(log, prefix, emitter, events) {
  for (const event of events) {
    emitter.on(event, (value) => {
      log(`${prefix}.${event}${event === 'data' ? `:${value}` : event === 'error' ? `:${value.code ?? value.message}` : ''}`);
      queueMicrotask(() => log('m'));
      ticks(log, 2);
    });
  }
}

const cases = {
  plain: { serve: (req, res) => res.end('hello') },
  chunks: { serve(req, res) {
    res.write('a');
    setTimeout(() => {
      res.write('b');
      res.end('c');
    }, 150);
  } },
  post: { options: { method: 'POST' }, body: 'body', serve: (req, res) => req.on('data', () => {}).on('end', () => res.end('ok')) },
  postIgnored: { options: { method: 'POST' }, body: 'body', serve: (req, res) => res.end('ok') },
  head: { options: { method: 'HEAD' }, serve: (req, res) => res.end('not sent') },
  noContent: { serve: (req, res) => res.writeHead(204).end() },
  notModified: { serve: (req, res) => res.writeHead(304).end() },
  clientLeaves: { serve: (req, res) => res.write('x'), ask: (req) => req.on('response', () => setTimeout(() => req.destroy(), 50)) },
  clientFails: { serve: (req, res) => req.on('close', () => setTimeout(() => res.end(), 20)), ask: (req) => setTimeout(() => req.destroy(new Error('mine')), 50) },
  serverLeaves: { serve: (req) => req.socket.destroy() },
  serverLeavesLater: { serve(req, res) {
    res.write('x');
    setTimeout(() => res.destroy(), 50);
  } },
  expect: {
    options: { method: 'POST', headers: { Expect: '100-continue' } },
    serve: (req, res) => req.resume().on('end', () => res.end('ok')),
    ask(req) {
      req.on('continue', () => req.end('body'));
      req.flushHeaders();
      return true;
    },
  },
  hints: { serve(req, res) {
    res.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' });
    res.end('h');
  } },
  trailers: { serve(req, res) {
    res.setHeader('Trailer', 'X');
    res.write('a');
    res.addTrailers({ X: '1' });
    res.end();
  } },
  slow: { options: { timeout: 40 }, serve: (req, res) => setTimeout(() => res.end('late'), 120) },
  callbacks: { serve(req, res) {
    res.write('1', () => res.log('first'));
    res.write('2', () => res.log('second'));
    res.end('3', () => res.log('last'));
  } },
  unread: { serve: (req, res) => res.end('unread'), unread: true },
  twice: { serve: (req, res) => res.end('ok'), twice: true },
};

async function run(side, name) {
  const { options, body, serve, ask, unread, twice } = cases[name];
  const seen = [];
  const log = (text) => seen.push(text);
  const agent = new http.Agent({ keepAlive: Boolean(twice) });
  const server = http.createServer((req, res) => {
    res.log = side === 'server' ? log : () => {};
    if (side === 'server') {
      log('request');
      listen(log, 'req', req, heard.served);
      listen(log, 'res', res, heard.answer);
    }
    serve(req, res);
  });
  server.on('clientError', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const go = (again) => {
    const req = http.request({ port: server.address().port, host: '127.0.0.1', agent, ...options });
    if (side === 'client') listen(log, 'req', req, heard.request);
    req.on('error', () => {});
    if (!unread) {
      req.on('response', (res) => {
        if (side === 'client') {
          log(`response ${res.statusCode}`);
          listen(log, 'res', res, heard.response);
        }
        res.on('error', () => {}).resume();
        if (again) res.on('close', () => setTimeout(go, 40));
      });
    }
    if (ask?.(req) !== true) req.end(body);
  };
  go(twice);
  await new Promise((resolve) => setTimeout(resolve, 400));
  agent.destroy();
  server.closeAllConnections();
  server.close();
  console.log(`${side}, ${name}: ${seen.join(' ')}`);
}

(async () => {
  for (const side of ['client', 'server']) {
    for (const name of Object.keys(cases)) await run(side, name);
  }
})();
