// Requests, JSON, errors by status, timeouts, cancelling, redirects.
const axios = require('axios');
const http = require('http');
const server = http.createServer((req, res) => {
  if (req.url === '/slow') return void setTimeout(() => res.end('slow'), 300);
  if (req.url === '/moved') return void res.writeHead(302, { Location: '/json' }).end();
  let text = '';
  req.on('data', (chunk) => (text += chunk)).on('end', () => {
    res.writeHead(req.url === '/missing' ? 404 : 200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ method: req.method, url: req.url, body: text, type: req.headers['content-type'] }));
  });
}).listen(0, '127.0.0.1', async () => {
  const client = axios.create({ baseURL: `http://127.0.0.1:${server.address().port}`, proxy: false });
  console.log((await client.get('/json', { params: { a: 1, b: [2, 3] } })).data);
  console.log((await client.post('/json', { x: 1 })).data);
  console.log((await client.get('/moved')).data);
  await client.get('/missing').catch((error) => console.log(error.code, error.response.status, error.response.data.url));
  await client.get('/slow', { timeout: 50 }).catch((error) => console.log(error.code, error.message));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await client.get('/slow', { signal: controller.signal }).catch((error) => console.log(error.code, error.name));
  await axios.get('http://127.0.0.1:1/', { proxy: false }).catch((error) => console.log(error.code));
  server.closeAllConnections();
  server.close(() => console.log('closed'));
});
