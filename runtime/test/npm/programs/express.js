// Routes, middleware, JSON bodies, parameters, errors, static files.
const express = require('express');
const http = require('http');
const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use((req, res, next) => { res.set('X-Order', 'first'); next(); });
app.get('/', (req, res) => res.send('hello'));
app.get('/users/:id', (req, res) => res.json({ id: req.params.id, query: req.query }));
app.post('/echo', (req, res) => res.status(201).json(req.body));
app.get('/later', async (req, res) => { await new Promise((resolve) => setTimeout(resolve, 5)); res.type('txt').send('later'); });
app.get('/throws', () => { throw new Error('broken'); });
app.get('/moved', (req, res) => res.redirect(302, '/'));
app.use('/static', express.static(__dirname));
app.use((error, req, res, next) => res.status(error.status ?? 500).send(`error: ${error.type ?? error.message}`));
function ask(port, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const req = http.request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('end', () => {
        const { date, etag, 'last-modified': modified, ...rest } = res.headers;
        resolve([method, path, res.statusCode, rest, text.slice(0, 60)]);
      });
    });
    req.on('error', reject).end(body);
  });
}
const server = app.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const [method, path, body] of [['GET', '/'], ['GET', '/users/7?a=1&b=2'], ['POST', '/echo', '{"x":[1,2]}'], ['POST', '/echo', '{bad'],
    ['GET', '/later'], ['GET', '/throws'], ['GET', '/moved'], ['GET', '/nowhere'], ['HEAD', '/'], ['GET', '/static/chalk.mjs']]) {
    console.log(...(await ask(port, method, path, body)));
  }
  server.close(() => console.log('closed'));
});
