// Routes, payloads, errors, injected requests.
const Hapi = require('@hapi/hapi');
(async () => {
  const server = Hapi.server({ port: 0, host: 'localhost' });
  server.route([
    { method: 'GET', path: '/user/{id}', handler: (request) => ({ id: request.params.id, query: request.query }) },
    { method: 'POST', path: '/payload', handler: (request) => request.payload },
    { method: 'GET', path: '/fails', handler: () => { throw new Error('no'); } },
    { method: 'GET', path: '/cookie', handler: (request, h) => h.response('made').code(201).state('key', 'value') },
  ]);
  await server.start();
  const get = async (path, options) => {
    const response = await fetch(server.info.uri + path, options);
    console.log(response.status, response.headers.get('set-cookie'), await response.text());
  };
  await get('/user/5?a=1');
  await get('/payload', { method: 'POST', body: '{"z":1}', headers: { 'content-type': 'application/json' } });
  await get('/fails');
  await get('/cookie');
  console.log((await server.inject('/nowhere')).result);
  await server.stop();
})();
