'use strict';

// http.Server, with the arguments of its constructor and the list of idle connections.
//
// The two arguments of every server's constructor; either may be left out.

const {
  validateObject,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateOneOf,
} = require('internal/validators');
const { now } = internalBinding('runtime');
const { httpAge } = require('internal/shared');
const net = require('net');
const { codes } = require('internal/errors');
const { IncomingMessage } = require('internal/http/incoming');
const { ServerResponse } = require('internal/http/response');
const { parseUniqueHeaders } = require('internal/http/outgoing_fields');
const { accept } = require('internal/http/server_connection');

// -> { options, listener }
function serverArguments(first, second) {
  if (typeof first === 'function') return { options: {}, listener: first };
  if (first !== undefined && first !== null) validateObject(first, 'options');
  return { options: { ...first }, listener: second };
}

// Connections that wait for their next request, in the order of their timeouts.
//
// There is one timer for all of them, and it is not touched when a connection comes or goes: it fires when the first of
// the list may be due, closes those that are, and sets itself for the next.

class IdleList {
  constructor(expire) {
    this.first = null;
    this.last = null;
    this.timer = null;
    this.timerDue = 0;
    this.expire = expire;
  }

  add(connection, milliseconds) {
    const until = now() + milliseconds;
    connection.idleUntil = until;
    // Nearly always at the end; a server whose timeout was made shorter inserts some further ahead.
    let before = this.last;
    while (before !== null && before.idleUntil > until) before = before.idleBefore;
    const after = before === null ? this.first : before.idleAfter;
    connection.idleBefore = before;
    connection.idleAfter = after;
    if (before === null) this.first = connection;
    else before.idleAfter = connection;
    if (after === null) this.last = connection;
    else after.idleBefore = connection;
    if (this.timer === null || until < this.timerDue) this.arm(until);
  }

  remove(connection) {
    const { idleBefore: before, idleAfter: after } = connection;
    if (before === null) this.first = after;
    else before.idleAfter = after;
    if (after === null) this.last = before;
    else after.idleBefore = before;
    connection.idleBefore = connection.idleAfter = null;
    connection.idleUntil = 0;
  }

  arm(due) {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timerDue = due;
    this.timer = setTimeout(() => this.sweep(), Math.max(1, due - now())).unref();
  }

  sweep() {
    this.timer = null;
    const time = now();
    while (this.first !== null && this.first.idleUntil <= time) {
      const connection = this.first;
      this.remove(connection);
      this.expire(connection);
    }
    if (this.first !== null) this.arm(this.first.idleUntil);
  }
}

// http.Server: a net.Server whose connections speak HTTP. `becomeHttp` turns a server into an HTTP server; https uses
// it for its TLS server.

const { ERR_OUT_OF_RANGE, ERR_HTTP_REQUEST_TIMEOUT, ERR_INVALID_ARG_VALUE } = codes;

const kWatch = Symbol('http.server.connectionsCheckingInterval');

const insecureByDefault = () => require('internal/process/flags').hasFlag('--insecure-http-parser');

function number(options, name, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  validateInteger(value, name, 0);
  return value;
}

function flag(options, name, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  validateBoolean(value, `options.${name}`);
  return value;
}

function hidden(server, properties) {
  for (const name of Reflect.ownKeys(properties)) {
    Object.defineProperty(server, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      writable: true,
      value: properties[name],
    });
  }
}

