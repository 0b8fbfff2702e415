// Mocks below http and fetch: the package puts functions of its own on sockets and their handles.
import http from 'node:http';
import https from 'node:https';
import nock from 'nock';

const get = (module, url) =>
  new Promise((resolve) => {
    module
      .get(url, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve([response.statusCode, text]);
      })
      .on('error', (error) => resolve(error.message));
  });

nock('http://mocked.test')
  .get('/json')
  .reply(200, { ok: 1 }, { 'x-a': 'b' })
  .post('/made', { q: 1 })
  .reply(201, 'made')
  .get('/plain')
  .reply(203, 'from http')
  .get('/broken')
  .replyWithError('broken on purpose');
nock('https://secure.test').get('/').reply(200, 'secure').get('/fetched').reply(200, 'secure, too');

const answer = await fetch('http://mocked.test/json');
console.log(answer.status, answer.headers.get('x-a'), await answer.json());
const headers = { 'content-type': 'application/json' };
const made = await fetch('http://mocked.test/made', { method: 'POST', body: '{"q":1}', headers });
console.log(made.status, await made.text());
console.log(await get(http, 'http://mocked.test/plain'));
console.log(await get(http, 'http://mocked.test/broken'));
console.log(await get(https, 'https://secure.test/'));
console.log(await (await fetch('https://secure.test/fetched')).text());

const server = http.createServer((request, response) => response.end(`real ${request.url}`)).listen(0, async () => {
  const base = `http://localhost:${server.address().port}`;
  console.log(await (await fetch(`${base}/one`)).text(), await get(http, `${base}/two`));
  nock.restore();
  console.log(await (await fetch(`${base}/three`)).text(), nock.pendingMocks());
  server.close();
  server.closeAllConnections();
});
