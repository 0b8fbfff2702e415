// The events of a client, in their order, for the ways in which an exchange can go.
const http = require('http');

const server = http.createServer((req, res) => {
  if (req.url === '/ok') res.end('fine');
  else if (req.url === '/hangup') req.socket.destroy();
  else if (req.url === '/half') { res.writeHead(200, { 'Content-Length': 10 }); res.write('half'); setTimeout(() => res.destroy(), 20); }
  else if (req.url === '/info') { res.writeProcessing(); res.writeContinue(); res.end('x'); }
  else if (req.url === '/slow') setTimeout(() => res.end('slow'), 2000).unref();
  else if (req.url === '/post') { res.write('got '); req.pipe(res); }
});

function watch(name, options, act) {
  return new Promise((resolve) => {
    const events = [];
    const req = http.request({ port: server.address().port, agent: false, ...options });
    for (const event of ['socket', 'finish', 'response', 'information', 'continue', 'abort', 'timeout', 'error', 'close']) {
      req.on(event, (value) => events.push(event === 'error' ? `error ${value.code ?? value.name}` : event === 'information' ? `information ${value.statusCode}` : event));
    }
    req.on('response', (res) => {
      res.setEncoding('utf8');
      for (const event of ['data', 'aborted', 'end', 'error', 'close']) {
        res.on(event, (value) => events.push(event === 'data' ? `res data ${value}` : event === 'error' ? `res error ${value.code}` : `res ${event}`));
      }
    });
    act(req);
    req.on('close', () => setTimeout(() => {
      console.log(`${name}:`, events.join(', '));
      resolve();
    }, 30));
  });
}

server.listen(0, async () => {
  await watch('ok', { path: '/ok' }, (req) => req.end());
  await watch('post', { path: '/post', method: 'POST' }, (req) => { req.write('a'); req.write('b'); req.end('c'); });
  await watch('hangup', { path: '/hangup' }, (req) => req.end());
  await watch('half', { path: '/half' }, (req) => req.end());
  await watch('information', { path: '/info' }, (req) => req.end());
  await watch('refused', { path: '/', port: 1 }, (req) => req.end());
  await watch('destroyed at once', { path: '/ok' }, (req) => { req.end(); req.destroy(); });
  await watch('destroyed with an error', { path: '/ok' }, (req) => { req.end(); req.destroy(Object.assign(new Error('mine'), { code: 'MINE' })); });
  await watch('destroyed later', { path: '/slow' }, (req) => { req.end(); setTimeout(() => req.destroy(), 400); });
  await watch('timeout', { path: '/slow', timeout: 400 }, (req) => { req.end(); req.on('timeout', () => req.destroy()); });
  const controller = new AbortController();
  await watch('signal', { path: '/slow', signal: controller.signal }, (req) => { req.end(); setTimeout(() => controller.abort(), 400); });
  server.close();
});
