// fetch against a server of our own: methods, bodies, redirects, streams, forms, errors.
const http = require('http');
const zlib = require('zlib');

const server = http.createServer((req, res) => {
  if (req.url === '/redirect') return res.writeHead(302, { Location: '/json' }).end();
  if (req.url === '/json') return res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":1}');
  if (req.url === '/gzip') return res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(zlib.gzipSync('zipped'));
  if (req.url === '/stream') { res.write('one,'); setTimeout(() => res.end('two'), 20); return; }
  if (req.url === '/404') return res.writeHead(404).end('no');
  if (req.url === '/never') return;
  let body = '';
  req.on('data', (data) => { body += data; });
  req.on('end', () => res.end(`${req.method} ${req.headers['content-type']} ${body.replace(/-+formdata-\S+/g, 'boundary')}`.replace(/boundary=\S+/, 'boundary=...')));
});

server.listen(0, async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const redirected = await fetch(`${base}/redirect`);
  console.log(redirected.status, redirected.redirected, new URL(redirected.url).pathname, await redirected.json());
  console.log(await (await fetch(`${base}/gzip`)).text());
  const missing = await fetch(`${base}/404`);
  console.log(missing.ok, missing.status, missing.statusText, await missing.text());
  console.log(await (await fetch(`${base}/echo`, { method: 'POST', body: 'text' })).text());
  console.log(await (await fetch(`${base}/echo`, { method: 'PUT', body: new URLSearchParams({ a: 'b c' }) })).text());
  console.log(await (await fetch(new Request(`${base}/echo`, { method: 'POST', body: new Blob(['blob'], { type: 'x/y' }) }))).text());
  const form = new FormData();
  form.append('k', 'v');
  form.append('f', new File(['content'], 'name.txt', { type: 'text/plain' }));
  console.log(await (await fetch(`${base}/echo`, { method: 'POST', body: form })).text());
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of (await fetch(`${base}/stream`)).body) text += decoder.decode(chunk);
  console.log(text);
  await fetch(`${base}/never`, { signal: AbortSignal.timeout(30) }).catch((error) => console.log(error.name));
  await fetch('http://127.0.0.1:9').catch((error) => console.log(error.name, error.message));
  const headers = new Headers([['a', '1'], ['A', '2'], ['set-cookie', 'x'], ['set-cookie', 'y']]);
  console.log([...headers], headers.getSetCookie());
  const response = Response.json({ x: 1 }, { status: 201 });
  console.log(response.status, response.headers.get('content-type'), await response.clone().text(), await response.json());
  const parsed = await new Response('a=1&b=2', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData();
  console.log([...parsed]);
  server.close();
  server.closeAllConnections();
});
