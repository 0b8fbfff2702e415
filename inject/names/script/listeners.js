'use strict';
// Events: what an object of Node's emits as soon as it is called back, and the program's function that listens.

const { native, builtin } = require('./host.js');

const { name } = native;
const { getEventListeners } = builtin('events');

// The first listener of the program's. One for once is a function of Node's own, which has the program's as a property.
function nameListener(owner, eventOf, handle) {
  const listeners = owner?._events?.[eventOf(owner, handle)];
  const nameOne = (each) => name(each) || (typeof each.listener === 'function' && name(each.listener));
  if (typeof listeners === 'function') return nameOne(listeners);
  return Array.isArray(listeners) && listeners.some(nameOne);
}

const isOwn = new WeakMap();

function isNodes(listener) {
  let is = isOwn.get(listener);
  if (is === undefined) isOwn.set(listener, (is = native.place(listener).startsWith('node:')));
  return is;
}

// ---- handles ----

const bytes = new WeakMap();
let ownerSymbol;

function ownerOf(handle) {
  const isOwner = (key) => typeof key === 'symbol' && key.description === 'owner_symbol';
  ownerSymbol ??= Reflect.ownKeys(handle).find(isOwner);
  return ownerSymbol === undefined ? undefined : handle[ownerSymbol];
}

// A server's handle is called for connections. A socket's has read something, or met the end, which is an event of
// later on; and what it has read is emitted at once only while it flows.
function eventOfStream(owner, handle) {
  if (typeof owner.listen === 'function') return 'connection';
  const read = handle.bytesRead;
  const before = bytes.get(handle) ?? 0;
  bytes.set(handle, read);
  const state = owner._readableState;
  return read > before && state?.flowing && state.length === 0 ? 'data' : undefined;
}

// What was compressed is emitted at once while the stream flows, if there is any: the room that is left has become
// less.
function eventOfZlib({ _readableState: state, _writeState: left }, handle) {
  return state.flowing && state.length === 0 && left[0] < handle.availOutBefore ? 'data' : undefined;
}

// By the name of the handle's class.
const events = {
  __proto__: null,
  TCP: eventOfStream,
  Pipe: eventOfStream,
  TTY: eventOfStream,
  UDP: () => 'message',
  Process: () => 'exit',
  FSEvent: () => 'change',
  Zlib: eventOfZlib,
  BrotliEncoder: eventOfZlib,
  BrotliDecoder: eventOfZlib,
  ZstdCompress: eventOfZlib,
  ZstdDecompress: eventOfZlib,
};

function nameListenerOf(handle) {
  const eventOf = events[handle.constructor.name];
  if (eventOf !== undefined) nameListener(ownerOf(handle), eventOf, handle);
}

// ---- ports: a worker emits what its port receives; of a port itself, onmessage is a function of Node's own, too ----

const workersOfPorts = new WeakMap();

function rememberPort({ worker }) {
  for (const key of Reflect.ownKeys(worker)) {
    if (key.description === 'kPublicPort') workersOfPorts.set(worker[key], worker);
  }
}

// A port that is closed has no more messages, but an event of its own.
function receiverOf(port) {
  if (!port.hasRef()) return undefined;
  const listeners = getEventListeners(workersOfPorts.get(port) ?? port, 'message');
  const functions = listeners.map((each) => each.handler ?? each.handleEvent ?? each);
  return functions.find((each) => typeof each === 'function' && !isNodes(each));
}

// ---- http tells by channels ----

const TITLES_MAX = 200;
const LENGTH_MAX = 80;
const ID_LENGTH = 12;
const titles = new Map(); // of a number of rota_name
const places = new WeakMap(); // of a server: where its listener stands

// What looks like an identifier is one place of the route for all; a query is left out, and may be secret.
const isId = (part) =>
  /^\d+$/.test(part) || (part.length >= ID_LENGTH && /\d/.test(part)) || part.length > 3 * ID_LENGTH;

function routeOf(url) {
  const [path] = url.split(/[?#;]/, 1);
  const route = path
    .split('/')
    .map((part) => (isId(part) ? ':id' : part.replace(/[^\x21-\x7e]/g, '?')))
    .join('/');
  return route.length > LENGTH_MAX ? `${route.slice(0, LENGTH_MAX)}...` : route;
}

// That of a framework says nothing of a request.
function placeOf(server) {
  let place = places.get(server);
  if (place !== undefined) return place;
  const listeners = [server._events?.request].flat().filter((each) => typeof each === 'function' && !isNodes(each));
  const text = listeners.length > 0 ? native.place(listeners[0]) : '';
  place = text.includes('/node_modules/') ? '' : text;
  places.set(server, place);
  return place;
}

const TRACE_PARENT = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/; // W3C Trace Context
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

// By the headers as they came: Node makes an object of them when the program asks for it.
function tellIds({ rawHeaders }) {
  let trace = '';
  let id = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const { length } = rawHeaders[i];
    if (length !== 'traceparent'.length && length !== 'x-request-id'.length) continue;
    const name = rawHeaders[i].toLowerCase();
    if (name === 'traceparent') trace = TRACE_PARENT.exec(rawHeaders[i + 1])?.[1] ?? '';
    else if (name === 'x-request-id' && REQUEST_ID.test(rawHeaders[i + 1])) id = rawHeaders[i + 1];
  }
  if (trace !== '' || id !== '') native.serves(trace, id);
}

// GET /slow
function nameRequest({ request, server }) {
  const { method, url } = request;
  if (native.wantsRequests) tellIds(request);
  const place = placeOf(server);
  let title = `${method} ${routeOf(url)}`;
  if (titles.size >= TITLES_MAX && !titles.has(`${title} ${place}`)) title = `${method} (other routes)`;
  const key = `${title} ${place}`;
  if (!titles.has(key)) {
    const [, file, line] = /^([^]*):(\d+)$/.exec(place) ?? [place, '', 0];
    titles.set(key, native.title(title, file, +line));
  }
  native.entitle(titles.get(key));
}

const subscriptions = [
  ['http.server.request.start', nameRequest],
  ['http.client.response.finish', ({ request }) => void nameListener(request, () => 'response')],
];

module.exports = { isNodes, nameListener, nameListenerOf, receiverOf, rememberPort, subscriptions };
