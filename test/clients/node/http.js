// 2,000 HTTP round trips, 50 at a time, and a body of some megabytes; over TCP and over a local socket.
'use strict';
const assert = require('assert');
const http = require('http');
const { finished, mapped } = require('./library.cjs');
mapped();

const trips = 2000;
const big = Buffer.alloc(5 << 20, 'x');

const server = http.createServer((request, response) => {
  const parts = [];
  request.on('data', (d) => parts.push(d));
  request.on('end', () => {
    response.setHeader('x-url', request.url);
    response.end(request.url === '/big' ? big : Buffer.concat(parts));
  });
});

function trip(where, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request({ ...where, path, method: 'POST' }, (response) => {
      const parts = [];
      response.on('data', (d) => parts.push(d));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(parts) }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function some(where, count) {
  let next = 0;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });
  await Promise.all(Array.from({ length: 50 }, async () => {
    for (let i = next++; i < count; i = next++) {
      const text = `body ${i} `.repeat(i % 50);
      const answer = await trip({ ...where, agent: i % 2 ? agent : undefined }, `/${i}`, text);
      assert.strictEqual(answer.headers['x-url'], `/${i}`);
      assert.strictEqual(answer.body.toString(), text);
    }
  }));
  agent.destroy();
  assert.ok((await trip(where, '/big', '')).body.equals(big));
}

async function main() {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await some({ host: '127.0.0.1', port }, trips);
  await assert.rejects(trip({ host: '127.0.0.1', port: 1 }, '/', ''), { code: 'ECONNREFUSED' });
  await new Promise((resolve) => server.close(resolve));
  await new Promise((resolve) => server.listen('./socket', resolve));
  await some({ socketPath: './socket' }, 200);
  await new Promise((resolve) => server.close(resolve));
  finished();
  console.log(`${trips} round trips over TCP, 200 over a local socket`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
