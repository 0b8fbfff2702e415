'use strict';

// http.Agent: the client's connections, by the name of their destination: in use, free, and the requests
// that wait for one.

const EventEmitter = require('events');
const net = require('net');
const { codes } = require('internal/errors');
const { validateNumber, validateOneOf } = require('internal/validators');
const frame = require('internal/async/context');
const { kCurrent } = require('internal/http/client_connection');

const { ERR_OUT_OF_RANGE } = codes;

const kOptions = Symbol('agentOptions'); // of a request that waits
const kFrame = Symbol('asyncFrame');

// A list in an object of lists; the list is removed when it is empty.
function addTo(lists, name, item) {
  (lists[name] ??= []).push(item);
}
function takeFrom(lists, name, item) {
  const list = lists[name];
  const index = list === undefined ? -1 : list.indexOf(item);
  if (index < 0) return false;
  list.splice(index, 1);
  if (list.length === 0) delete lists[name];
  return true;
}

// The defaults of an agent.
const usual = {
  defaultPort: 80,
  protocol: 'http:',
  keepAliveMsecs: 1000,
  keepAlive: false,
  maxFreeSockets: 256,
  scheduling: 'lifo',
};

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  // With a path here, every connection would go to a pipe.
  const given = (this.options = { __proto__: null, noDelay: true, ...options, path: null });
  given.noDelay ??= true;
  for (const name of ['requests', 'sockets', 'freeSockets']) this[name] = { __proto__: null };
  this.totalSocketCount = 0;
  for (const name of Object.keys(usual)) this[name] = given[name] || usual[name];
  this.maxSockets = given.maxSockets || Agent.defaultMaxSockets;
  this.maxTotalSockets = given.maxTotalSockets ?? Infinity;
  const spare = given.agentKeepAliveTimeoutBuffer;
  this.agentKeepAliveTimeoutBuffer = Number.isFinite(spare) && spare >= 0 ? spare : 1000;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  if (Number.isNaN(this.maxTotalSockets)) throw new ERR_OUT_OF_RANGE('maxTotalSockets', '> 0', this.maxTotalSockets);
  this.on('free', (socket, opts) => park(this, socket, opts));
  this.on('newListener', passKeylog);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

// Sockets report keys of TLS sessions only if there is a listener.
function passKeylog(event) {
  if (event !== 'keylog' || this.tellsKeylog) return;
  Object.defineProperty(this, 'tellsKeylog', { __proto__: null, value: true });
  this.passKeylogOf = (socket) => socket.on('keylog', (line) => this.emit('keylog', line, socket));
  for (const lists of [this.sockets, this.freeSockets]) {
    for (const list of Object.values(lists)) list.forEach(this.passKeylogOf);
  }
}

Agent.prototype.createConnection = function (...args) {
  return net.createConnection(...args);
};

Agent.prototype.getName = function (options = {}) {
  const { family, host, localAddress, port, socketPath } = options;
  const parts = [host || 'localhost', port || '', localAddress || ''];
  if (family === 4 || family === 6) parts.push(family);
  if (socketPath) parts.push(socketPath);
  return parts.join(':');
};

Agent.prototype.addRequest = function (req, options, port, localAddress) {
  options = destination(this, req, typeof options === 'string' ? { host: options, port, localAddress } : options);
  const name = this.getName(options);
  const socket = pick(this, name);
  if (socket !== undefined) {
    addTo(this.sockets, name, socket);
    this.reuseSocket(socket, req);
    if (options.highWaterMark !== undefined && socket._writableState) {
      socket._writableState.highWaterMark = socket._readableState.highWaterMark = options.highWaterMark;
    }
    hand(this, req, socket);
  } else if ((this.sockets[name]?.length ?? 0) < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    connectFor(this, req, options);
  } else {
    req[kOptions] = options;
    req[kFrame] = frame.current;
    req.waitsForSocket = true;
    addTo(this.requests, name, req);
  }
};

// A free connection that is still usable.
function pick(agent, name) {
  const list = agent.freeSockets[name];
  if (list === undefined) return undefined;
  let socket;
  while (list.length > 0 && socket === undefined) {
    const candidate = agent.scheduling === 'fifo' ? list.shift() : list.pop();
    if (!candidate.destroyed && candidate.writable !== false) socket = candidate;
  }
  if (list.length === 0) delete agent.freeSockets[name];
  return socket;
}

function connectFor(agent, req, options) {
  agent.createSocket(req, options, (error, socket) => {
    if (error) req.onSocket(null, error);
    else hand(agent, req, socket);
  });
}

function hand(agent, req, socket) {
  if (agent.options.timeout || req.timeout) {
    // The request's own timeout applies while it uses the connection.
    const timeout = req.timeout || agent.options.timeout;
    if (socket.timeout !== timeout) socket.setTimeout?.(timeout);
  }
  req.onSocket(socket);
}

// The destination of a request: its own options, the agent's, and defaults.
function destination(agent, req, options) {
  const all = { __proto__: null, ...options, ...agent.options };
  if (all.socketPath) all.path = all.socketPath;
  if (!all.servername && all.servername !== '') all.servername = serverNameFor(all, req);
  return all;
}

