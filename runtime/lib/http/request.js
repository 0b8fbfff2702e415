'use strict';

// ClientRequest: a request, from its options to the last byte of its response.

const net = require('net');
const { OutgoingMessage } = require('internal/http/outgoing');
const { parseUniqueHeaders } = require('internal/http/outgoing_fields');
const { begin, kDone } = require('internal/http/outgoing_queue');
const { isToken } = require('internal/http/fields');
const agents = require('internal/http/agent');
const { engage, kClient, kCurrent, reset } = require('internal/http/client_connection');
const { codes } = require('internal/errors');
const {
  validateBoolean,
  validateFunction,
  validateInteger,
  validateNumber,
  validateOneOf,
} = require('internal/validators');
const { Buffer } = require('internal/buffer/class');
const channels = require('internal/http/channels');
const { hasFlag } = require('internal/process/flags');

const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_HTTP_TOKEN,
  ERR_INVALID_PROTOCOL,
  ERR_UNESCAPED_CHARACTERS,
  ERR_HTTP_HEADERS_SENT,
} = codes;

const kPath = Symbol('path');
const badInPath = /[^\u0021-\u00ff]/;
const withoutBody = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

// (url, options, callback) in all their combinations -> [options, callback]
function readArguments(input, options, callback) {
  const all = { __proto__: null };
  const rest = [input, options, callback];
  const url = typeof input === 'string' ? new URL(input) : input;
  if (url instanceof URL) {
    Object.assign(all, require('url').urlToHttpOptions(url));
    rest.shift();
  }
  if (typeof rest[0] !== 'function') Object.assign(all, rest.shift());
  return [all, rest[0]];
}

// The host's name, from whichever option has one.
function hostOf(options) {
  let found = '';
  for (const name of ['hostname', 'host']) {
    const value = options[name];
    if (typeof value !== 'string' && value !== null && value !== undefined) {
      throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], value);
    }
    found ||= value;
  }
  return found || 'localhost';
}

function chooseAgent(req, options) {
  let { agent } = options;
  const fallback = options._defaultAgent || agents.globalAgent;
  if (agent === false) {
    agent = new fallback.constructor();
  } else if (agent === null || agent === undefined) {
    agent = typeof options.createConnection === 'function' ? undefined : fallback;
  } else if (typeof agent.addRequest !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  req.agent = agent;
  return fallback;
}

// The initial state of a request.
const fresh = {
  res: null,
  aborted: false,
  timeoutCb: null,
  upgradeOrConnect: false,
  reusedSocket: false,
  maxHeadersCount: null,
  hasFailed: false,
};

function ClientRequest(input, options, callback) {
  if (!(this instanceof ClientRequest)) return new ClientRequest(input, options, callback);
  OutgoingMessage.call(this);
  [options, callback] = readArguments(input, options, callback);
  const fallback = chooseAgent(this, options);
  const protocol = options.protocol || fallback.protocol;
  const expected = this.agent?.protocol ? this.agent.protocol : fallback.protocol;
  if (options.path) {
    const path = String(options.path);
    if (badInPath.test(path)) throw new ERR_UNESCAPED_CHARACTERS('Request path');
  }
  if (protocol !== expected) throw new ERR_INVALID_PROTOCOL(protocol, expected);
  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  options.port = options.port || defaultPort || 80;
  const host = (options.host = hostOf(options));
  const defaults = options.setDefaultHeaders === undefined || Boolean(options.setDefaultHeaders);
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : defaults;

  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) {
    validateNumber(options.timeout, 'timeout', 0);
    this.timeout = options.timeout;
  }
  this.takeOptions(options);
  this.setMethod(options);
  this.path = options.path ? String(options.path) : '/';
  if (callback) this.once('response', callback);
  Object.assign(this, { host, protocol }, fresh);
  if (this.agent) {
    this.shouldKeepAlive =
      Boolean(this.agent.keepAlive) || !(this.agent.maxSockets === Infinity || this.agent.maxSockets === undefined);
  }
  if (!defaults) this.withoutConnection = this.withoutLength = this.withoutTransfer = true;
  this.takeHeaders(options, setHost, host, defaultPort);
  this.uniqueHeaders = parseUniqueHeaders(options.uniqueHeaders);
  if (options.signal) require('stream').addAbortSignal(options.signal, this);
  this.connect(options);
  if (channels.clientCreated.hasSubscribers) channels.clientCreated.publish({ request: this });
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

function hidden(name, value) {
  Object.defineProperty(ClientRequest.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value,
  });
}

Object.defineProperty(ClientRequest.prototype, 'path', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return this[kPath];
  },
  set(value) {
    const path = String(value);
    if (badInPath.test(path)) throw new ERR_UNESCAPED_CHARACTERS('Request path');
    this[kPath] = path;
  },
});

