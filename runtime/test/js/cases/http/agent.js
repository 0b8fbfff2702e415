// Connections of an agent: kept, reused, limited, and closed.
const http = require('http');

let connections = 0;
const server = http.createServer((req, res) => res.end(req.url));
server.on('connection', () => connections++);

const get = (agent, path) => new Promise((resolve, reject) => {
  const req = http.get({ port: server.address().port, agent, path }, (res) => {
    let text = '';
    res.setEncoding('utf8');
    res.on('data', (data) => { text += data; });
    res.on('end', () => resolve([text, req.reusedSocket]));
  });
  req.on('error', reject);
});
const count = (lists) => Object.values(lists).flat().length;
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));

server.listen(0, async () => {
  const keeping = new http.Agent({ keepAlive: true });
  console.log(await get(keeping, '/1'));
  await tick();
  console.log('free', count(keeping.freeSockets), 'used', count(keeping.sockets));
  console.log(await get(keeping, '/2'));
  console.log('connections', connections);
  keeping.destroy();

  connections = 0;
  const narrow = new http.Agent({ keepAlive: true, maxSockets: 2 });
  const all = [1, 2, 3, 4, 5, 6].map((i) => get(narrow, `/${i}`));
  console.log('waiting', count(narrow.requests));
  console.log((await Promise.all(all)).map(([text]) => text).join(' '));
  console.log('connections', connections, 'waiting', count(narrow.requests));
  narrow.destroy();

  connections = 0;
  const once = new http.Agent();
  await get(once, '/a');
  await get(once, '/b');
  await tick();
  console.log('connections', connections, 'free', count(once.freeSockets));
  console.log(narrow.getName({ host: 'h', port: 1, family: 4 }), once.getName({ socketPath: '/x' }));
  server.close();
});
