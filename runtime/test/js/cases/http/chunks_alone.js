'use strict';
// A chunk's buffer contains that chunk, and nothing from another peer. It may be transferred (not in HTTP/2, where Node's own
// chunks share one).
const http = require('http');
const http2 = require('http2');
const net = require('net');
const dgram = require('dgram');
const { MessageChannel } = require('worker_threads');
const { once } = require('events');

const sizes = [2, 900, 1500, 5000, 40000];
const secret = 'hunter2';
let leaks = 0;
let larger = 0;
const { port1, port2 } = new MessageChannel();
port2.on('message', () => {});
port2.unref();

function look(chunk, gives) {
  if (Buffer.from(chunk.buffer).includes(secret)) leaks++;
  if (gives && chunk.buffer.byteLength !== chunk.length) larger++;
  if (gives) port1.postMessage(chunk, [chunk.buffer]);
}

async function post(url, size, path) {
  const body = path === '/victim' ? secret.repeat(Math.ceil(size / secret.length)) : 'z'.repeat(size);
  await new Promise((resolve) => {
    http.request(url + path, { method: 'POST', agent: false, headers: { authorization: path === '/victim' ? secret : 'none' } }, (response) => {
      response.on('data', (chunk) => look(chunk, true));
      response.on('end', resolve);
    }).end(body);
  });
}

async function overHttp() {
  const server = http.createServer((request, response) => {
    request.on('data', (chunk) => {
      if (request.url !== '/victim') look(chunk, true);
    });
    request.on('end', () => response.end('z'.repeat(3000)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  for (const size of sizes) {
    await post(url, size, '/victim');
    await post(url, size, '/attacker');
  }
  server.close();
}

async function overHttp2() {
  const server = http2.createServer();
  server.on('stream', (stream, headers) => {
    stream.respond({ ':status': 200 });
    stream.on('data', (chunk) => {
      if (headers[':path'] !== '/victim') look(chunk, false);
    });
    stream.on('end', () => stream.end('ok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const size of sizes) {
    for (const path of ['/victim', '/attacker']) {
      const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
      const request = client.request({ ':method': 'POST', ':path': path });
      request.resume();
      request.end((path === '/victim' ? secret : 'z').repeat(size));
      await once(request, 'close');
      client.close();
      await once(client, 'close');
    }
  }
  server.close();
}

async function overSockets() {
  const server = net.createServer((socket) => {
    let own;
    socket.on('data', (chunk) => {
      own ??= chunk[0];
      if (own === 122) look(chunk, true);
    });
    socket.on('end', () => socket.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const size of sizes) {
    for (const text of [secret, 'z']) {
      const socket = net.connect(server.address().port, '127.0.0.1');
      socket.resume();
      socket.end(text.repeat(size));
      await once(socket, 'close');
    }
  }
  server.close();
}

async function overDatagrams() {
  const receiver = dgram.createSocket('udp4');
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const sender = dgram.createSocket('udp4');
  for (const size of sizes) {
    for (const text of [secret, 'z']) {
      sender.send(text.repeat(Math.ceil(size / 7)), receiver.address().port, '127.0.0.1');
      const [message] = await once(receiver, 'message');
      if (text === 'z') look(message, true);
    }
  }
  sender.close();
  receiver.close();
}

(async () => {
  for (const part of [overHttp, overHttp2, overSockets, overDatagrams]) {
    await part();
    console.log(part.name, 'leaks', leaks, 'larger', larger);
  }
  port1.close();
})();
