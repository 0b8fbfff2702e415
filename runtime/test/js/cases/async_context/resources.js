'use strict';

// The events of hooks for handles and requests: each has a number, a maker, and callbacks between before and after; hooks that
// enable and disable hooks.

const { createHook, executionAsyncId, executionAsyncResource, AsyncResource } = require('async_hooks');
const dns = require('dns');
const fs = require('fs');
const net = require('net');

const resources = new Map();
let depth = 0;
const stacked = [];
const hook = createHook({
  init(id, type, trigger) { resources.set(id, { type, trigger, before: 0, after: 0, destroyed: false }); },
  before(id) { stacked.push(id); if (resources.has(id)) resources.get(id).before++; },
  after(id) { depth = Math.max(depth, stacked.length); if (stacked.pop() !== id) console.log('out of order'); if (resources.has(id)) resources.get(id).after++; },
  destroy(id) { if (resources.has(id)) resources.get(id).destroyed = true; },
  trackPromises: false,
}).enable();

const typeOf = (id) => resources.get(id)?.type;
const inside = {};
const here = (name) => { inside[name] = typeOf(executionAsyncId()); };

const server = net.createServer((socket) => {
  here('connection');
  socket.on('data', () => { here('data of the server'); socket.end(); });
}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    here('connect');
    client.write('hello');
  });
  client.on('end', () => {
    here('end');
    inside.resource = executionAsyncResource() === client._handle;
  });
  client.on('close', () => server.close());
});
dns.lookup('localhost', () => here('lookup'));
fs.stat('.', () => here('stat'));
setTimeout(() => here('timeout'), 1);
setImmediate(() => here('immediate'));
process.nextTick(() => here('tick'));

// When everything has been heard, and the destroyed have been told of.
const names = ['connection', 'data of the server', 'connect', 'end', 'lookup', 'stat', 'timeout', 'immediate', 'tick'];
const looking = setInterval(() => {
  if (server.listening || names.some((name) => inside[name] === undefined)) return;
  clearInterval(looking);
  setTimeout(finish, 50);
}, 20);

function finish() {
  hook.disable();
  for (const name of Object.keys(inside).sort()) console.log(name, inside[name]);
  const of = (type) => [...resources.values()].filter((each) => each.type === type);
  for (const type of ['TCPSERVERWRAP', 'TCPWRAP', 'TCPCONNECTWRAP', 'GETADDRINFOREQWRAP', 'FSREQCALLBACK']) {
    const found = of(type);
    console.log(type, found.length, found.every(({ before, after }) => before === after && before > 0), found.every(({ destroyed }) => destroyed));
  }
  console.log('made by', of('TCPWRAP').map(({ trigger }) => typeOf(trigger)).sort(), of('TCPCONNECTWRAP').map(({ trigger }) => typeOf(trigger)));
  within();
}

function within() {
  const heard = [];
  const later = createHook({ init: (id, type) => { if (type === 'TEST') heard.push('second'); } });
  const first = createHook({
    init(id, type) {
      if (type !== 'TEST') return;
      heard.push('first');
      if (heard.length === 1) {
        later.enable();
        new AsyncResource('TEST'); // not heard by the second yet
      }
    },
  }).enable();
  new AsyncResource('TEST');
  heard.push('next');
  new AsyncResource('TEST');
  first.disable();
  later.disable();
  new AsyncResource('TEST');
  console.log(heard);
}
