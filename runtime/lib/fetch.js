'use strict';

// fetch and its classes, WebSocket and EventSource: npm's undici, embedded. Each part is loaded on first use: Headers
// alone does not load the network code.

const parts = {
  Headers: 'fetch/headers',
  FormData: 'fetch/formdata',
  Response: 'fetch/response',
  Request: 'fetch/request',
  WebSocket: 'websocket/websocket',
  CloseEvent: 'websocket/events',
  EventSource: 'eventsource/eventsource',
};

// undici's request loads the kinds of bodies from its response; WebSocket and EventSource load the request.
function part(name, path) {
  if (name === 'Request' || name === 'WebSocket' || name === 'EventSource') load('fetch/response');
  return load(path)[name];
}

const load = (path) => require(`internal/deps/undici/lib/web/${path}`);

let start;
async function begin(input, init) {
  if (start === undefined) {
    require('internal/deps/undici/lib/global');
    start = load('fetch/index').fetch;
  }
  return start(input, init);
}

// A plain function that never throws, as in browsers.
function fetch(input, init = undefined) {
  return begin(input, init);
}

module.exports = { fetch };
for (const [name, path] of Object.entries(parts)) {
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => part(name, path),
  });
}
