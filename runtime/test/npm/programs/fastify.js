// Schemas, hooks, plugins, injected requests and real ones.
const fastify = require('fastify');
(async () => {
  const app = fastify();
  app.addHook('onSend', async (request, reply, payload) => { reply.header('x-hook', 'on'); return payload; });
  app.get('/', async () => ({ hello: 'world' }));
  app.post('/sum', { schema: { body: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'number' }, b: { type: 'number' } } } } },
    async (request) => ({ sum: request.body.a + request.body.b }));
  app.register(async (scope) => { scope.get('/inside', (request, reply) => reply.code(202).send('plugin')); }, { prefix: '/plugin' });
  for (const request of [{ url: '/' }, { url: '/plugin/inside' }, { method: 'POST', url: '/sum', payload: { a: 1, b: 2 } }, { method: 'POST', url: '/sum', payload: { a: 1 } },
    { url: '/nowhere' }]) {
    const response = await app.inject(request);
    console.log('injected', request.url, response.statusCode, response.payload);
  }
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(`${address}/sum`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":20,"b":22}' });
  console.log('fetched', response.status, response.headers.get('x-hook'), await response.json());
  await app.close();
  console.log('closed');
})();
