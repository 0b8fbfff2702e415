'use strict';

// The events of a socket, to the tick, as either side hears them: for every way in which a connection may go.

const net = require('net');

const events = ['lookup', 'connect', 'ready', 'data', 'end', 'finish', 'prefinish', 'timeout', 'error', 'close'];

function ticks(log, left, number = 1) {
  if (left === 0) return;
  process.nextTick(() => {
    log(`t${number}`);
    ticks(log, left - 1, number + 1);
  });
}

function listen(log, socket) {
  for (const event of events) {
    socket.on(event, (value) => {
      log(event + (event === 'data' || event === 'close' ? `:${value}` : event === 'error' ? `:${value.code ?? value.message}` : ''));
      queueMicrotask(() => log('m'));
      ticks(log, 3);
    });
  }
}

const cases = {
  clientEnds: (client, server) => {
    server.resume();
    client.on('connect', () => client.end('x'));
  },
  serverEnds: (client, server) => server.end('bye'),
  clientDestroyed: (client, server) => {
    server.resume();
    client.on('connect', () => client.destroy());
  },
  clientFails: (client, server) => {
    server.resume();
    client.on('connect', () => client.destroy(new Error('mine')));
  },
  serverDestroyed: (client, server) => server.destroy(),
  serverResets: (client, server) => server.resetAndDestroy(),
  writes: (client, server) => {
    server.resume();
    client.on('connect', () => {
      client.write('a', () => client.log('a written'));
      client.write('b', () => client.log('b written'));
      client.end('c', () => client.log('ended'));
    });
  },
  writeAfterEnd: (client, server) => {
    server.resume();
    client.on('connect', () => {
      client.end();
      client.write('late', (error) => client.log(`late ${error?.code}`));
    });
  },
  destroySoon: (client, server) => {
    server.resume();
    client.on('connect', () => {
      client.write('zz');
      client.destroySoon();
    });
  },
  silence: (client, server) => {
    server.resume();
    client.setTimeout(40, () => client.end());
  },
  halfOpen: (client, server) => {
    server.end('first');
    client.on('end', () => setTimeout(() => client.end('after'), 40));
  },
};

async function run(side, name) {
  const seen = [];
  const log = (text) => seen.push(text);
  const options = { allowHalfOpen: name === 'halfOpen' };
  let client, closed;
  const watched = new Promise((resolve) => closed = resolve);
  const server = net.createServer(options, (socket) => {
    socket.log = side === 'server' ? log : () => {};
    socket.on('error', () => {});
    if (side === 'server') {
      listen(log, socket);
      socket.on('close', closed);
    }
    cases[name](client, socket);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = net.connect({ ...options, port: server.address().port, host: '127.0.0.1' });
  client.log = side === 'client' ? log : () => {};
  client.on('error', () => {});
  if (side === 'client') {
    listen(log, client);
    client.on('close', closed);
  } else {
    client.on('data', () => {});
  }
  await watched; // every case ends so
  await new Promise((resolve) => setImmediate(resolve));
  client.destroy();
  server.close();
  console.log(`${side}, ${name}: ${seen.join(' ')}`);
}

(async () => {
  for (const side of ['client', 'server']) {
    for (const name of Object.keys(cases)) await run(side, name);
  }
})();
