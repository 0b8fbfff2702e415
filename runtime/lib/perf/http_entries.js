'use strict';

// Entries of perf_hooks of the type 'http': an exchange as its client and as its server saw it. They are made from
// messages of the diagnostics channels, so nothing is measured without an observer.

const channels = require('internal/http/channels');
const { now } = internalBinding('performance');

const began = new WeakMap(); // request -> time
let tell;

// The destination of a request, with the port if it is not the default.
function urlOf(req) {
  const { protocol, host, path, socket, agent } = req;
  const port = req.socketPath ? undefined : socket?.remotePort;
  const usual = agent?.defaultPort ?? (protocol === 'https:' ? 443 : 80);
  return `${protocol}//${host}${port === undefined || port === usual ? '' : `:${port}`}${path}`;
}

function entry(name, request, url, sent, { statusCode, statusMessage }, received) {
  const start = began.get(request);
  if (start === undefined || tell === undefined) return;
  began.delete(request);
  tell(name, start, now() - start, {
    req: { method: request.method, url, headers: sent },
    res: { statusCode, statusMessage, headers: received },
  });
}

const begin = ({ request }) => began.set(request, now());

const listeners = {
  clientStart: begin,
  requestStart: begin,
  clientFinish({ request, response }) {
    entry('HttpClient', request, urlOf(request), request.getHeaders(), response, response.headers);
  },
  responseFinish({ request, response }) {
    entry('HttpRequest', request, request.url, request.headers, response, response.getHeaders());
  },
};

// From now on entries go to this function, or are not made any more.
function tellTo(listener) {
  const change = listener === undefined ? 'unsubscribe' : 'subscribe';
  if ((tell === undefined) !== (listener === undefined)) {
    for (const name of Object.keys(listeners)) channels[name][change](listeners[name]);
  }
  tell = listener;
}

module.exports = { tellTo };
