// The client with its pool, streams, pipelining, and fetch with a form.
const { request, stream, Pool, fetch, FormData, Agent, setGlobalDispatcher } = require('undici');
const http = require('http');
const { Writable } = require('stream');
const server = http.createServer((req, res) => {
  const parts = [];
  req.on('data', (chunk) => parts.push(chunk)).on('end', () => {
    const body = Buffer.concat(parts).toString().replace(/formdata-undici-\d+/g, 'BOUNDARY');
    res.setHeader('x-method', req.method);
    res.end(JSON.stringify({ url: req.url, body }));
  });
}).listen(0, '127.0.0.1', async () => {
  setGlobalDispatcher(new Agent({ keepAliveTimeout: 10 }));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const { statusCode, headers, body } = await request(`${origin}/a`, { method: 'PUT', body: 'text' });
  console.log(statusCode, headers['x-method'], await body.json());
  let streamed = '';
  await stream(`${origin}/b`, { opaque: 1 }, () => new Writable({ write(chunk, encoding, done) { streamed += chunk; done(); } }));
  console.log(streamed);
  const pool = new Pool(origin, { connections: 2, pipelining: 3 });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => pool.request({ path: `/${n}`, method: 'GET' }).then((r) => r.body.json())));
  console.log(answers.map((answer) => answer.url).join(' '));
  await pool.close();
  const form = new FormData();
  form.set('name', 'value');
  const response = await fetch(`${origin}/form`, { method: 'POST', body: form });
  console.log(response.status, await response.json());
  await fetch('http://127.0.0.1:1/').catch((error) => console.log(error.name, error.message, error.cause?.code));
  server.close(() => console.log('closed'));
});
