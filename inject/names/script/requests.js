'use strict';
// Requests of HTTP, of which channels tell: "GET /slow". A server under full load has as many as it can serve, so that
// what was found out about an address is kept.

const { native } = require('./host.js');
const { isNodes, nameListener } = require('./listeners.js');

const TITLES_MAX = 200;
const KEPT_MAX = 2000;
const LENGTH_MAX = 80;
const ID_LENGTH = 12;
const titles = new Map(); // numbers of rota_name
const servers = new WeakMap();

// What looks like an identifier is one place of the route for all; a query is left out, and may be secret.
const isId = (part) =>
  /^\d+$/.test(part) || (part.length >= ID_LENGTH && /\d/.test(part)) || part.length > 3 * ID_LENGTH;

function routeOf(path) {
  const route = path
    .split('/')
    .map((part) => (isId(part) ? ':id' : part.replace(/[^\x21-\x7e]/g, '?')))
    .join('/');
  return route.length > LENGTH_MAX ? `${route.slice(0, LENGTH_MAX)}...` : route;
}

// Where a server's listener stands. That of a framework says nothing of a request.
function placeOf({ _events: events }) {
  const listeners = [events?.request].flat().filter((each) => typeof each === 'function' && !isNodes(each));
  const text = listeners.length > 0 ? native.place(listeners[0]) : '';
  return text.includes('/node_modules/') ? '' : text;
}

// Paths by method, and their titles, as long as the server has the same listener.
function knownOf(server) {
  const listener = server._events?.request;
  let known = servers.get(server);
  if (known?.listener !== listener) servers.set(server, (known = { listener, place: placeOf(server), count: 0 }));
  if (known.count >= KEPT_MAX || known.paths === undefined) {
    known.paths = new Map();
    known.count = 0;
  }
  return known;
}

function titleOf(method, path, place) {
  let title = `${method} ${routeOf(path)}`;
  if (titles.size >= TITLES_MAX && !titles.has(`${title} ${place}`)) title = `${method} (other routes)`;
  const key = `${title} ${place}`;
  if (!titles.has(key)) {
    const [, file, line] = /^([^]*):(\d+)$/.exec(place) ?? [place, '', 0];
    titles.set(key, native.title(title, file, +line));
  }
  return titles.get(key);
}

const QUERY = /[?#;]/;

function numberOf(server, method, url) {
  const known = knownOf(server);
  const end = url.search(QUERY);
  const path = end < 0 ? url : url.slice(0, end);
  let paths = known.paths.get(method);
  if (paths === undefined) known.paths.set(method, (paths = new Map()));
  let number = paths.get(path);
  if (number === undefined) {
    paths.set(path, (number = titleOf(method, path, known.place)));
    known.count++;
  }
  return number;
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

// Whether the time for names of requests is spent.
function nameRequest({ request, server }) {
  if (native.wantsRequests) tellIds(request);
  return native.entitle(numberOf(server, request.method, request.url));
}

function nameResponse({ request }) {
  nameListener(request, () => 'response');
}

module.exports = { nameRequest, nameResponse };
