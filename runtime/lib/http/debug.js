'use strict';

// NODE_DEBUG=http: prints exchanges to stderr. It subscribes to the diagnostics channels, as any program could.

const channels = require('internal/http/channels');
const { debuglog } = require('internal/util/debuglog');

const log = debuglog('http');

const texts = {
  clientCreated: ({ request }) => ['request %s %s%s: made', request.method, request.host, request.path],
  clientStart: ({ request }) => ['request %s %s%s: has a connection', request.method, request.host, request.path],
  clientFinish: ({ request, response }) => [
    'request %s %s%s: answered %d',
    request.method,
    request.host,
    request.path,
    response.statusCode,
  ],
  clientError: ({ request, error }) => ['request %s %s%s: %s', request.method, request.host, request.path, error],
  requestStart: ({ request }) => ['server: %s %s', request.method, request.url],
  responseFinish: ({ request, response }) => [
    'server: %s %s: answered %d',
    request.method,
    request.url,
    response.statusCode,
  ],
};

function begin() {
  if (!log.enabled) return;
  for (const name of Object.keys(texts)) channels[name].subscribe((message) => log(...texts[name](message)));
}

module.exports = { begin };