// The server name for TLS: that of the Host header, if there is one.
function serverNameFor(options, req) {
  let name = options.host;
  const header = req.getHeader('host');
  if (header) {
    const text = String(header);
    name = text.startsWith('[')
      ? text.slice(1, text.includes(']') ? text.indexOf(']') : undefined)
      : text.split(':', 1)[0];
  }
  return net.isIP(name) ? '' : name;
}

Agent.prototype.createSocket = function (req, options, callback) {
  options = destination(this, req, options);
  const name = (options._agentKey = this.getName(options));
  options.encoding = null;
  let told = false;
  const made = (error, socket) => {
    if (told) return;
    told = true;
    if (error) {
      callback(error);
      return;
    }
    addTo(this.sockets, name, socket);
    this.totalSocketCount++;
    watchSocket(this, socket, options);
    callback(null, socket);
  };
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const socket = this.createConnection(options, made);
  if (socket) made(null, socket);
};

function watchSocket(agent, socket, options) {
  const hooks = {
    free: () => agent.emit('free', socket, options),
    close: () => agent.removeSocket(socket, options),
    // A free connection whose timeout has passed.
    timeout() {
      if (Object.values(agent.freeSockets).some((list) => list.includes(socket))) socket.destroy();
    },
    agentRemove() {
      agent.removeSocket(socket, options);
      for (const event of Object.keys(hooks)) socket.removeListener(event, hooks[event]);
    },
  };
  for (const event of Object.keys(hooks)) socket.on(event, hooks[event]);
  agent.passKeylogOf?.(socket);
}

Agent.prototype.removeSocket = function (socket, options) {
  const name = this.getName(options);
  let removed = false;
  if (!socket.writable) removed = takeFrom(this.freeSockets, name, socket);
  if (takeFrom(this.sockets, name, socket)) removed = true;
  else if (!removed) removed = takeFrom(this.freeSockets, name, socket);
  if (removed) this.totalSocketCount--;
  serveWaiting(this, name);
};

// A connection became available: gives it to a waiting request. Requests to the same host come first, then others.
function serveWaiting(agent, name) {
  if (agent.totalSocketCount >= agent.maxTotalSockets) return;
  let key = name;
  if (agent.requests[key] === undefined) {
    if (agent.maxTotalSockets === Infinity) return;
    key = Object.keys(agent.requests).find((other) => (agent.sockets[other]?.length ?? 0) < agent.maxSockets);
    if (key === undefined) return;
  }
  if ((agent.sockets[key]?.length ?? 0) >= agent.maxSockets) return;
  const req = agent.requests[key][0];
  const options = req[kOptions];
  // The request removes itself from the list when it gets its connection; here, at once.
  takeFrom(agent.requests, key, req);
  if (req.destroyed) {
    serveWaiting(agent, name);
    return;
  }
  const before = frame.current;
  frame.current = req[kFrame];
  connectFor(agent, req, options);
  frame.current = before;
}

Agent.prototype.keepSocketAlive = function (socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  // The timeout that a server announces is used, with a margin.
  const hint = /(?:^|[\s,])timeout=(\d+)/.exec(socket[kCurrent]?.res?.headers['keep-alive'])?.[1];
  if (hint !== undefined) {
    const milliseconds = hint * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (milliseconds <= 0) return false;
    if (!timeout || milliseconds < timeout) timeout = milliseconds;
  }
  if (socket.timeout !== timeout && (timeout || socket.timeout)) socket.setTimeout(timeout);
  return true;
};

Agent.prototype.reuseSocket = function (socket, req) {
  req.reusedSocket = true;
  socket.ref();
};

// A connection that has served its request: it goes to the next request or into the pool, or is closed.
function park(agent, socket, options) {
  const name = agent.getName(options);
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  let next;
  while (agent.requests[name] !== undefined && next === undefined) {
    const req = agent.requests[name][0];
    takeFrom(agent.requests, name, req);
    if (!req.destroyed) next = req;
  }
  if (next !== undefined) {
    socket[kCurrent] = undefined;
    const before = frame.current;
    frame.current = next[kFrame];
    agent.reuseSocket(socket, next);
    hand(agent, next, socket);
    frame.current = before;
    return;
  }
  const last = socket[kCurrent];
  const inUse = agent.sockets[name]?.length ?? 0;
  const free = agent.freeSockets[name]?.length ?? 0;
  const wanted = agent.totalSocketCount >= agent.maxTotalSockets && Object.keys(agent.requests).length > 0;
  const room =
    !wanted &&
    agent.totalSocketCount <= agent.maxTotalSockets &&
    free < agent.maxFreeSockets &&
    free + inUse <= agent.maxSockets;
  if (!last?.shouldKeepAlive || !agent.keepAlive || !room || !agent.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  socket[kCurrent] = undefined;
  socket._httpMessage = null;
  takeFrom(agent.sockets, name, socket);
  addTo(agent.freeSockets, name, socket);
}

Agent.prototype.destroy = function () {
  for (const lists of [this.freeSockets, this.sockets]) {
    for (const list of Object.values(lists)) {
      for (const socket of list.slice()) socket.destroy();
    }
  }
};

let globalAgent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });

module.exports = {
  Agent,
  get globalAgent() {
    return globalAgent;
  },
  set globalAgent(value) {
    globalAgent = value;
  },
};
