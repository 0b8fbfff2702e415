// The onion of middleware, bodies of several kinds, errors.
const Koa = require('koa');
const http = require('http');
const { Readable } = require('stream');
const app = new Koa();
app.silent = true;
app.use(async (ctx, next) => { console.log('in 1', ctx.path); await next(); console.log('out 1', ctx.status); });
app.use(async (ctx, next) => { console.log('in 2'); await next(); ctx.set('x-two', '2'); });
app.use((ctx) => {
  if (ctx.path === '/json') ctx.body = { a: 1 };
  else if (ctx.path === '/stream') ctx.body = Readable.from(['a', 'b', 'c']);
  else if (ctx.path === '/throw') ctx.throw(418, 'teapot');
  else if (ctx.path === '/buffer') ctx.body = Buffer.from('bytes');
});
const server = app.listen(0, '127.0.0.1', async () => {
  for (const path of ['/json', '/stream', '/throw', '/buffer', '/none']) {
    await new Promise((resolve) => http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false }, (res) => {
      let text = '';
      res.on('data', (chunk) => (text += chunk)).on('end', () => {
        const { date, ...headers } = res.headers;
        console.log(path, res.statusCode, headers, text);
        resolve();
      });
    }));
  }
  server.close(() => console.log('closed'));
});
