'use strict';

// The module https: http's server and client on connections of TLS.

const tls = require('tls');
const http = require('internal/http/server');
const { Agent: HttpAgent } = require('internal/http/agent');
const { ClientRequest } = require('internal/http/request');
const { inspect } = require('util');

// ---- server ----

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = {};
  }
  const settings = { ...options };
  if (!settings.ALPNProtocols && !settings.ALPNCallback) settings.ALPNProtocols = ['http/1.1'];
  tls.Server.call(this, { noDelay: true, allowHalfOpen: true, ...settings });
  http.becomeHttp(this, settings);
  if (requestListener) this.on('request', requestListener);
  this.on('secureConnection', http.connectionListener);
  this.on('tlsClientError', (error, socket) => {
    if (!this.emit('clientError', error, socket)) socket.destroy(error);
  });
}
Object.setPrototypeOf(Server.prototype, tls.Server.prototype);
Object.setPrototypeOf(Server, tls.Server);

Server.prototype.closeAllConnections = http.closeAllConnections;
Server.prototype.closeIdleConnections = http.closeIdleConnections;
Server.prototype.setTimeout = http.setTimeoutOfServer;
Server.prototype.close = function(...args) {
  http.beforeClose(this);
  tls.Server.prototype.close.apply(this, args);
  return this;
};
Server.prototype[Symbol.for('nodejs.rejection')] = function(error, event, ...args) {
  if (!http.rejection(error, event, ...args)) tls.Server.prototype[Symbol.for('nodejs.rejection')].call(this, error, event, ...args);
};

// ---- agent ----

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  HttpAgent.call(this, { defaultPort: 443, protocol: 'https:', ...options });
  this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
  this._sessionCache = new Map();
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

// A connection like the last one goes on where that one ended.
Agent.prototype.createConnection = function(port, host, options) {
  const settings = {};
  for (const item of [options, host, port]) {
    if (item !== null && typeof item === 'object') Object.assign(settings, item);
  }
  if (typeof port === 'number' || typeof port === 'string') settings.port = port;
  if (typeof host === 'string') settings.host = host;
  const key = settings._agentKey;
  if (key && settings.session === undefined) {
    const session = this._sessionCache.get(key);
    if (session !== undefined) settings.session = session;
  }
  const socket = tls.connect(settings);
  if (key) {
    socket.on('session', (session) => {
      this._sessionCache.delete(key);
      if (this.maxCachedSessions > 0) this._sessionCache.set(key, session);
      if (this._sessionCache.size > this.maxCachedSessions) this._sessionCache.delete(this._sessionCache.keys().next().value);
    });
    socket.once('close', (failed) => {
      if (failed) this._sessionCache.delete(key);
    });
  }
  return socket;
};

// Everything that makes one connection different from another.
const distinguishing = ['ca', 'cert', 'clientCertEngine', 'ciphers', 'key', 'pfx', 'rejectUnauthorized', 'servername', 'minVersion', 'maxVersion',
  'secureProtocol', 'crl', 'honorCipherOrder', 'ecdhCurve', 'dhparam', 'secureOptions', 'sessionIdContext', 'sigalgs', 'privateKeyIdentifier',
  'privateKeyEngine'];

Agent.prototype.getName = function(options = {}) {
  let name = HttpAgent.prototype.getName.call(this, options);
  for (const field of distinguishing) {
    name += ':';
    const value = options[field];
    if (field === 'servername') {
      if (value && value !== options.host) name += value;
    } else if (field === 'sigalgs') {
      if (value) name += JSON.stringify(value);
    } else if (field === 'rejectUnauthorized' || field === 'honorCipherOrder' || field === 'secureOptions') {
      if (value !== undefined) name += value;
    } else if (field === 'pfx' && value) {
      name += [value].flat().map((item) => (item?.buf ? `${inspect(item.buf.toString('latin1'))}-${item.passphrase ?? ''}` : item)).join(',');
    } else if (field === 'key' && value) {
      name += [value].flat().map((item) => (item?.pem ? `${item.pem}-${item.passphrase ?? ''}` : item)).join(',');
    } else if (value) {
      name += value;
    }
  }
  return name;
};

let globalAgent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });

// ---- client ----

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string') options = require('url').urlToHttpOptions(new URL(args.shift()));
  else if (args[0]?.searchParams !== undefined && args[0] instanceof URL) options = require('url').urlToHttpOptions(args.shift());
  if (args[0] && typeof args[0] !== 'function') Object.assign(options, args.shift());
  options._defaultAgent = module.exports.globalAgent;
  return new ClientRequest(options, ...args);
}

function get(...args) {
  const req = request(...args);
  req.end();
  return req;
}

module.exports = {
  Agent,
  Server,
  createServer: (options, requestListener) => new Server(options, requestListener),
  get,
  request,
};
Object.defineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: () => globalAgent,
  set: (value) => {
    globalAgent = value;
  },
});
