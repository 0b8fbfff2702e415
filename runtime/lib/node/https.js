'use strict';

// The module https: http's server and client on connections of TLS.

const tls = require('tls');
const http = require('internal/http/server');
const { Agent: HttpAgent } = require('internal/http/agent');
const { ClientRequest } = require('internal/http/request');
const { inspect } = require('util');
const { validateObject } = require('internal/validators');

// ---- server ----

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = {};
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
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
Server.prototype.close = function (...args) {
  http.beforeClose(this);
  tls.Server.prototype.close.apply(this, args);
  return this;
};
Server.prototype[Symbol.for('nodejs.rejection')] = function (error, event, ...args) {
  if (!http.rejection(error, event, ...args))
    tls.Server.prototype[Symbol.for('nodejs.rejection')].call(this, error, event, ...args);
};

// ---- agent ----

// The last session with each server; the oldest is removed first.
class SessionCache {
  constructor(room) {
    this.room = room;
    this.map = {};
    this.list = [];
  }

  set(name, session) {
    if (this.room <= 0) return;
    if (this.map[name] === undefined) {
      if (this.list.length >= this.room) delete this.map[this.list.shift()];
      this.list.push(name);
    }
    this.map[name] = session;
  }

  drop(name) {
    const at = this.list.indexOf(name);
    if (at < 0) return;
    this.list.splice(at, 1);
    delete this.map[name];
  }
}

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  HttpAgent.call(this, { defaultPort: 443, protocol: 'https:', ...options });
  this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
  this._sessionCache = new SessionCache(this.maxCachedSessions);
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

// A request with its own checkServerIdentity shares neither its connections nor its sessions.
const hasOwnVerdict = (agent, options) =>
  typeof options.checkServerIdentity === 'function' &&
  options.checkServerIdentity !== agent.options.checkServerIdentity;

function connectionOptions(args) {
  const settings = {};
  for (const item of args.toReversed()) {
    if (item !== null && typeof item === 'object') Object.assign(settings, item);
  }
  const [port, host] = args;
  if (typeof port === 'number' || typeof port === 'string') settings.port = port;
  if (typeof host === 'string') settings.host = host;
  return settings;
}

// A connection to the same destination resumes the last session.
Agent.prototype.createConnection = function (...args) {
  const settings = connectionOptions(args.slice(0, 3));
  const name = hasOwnVerdict(this, settings) ? undefined : settings._agentKey;
  if (!name) return tls.connect(settings);
  const cache = this._sessionCache;
  settings.session ??= cache.map[name];
  const socket = tls.connect(settings);
  socket.on('session', (session) => cache.set(name, session));
  socket.once('close', (failed) => {
    if (failed) cache.drop(name);
  });
  return socket;
};

// Everything that distinguishes one connection from another, in the order of the name; how each is written.
const plain = (value) => value || '';
const given = (value) => (value === undefined ? '' : value);
const listed = (value, write) => (value ? [value].flat().map(write).join(',') : '');
const distinguishing = {
  ca: plain,
  cert: plain,
  clientCertEngine: plain,
  ciphers: plain,
  key: (value) => listed(value, (item) => (item?.pem ? `${item.pem}-${item.passphrase ?? ''}` : item)),
  pfx: (value) =>
    listed(value, (item) => (item?.buf ? `${inspect(item.buf.toString('latin1'))}-${item.passphrase ?? ''}` : item)),
  rejectUnauthorized: given,
  servername: (value, { host }) => (value && value !== host ? value : ''),
  minVersion: plain,
  maxVersion: plain,
  secureProtocol: plain,
  crl: plain,
  honorCipherOrder: given,
  ecdhCurve: plain,
  dhparam: plain,
  secureOptions: given,
  sessionIdContext: plain,
  sigalgs: (value) => (value ? JSON.stringify(value) : ''),
  privateKeyIdentifier: plain,
  privateKeyEngine: plain,
};
const verdicts = new WeakMap();
let verdictCount = 0;

Agent.prototype.getName = function (options = {}) {
  let name = HttpAgent.prototype.getName.call(this, options);
  for (const field of Object.keys(distinguishing)) name += `:${distinguishing[field](options[field], options)}`;
  if (!hasOwnVerdict(this, options)) return name;
  const { checkServerIdentity } = options;
  if (!verdicts.has(checkServerIdentity)) verdicts.set(checkServerIdentity, ++verdictCount);
  return `${name}:${verdicts.get(checkServerIdentity)}`;
};

let globalAgent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });

// ---- client ----

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string') options = require('url').urlToHttpOptions(new URL(args.shift()));
  else if (args[0]?.searchParams !== undefined && args[0] instanceof URL)
    options = require('url').urlToHttpOptions(args.shift());
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