hidden('holdsEmptyWrites', true);
hidden('waitsForSocket', false);
hidden('timeoutAfterConnect', 0);
hidden('early', undefined);
hidden('earlyFailure', undefined);

hidden('takeOptions', function (options) {
  const { maxHeaderSize, insecureHTTPParser, httpValidation, joinDuplicateHeaders } = options;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  this.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  this.insecureHTTPParser = insecureHTTPParser;
  if (httpValidation !== undefined) {
    validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
    if (insecureHTTPParser !== undefined) {
      throw new ERR_INVALID_ARG_VALUE(
        'options.httpValidation',
        httpValidation,
        'cannot be used together with insecureHTTPParser',
      );
    }
  }
  this.httpValidation = httpValidation;
  this.lenientParser = insecureHTTPParser ?? (httpValidation === 'insecure' || hasFlag('--insecure-http-parser'));
  if (this.lenientParser || httpValidation === 'relaxed') this.relaxedValues = true;
  if (joinDuplicateHeaders !== undefined) validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  this.joinDuplicateHeaders = joinDuplicateHeaders;
});

hidden('setMethod', function (options) {
  const method = options.method ?? '';
  if (typeof method !== 'string') throw new ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  if (method !== '' && !isToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
  this.method = method.toUpperCase() || 'GET';
  this.useChunkedEncodingByDefault = !withoutBody.has(this.method);
});

// Host, with the port unless it is the default, and in brackets if it is an address of IPv6.
function hostHeader(host, port, defaultPort) {
  const colons = host.split(':').length - 1;
  const name = colons > 1 && !host.startsWith('[') ? `[${host}]` : host;
  return port && +port !== defaultPort ? `${name}:${port}` : name;
}

hidden('takeHeaders', function (options, setHost, host, defaultPort) {
  const { headers, auth } = options;
  if (Array.isArray(headers)) {
    // Headers as they were given; nothing is added.
    this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, headers);
    return;
  }
  if (headers) {
    if (Array.isArray(headers.host)) throw new ERR_INVALID_ARG_TYPE('options.headers.host', 'string', headers.host);
    for (const name of Object.keys(headers)) this.setHeader(name, headers[name]);
  }
  if (setHost && !this.getHeader('host')) {
    this.setHeader(
      'Host',
      this.method === 'CONNECT' && options.path ? this.path : hostHeader(host, options.port, defaultPort),
    );
  }
  if (auth && !this.getHeader('Authorization')) this.setHeader('Authorization', basic(auth));
  if (this.getHeader('expect')) {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
    this._implicitHeader();
  }
});

function basic(auth) {
  return `Basic ${Buffer.from(auth).toString('base64')}`;
}

