'use strict';

// Entries of connections, of exchanges of HTTP and of questions for names: what they tell, and that they end with the observer.
const dgram = require('dgram');
const dns = require('dns');
const http = require('http');
const net = require('net');
const { PerformanceObserver, createHistogram, performance } = require('perf_hooks');
const { inspect } = require('util');

const entries = [];
const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
let port;

function show(label) {
  console.log(`--- ${label}`);
  const order = ['lookup', 'queryA', 'connect', 'HttpRequest', 'HttpClient'];
  entries.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  for (const entry of entries.splice(0)) {
    const { name, entryType, startTime, duration, detail } = entry;
    const text = JSON.stringify(detail).replaceAll(String(port), 'PORT').replace(/(\{"address":"127.0.0.1","family":4\}),\1/, '$1').replace(/"date":"[^"]*"/, '"date":"DATE"');
    console.log(entry.constructor.name, name, entryType, startTime > 0 && duration >= 0, text);
  }
}

const told = () => new Promise((resolve) => setImmediate(setImmediate, setImmediate, resolve));

async function exchanges(server) {
  const ask = (options, body) => new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', agent: false, ...options }, (res) => res.resume().on('close', resolve));
    request.end(body);
  });
  await ask({ method: 'POST', path: '/a?b=1', headers: { Foo: 'Bar' } }, 'x');
  await ask({ method: 'HEAD', path: '/h', headers: { Host: 'other.example' } });
  await ask({ headers: ['Host', 'list.example', 'A', 'b'] });
  await new Promise((resolve) => server.close(resolve));
}

// A name server that knows one address.
async function names() {
  const socket = dgram.createSocket('udp4');
  socket.on('message', (message, from) => {
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(1, 6);
    head.writeUInt32BE(0, 8);
    const question = message.subarray(12, message.indexOf(0, 12) + 5);
    socket.send(Buffer.concat([head, question, Buffer.from([192, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 1, 2, 3, 4])]), from.port, from.address);
  });
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new dns.promises.Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  await resolver.resolve4('a.test');
  await resolver.resolve4('a.test', { ttl: true });
  socket.close();
  await dns.promises.lookup('localhost', { family: 4 });
  await dns.promises.lookup('localhost', { family: 4, all: true, order: 'ipv4first' });
  await dns.promises.lookup('127.0.0.1'); // no question
}

(async () => {
  observer.observe({ entryTypes: ['http', 'net', 'dns'] });
  const server = http.createServer((req, res) => {
    req.resume().on('end', () => {
      res.setHeader('X-A', '1');
      res.end('answer');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = server.address().port;
  await exchanges(server);
  await told();
  show('http, net');
  await names();
  await told();
  show('dns');
  observer.disconnect();
  const plain = net.createServer((socket) => socket.end());
  await new Promise((resolve) => plain.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => net.connect(plain.address().port, '127.0.0.1').resume().on('close', resolve));
  plain.close();
  await told();
  show('after the end');

  const histogram = createHistogram();
  console.log(inspect(histogram, { depth: -1 }), inspect({ histogram }, { depth: 0 }));
  console.log(Object.keys({ ...performance.nodeTiming }).join());
})();