function becomeHttp(server, options) {
  server.maxHeaderSize = options.maxHeaderSize;
  if (options.maxHeaderSize !== undefined) validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  server.insecureHTTPParser = options.insecureHTTPParser;
  if (options.insecureHTTPParser !== undefined)
    validateBoolean(options.insecureHTTPParser, 'options.insecureHTTPParser');
  server.httpValidation = options.httpValidation;
  if (options.httpValidation !== undefined) {
    validateOneOf(options.httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
    if (options.insecureHTTPParser !== undefined) {
      throw new ERR_INVALID_ARG_VALUE(
        'options.httpValidation',
        options.httpValidation,
        'cannot be used together with insecureHTTPParser',
      );
    }
  }
  server.requestTimeout = number(options, 'requestTimeout', 300_000);
  server.headersTimeout = number(options, 'headersTimeout', Math.min(60_000, server.requestTimeout || 60_000));
  if (server.requestTimeout > 0 && server.headersTimeout > 0 && server.headersTimeout > server.requestTimeout) {
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', options.headersTimeout);
  }
  server.keepAliveTimeout = number(options, 'keepAliveTimeout', 5_000);
  server.keepAliveTimeoutBuffer = number(options, 'keepAliveTimeoutBuffer', 1_000);
  server.connectionsCheckingInterval = number(options, 'connectionsCheckingInterval', 30_000);
  server.requireHostHeader = flag(options, 'requireHostHeader', true);
  server.joinDuplicateHeaders = flag(options, 'joinDuplicateHeaders', undefined);
  server.rejectNonStandardBodyWrites = flag(options, 'rejectNonStandardBodyWrites', false);
  const upgrades = options.shouldUpgradeCallback;
  if (upgrades !== undefined) validateFunction(upgrades, 'options.shouldUpgradeCallback');
  server.shouldUpgradeCallback =
    upgrades ??
    function () {
      return this.listenerCount('upgrade') > 0;
    };
  server.httpAllowHalfOpen = false;
  server.timeout = 0;
  server.maxHeadersCount = null;
  server.maxRequestsPerSocket = 0;
  const Response = options.ServerResponse || ServerResponse;
  hidden(server, {
    IncomingMessageClass: options.IncomingMessage || IncomingMessage,
    ServerResponseClass: Response,
    plainAssign: ServerResponse.prototype.assignSocket,
    lenientParser: options.insecureHTTPParser ?? (options.httpValidation === 'insecure' || insecureByDefault()),
    optimizeEmpty: flag(options, 'optimizeEmptyRequests', false),
    bodyLimit: options.highWaterMark,
    uniqueHeadersSet: parseUniqueHeaders(options.uniqueHeaders),
    responseOptions:
      server.rejectNonStandardBodyWrites || options.highWaterMark !== undefined
        ? { highWaterMark: options.highWaterMark, rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites }
        : undefined,
    httpConnections: new Set(),
    idleConnections: new IdleList((connection) => connection.timedOut()),
    [kWatch]: undefined,
    aliveLines: { text: '', timeout: -1, most: -1 },
    ...methods,
  });
  server.on('listening', function watch() {
    stopWatching(this);
    this[kWatch] = setInterval(lookAfter, this.connectionsCheckingInterval, this).unref();
  });
}

function stopWatching(server) {
  if (server[kWatch]) clearInterval(server[kWatch]);
}

// Closes connections that take too long to send a head or a whole request.
function lookAfter(server) {
  const { headersTimeout, requestTimeout } = server;
  if (!(headersTimeout > 0) && !(requestTimeout > 0)) return;
  for (const connection of server.httpConnections) {
    const slowHead = headersTimeout > 0 && connection.age(httpAge.kHead) > headersTimeout;
    if (slowHead || (requestTimeout > 0 && connection.age(httpAge.kMessage) > requestTimeout))
      connection.onParseError(new ERR_HTTP_REQUEST_TIMEOUT());
  }
}

const methods = {
  // The text of the Connection and Keep-Alive lines, made again when the numbers change.
  keepAliveLines() {
    const lines = this.aliveLines;
    const { keepAliveTimeout: timeout, maxRequestsPerSocket: most } = this;
    if (lines.timeout !== timeout || lines.most !== most) {
      lines.timeout = timeout;
      lines.most = most;
      const hint =
        timeout > 0 ? `Keep-Alive: timeout=${Math.floor(timeout / 1000)}${most > 0 ? `, max=${most}` : ''}\r\n` : '';
      lines.text = `Connection: keep-alive\r\n${hint}`;
    }
    return lines.text;
  },

  becameIdle(connection) {
    const timeout = this.keepAliveTimeout;
    if (timeout > 0) this.idleConnections.add(connection, timeout + (this.keepAliveTimeoutBuffer ?? 0));
  },
};

// ---- the methods of http.Server, and of https.Server ----

function closeThose(server, condition) {
  for (const connection of [...server.httpConnections].filter(condition)) connection.socket.destroy();
}

function closeIdleConnections() {
  closeThose(this, (connection) => connection.isIdle);
}

function closeAllConnections() {
  closeThose(this, () => true);
}

function setTimeoutOfServer(msecs, callback) {
  this.timeout = msecs;
  if (callback) this.on('timeout', callback);
  return this;
}

// Before a server closes: idle connections are closed.
function beforeClose(server) {
  server.closeIdleConnections();
  stopWatching(server);
}

function connectionListener(socket) {
  accept(this, socket);
}

function rejection(err, event, ...args) {
  if (event === 'request') {
    const res = args[1];
    if (res.headersSent) {
      res.destroy(err);
    } else {
      for (const name of res.getHeaderNames()) res.removeHeader(name);
      res.statusCode = 500;
      res.end('Internal Server Error');
    }
    return true;
  }
  return false;
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  const given = serverArguments(options, requestListener);
  const { keepAlive, keepAliveInitialDelay, highWaterMark, noDelay = true } = given.options;
  net.Server.call(this, { allowHalfOpen: true, highWaterMark, keepAlive, keepAliveInitialDelay, noDelay });
  becomeHttp(this, given.options);
  this.on('connection', connectionListener);
  if (given.listener) this.on('request', given.listener);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

Server.prototype.close = function (...args) {
  beforeClose(this);
  net.Server.prototype.close.apply(this, args);
  return this;
};

Server.prototype[Symbol.asyncDispose] = async function () {
  if (!this.listening) return;
  await new Promise((resolve, reject) => this.close((err) => (err ? reject(err) : resolve())));
};

Server.prototype[Symbol.for('nodejs.rejection')] = function (err, event, ...args) {
  if (!rejection(err, event, ...args))
    net.Server.prototype[Symbol.for('nodejs.rejection')].call(this, err, event, ...args);
};

Server.prototype.closeAllConnections = closeAllConnections;
Server.prototype.closeIdleConnections = closeIdleConnections;
Server.prototype.setTimeout = setTimeoutOfServer;

module.exports = {
  Server,
  becomeHttp,
  beforeClose,
  closeAllConnections,
  closeIdleConnections,
  connectionListener,
  kWatch,
  rejection,
  setTimeoutOfServer,
};