ClientRequest.prototype._implicitHeader = function () {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`);
};

// ---- the connection ----

hidden('connect', function (options) {
  const own = { ...options };
  if (this.agent) {
    if (this.socketPath) own.socketPath = this.socketPath;
    own.signal = undefined;
    delete own.signal;
    this.agent.addRequest(this, own);
    return;
  }
  this.lastOnConnection = true;
  this.shouldKeepAlive = false;
  if (this.socketPath) own.path = this.socketPath;
  else delete own.path;
  if (typeof options.createConnection === 'function') {
    let told = false;
    const made = (error, socket) => {
      if (told) return;
      told = true;
      if (error) process.nextTick(() => this.failWith(error, true));
      else this.onSocket(socket);
    };
    try {
      const socket = options.createConnection(own, made);
      if (socket) made(null, socket);
    } catch (error) {
      made(error);
    }
  } else {
    this.onSocket(net.createConnection(own));
  }
});

ClientRequest.prototype.onSocket = function (socket, error) {
  // A socket may fail before it is assigned.
  if (socket && !socket[kCurrent] && this.socket === null) {
    this.early = (failure) => {
      this.earlyFailure = failure;
    };
    socket.on('error', this.early);
  }
  process.nextTick(takeSocket, this, socket, error);
};

function takeSocket(req, socket, error) {
  req.waitsForSocket = false;
  if (req.early !== undefined) {
    socket?.removeListener('error', req.early);
    error ??= req.earlyFailure;
    req.early = undefined;
  }
  if (req.isClosed) {
    socket?.destroy();
    return;
  }
  if (req.destroyed || error) {
    giveBack(req, socket, error);
    return;
  }
  engage(socket, req);
  req.socket = socket;
  if (channels.clientStart.hasSubscribers) channels.clientStart.publish({ request: req });
  if (req.timeout !== undefined && socket.timeout !== req.timeout) socket.setTimeout?.(req.timeout);
  if (req.timeout !== undefined || req.agent?.options?.timeout) listenForTimeout(req, socket);
  if (req.timeoutAfterConnect) timeoutWhenConnected(req, socket, req.timeoutAfterConnect);
  req.emit('socket', socket);
  begin(req);
}

// The request was aborted before its socket came. An unused socket may serve the next request.
function giveBack(req, socket, error) {
  const over = (failure) => {
    req.destroyed = true;
    if (failure || !req.aborted) req.failWith(failure ?? req.failure ?? reset('socket hang up'));
    req.finishClosed();
  };
  if (socket && (error || !req.agent || socket.destroyed)) {
    require('stream').finished(socket.destroy(error ?? req.failure), (failure) => {
      over(failure?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? error : (failure ?? error));
    });
    return;
  }
  if (socket) {
    engage(socket, req);
    req.shouldKeepAlive = req.agent.keepAlive;
    socket[kClient].release();
    socket.emit('free');
  }
  over(error);
}

// A timeout is reported once, to the request and to its response.
function listenForTimeout(req, socket) {
  if (req.timeoutCb !== null) return;
  req.timeoutCb = () => {
    req.timeoutCb = null;
    if (!req.isClosed) req.emit('timeout');
    if (req.res !== null) req.res.emit('timeout');
  };
  socket.once('timeout', req.timeoutCb);
}

hidden('dropTimeout', function (socket) {
  if (this.timeoutCb === null) return;
  socket.removeListener('timeout', this.timeoutCb);
  this.timeoutCb = null;
});

function timeoutWhenConnected(req, socket, msecs) {
  listenForTimeout(req, socket);
  if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
  else socket.setTimeout(msecs);
}

ClientRequest.prototype.setTimeout = function (msecs, callback) {
  if (this.isClosed) return this;
  validateNumber(msecs, 'msecs', 0);
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.once('timeout', callback);
  }
  if (msecs > 2147483647) msecs = warnOfOverflow(msecs);
  if (!this.socket) {
    this.timeoutAfterConnect = msecs;
  } else if (msecs === 0) {
    this.dropTimeout(this.socket);
    this.socket.setTimeout(0);
  } else {
    timeoutWhenConnected(this, this.socket, msecs);
  }
  return this;
};

function warnOfOverflow(msecs) {
  process.emitWarning(
    `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to 2147483647.`,
    'TimeoutOverflowWarning',
  );
  return 2147483647;
}

ClientRequest.prototype.clearTimeout = function (callback) {
  this.setTimeout(0, callback);
};

function whenConnected(req, method, args) {
  const call = (socket) => socket[method]?.(...args);
  const wait = (socket) => {
    if (socket.connecting) socket.once('connect', () => call(socket));
    else call(socket);
  };
  if (req.socket) wait(req.socket);
  else req.once('socket', wait);
}

ClientRequest.prototype.setNoDelay = function (noDelay) {
  whenConnected(this, 'setNoDelay', [noDelay]);
};

ClientRequest.prototype.setSocketKeepAlive = function (enable, initialDelay) {
  whenConnected(this, 'setKeepAlive', [enable, initialDelay]);
};

// ---- how it ends ----

// An error is reported once, however many causes it has.
hidden('failWith', function (error, alsoClose) {
  if (this.hasFailed) return;
  this.hasFailed = true;
  if (channels.clientError.hasSubscribers) channels.clientError.publish({ request: this, error });
  this.failure ??= error;
  this.emit('error', error);
  if (alsoClose) {
    this.destroyed = true;
    this.finishClosed();
  }
});

hidden('finishClosed', function () {
  if (this.isClosed) return;
  this.isClosed = true;
  if (this.socket) this.dropTimeout(this.socket);
  this.emit('close');
});

// The whole response was read. The request itself may not be sent completely yet.
hidden('responseRead', function () {
  const { socket } = this;
  if (!socket || socket.destroyed || this.upgradeOrConnect) return;
  if (!this.shouldKeepAlive) {
    if (socket.writable) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    }
  } else if (this[kDone] && !this.isClosed) {
    this.letGo();
  } else {
    this.once('finish', () => {
      if (!this.isClosed && !socket.destroyed) this.letGo();
    });
  }
});

// The connection goes back to the agent.
hidden('letGo', function () {
  const { socket } = this;
  this.destroyed = true;
  process.nextTick(() => {
    const client = socket[kClient];
    if (client?.request === this) client.release();
    this.finishClosed();
    socket.emit('free');
  });
});

ClientRequest.prototype.abort = function () {
  if (this.aborted) return;
  this.aborted = true;
  process.nextTick(() => this.emit('abort'));
  this.destroy();
};

ClientRequest.prototype.destroy = function (error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  if (error) this.failure = error;
  this.res?._dump();
  const { socket } = this;
  if (socket) {
    socket.destroy(error);
  } else if (this.waitsForSocket) {
    this.onSocket(null, undefined);
  }
  return this;
};

function request(...args) {
  return new ClientRequest(...args);
}

function get(...args) {
  const req = new ClientRequest(...args);
  req.end();
  return req;
}

module.exports = { ClientRequest, get, request };
