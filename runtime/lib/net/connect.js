'use strict';

// Connecting a socket. The options become a plan; the plan gives candidates (a path, an address, or the addresses of a
// name); the candidates are tried one after the other until one connects. With several of them the address families
// alternate, and each attempt has a short timeout ("happy eyeballs").

const frame = require('internal/async/context');
const { codes, ExceptionWithHostPort } = require('internal/errors');
const { Connection, kConnection, TCP, Pipe, IDLE, RESOLVING, CONNECTING, publish } = require('internal/net/connection');
const { observed, isIP, normalizeArgs } = require('internal/net/util');
const {
  validateBoolean,
  validateFunction,
  validateInt32,
  validateNumber,
  validatePort,
  validateString,
} = require('internal/validators');

const UV_ETIMEDOUT = -110;
const SHORTEST_TRY_MS = 10;

const defaults = { several: true, tryMs: 500 };
for (const argument of require('internal/process/flags').words()) {
  const family = /^--(no-)?(?:enable-)?network-family-autoselection$/.exec(argument);
  if (family !== null) defaults.several = family[1] === undefined;
  const time = /^--network-family-autoselection-attempt-timeout=(\d+)$/.exec(argument);
  if (time !== null) defaults.tryMs = Math.max(Number(time[1]), SHORTEST_TRY_MS);
}

// ---- the plan ----

const checks = {
  host(host) {
    validateString(host, 'options.host');
    if (host.includes('\0'))
      throw new codes.ERR_INVALID_ARG_VALUE('options.host', host, 'must be a string without null bytes');
  },
  localAddress(address) {
    if (isIP(address) === 0) throw new codes.ERR_INVALID_IP_ADDRESS(address);
  },
  localPort(port) {
    validateNumber(port, 'options.localPort');
  },
  port(port) {
    if (typeof port !== 'number' && typeof port !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    }
    validatePort(port);
  },
};

function planFor(connection, options) {
  const { localAddress, localPort, autoSelectFamily, autoSelectFamilyAttemptTimeout: time } = options;
  const host = options.host || 'localhost';
  checks.host(host);
  if (connection.bound && (localAddress !== undefined || localPort !== undefined)) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'options',
      options,
      'localAddress and localPort cannot be used with a bound socket',
    );
  }
  if (localAddress) checks.localAddress(localAddress);
  if (localPort) checks.localPort(localPort);
  if (options.port !== undefined) checks.port(options.port);
  if (autoSelectFamily != null) validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  if (time != null) validateInt32(time, 'options.autoSelectFamilyAttemptTimeout', 1);
  const version = isIP(host);
  if (version === 0 && options.lookup != null) validateFunction(options.lookup, 'options.lookup');
  const { family } = options;
  const oneFamily = family === 4 || family === 6;
  return {
    host,
    version,
    port: options.port | 0,
    shownPort: options.port,
    localAddress,
    localPort,
    lookup: options.lookup ?? undefined,
    family: connection.bound ? 0 : (family ?? undefined),
    // Only addresses of families that this machine has.
    hints: options.hints || (oneFamily ? 0 : require('dns').ADDRCONFIG),
    several: (autoSelectFamily ?? defaults.several) && !oneFamily && !localAddress && !connection.bound,
    tryMs: time != null ? Math.max(time, SHORTEST_TRY_MS) : defaults.tryMs,
  };
}

function connect(socket, args) {
  // net.connect passes arguments that are already normalized.
  const [options, callback] = args[0]?.normalized === true ? args[0] : normalizeArgs(args);
  const { path, port } = options;
  if (path == null && port === undefined) throw new codes.ERR_MISSING_ARGS(['options', 'port', 'path']);
  if (path) validateString(path, 'options.path');
  if (socket.destroyed) revive(socket);
  const connection = socket[kConnection];
  const plan = path ? undefined : planFor(connection, options);
  if (connection.handle === null) connection.attach(path ? new Pipe() : new TCP());
  if (callback !== null) socket.once('connect', callback);
  socket._unrefTimer();
  connection.phase = RESOLVING;
  publish('clientSocket', { socket });
  const dial = new Dial(socket, plan);
  if (path) {
    dial.tryAll([{ address: path, family: undefined }]);
  } else if (plan.version === 0) {
    socket._host = plan.host;
    dial.resolve();
  } else if (connection.bound) {
    dial.tryAll([{ address: plan.host, family: plan.version }]);
  } else {
    process.nextTick(() => dial.tryAll([{ address: plan.host, family: plan.version }]));
  }
  return socket;
}

// A socket that was closed can connect again: on a new connection, with the options of the old one.
function revive(socket) {
  const old = socket[kConnection];
  socket._undestroy();
  const connection = (socket[kConnection] = new Connection(socket));
  connection.phase = IDLE;
  connection.wanted = old.wanted;
  connection.lent = old.lent;
  connection.plainText = old.plainText;
  connection.blockList = old.blockList;
}

// ---- the attempts ----

class AttemptsError extends AggregateError {
  constructor(errors) {
    super(errors);
    this.code = errors[0]?.code;
  }

  get ['constructor']() {
    return AggregateError;
  }
}

class Dial {
  #socket;
  #connection;
  #plan;
  #candidates;
  #at = 0;
  #errors = [];
  #timer;

  constructor(socket, plan) {
    this.#socket = socket;
    this.#connection = socket[kConnection];
    this.#plan = plan;
  }

  // Whether this connection is still wanted.
  get #wanted() {
    return this.#connection.connecting && this.#socket[kConnection] === this.#connection;
  }

  #fail(error, later) {
    if (later) process.nextTick(() => this.#socket.destroy(error));
    else this.#socket.destroy(error);
  }

  resolve() {
    const { host, family, hints, several, lookup = require('dns').lookup } = this.#plan;
    const query = several ? { family, hints, all: true } : { family, hints };
    const ask = () =>
      lookup(host, query, (err, found, version) => {
        this.#resolved(err, several ? found : [{ address: found, family: version }], version);
      });
    if (frame.tracker === null) ask();
    else frame.tracker.causedBy(this.#socket._handle, ask);
  }

  #resolved(err, found, version) {
    const socket = this.#socket;
    const { several, host, shownPort } = this.#plan;
    if (err) {
      socket.emit('lookup', err, several ? undefined : found[0].address, several ? undefined : version, host);
      if (this.#wanted) this.#fail(err, true);
      return;
    }
    if (several && !this.#wanted) return;
    const usable = [];
    for (const { address, family } of Array.isArray(found) ? found : []) {
      socket.emit('lookup', err, address, family, host);
      if (!this.#wanted) return;
      if (isIP(address) !== 0 && typeof address === 'string' && (family === 4 || family === 6))
        usable.push({ address, family });
    }
    if (usable.length === 0) {
      const { address, family } = found?.[0] ?? {};
      const noAddress = typeof address !== 'string' || isIP(address) === 0;
      this.#fail(
        noAddress
          ? new codes.ERR_INVALID_IP_ADDRESS(address)
          : new codes.ERR_INVALID_ADDRESS_FAMILY(family, host, shownPort),
        true,
      );
      return;
    }
    socket._unrefTimer();
    this.tryAll(takeTurns(usable));
  }

  tryAll(candidates) {
    if (!this.#wanted) return;
    this.#candidates = candidates;
    this.#connection.phase = CONNECTING;
    if (candidates.length > 1) this.#socket.autoSelectFamilyAttemptedAddresses = [];
    this.#next();
  }

  #next() {
    clearTimeout(this.#timer);
    if (!this.#wanted) return;
    const candidate = this.#candidates[this.#at++];
    if (candidate === undefined) {
      const errors = this.#errors;
      this.#fail(errors.length === 0 ? new codes.ERR_SOCKET_CONNECTION_TIMEOUT() : new AttemptsError(errors));
      return;
    }
    if (this.#at > 1) this.#connection.replace(new TCP());
    const problem = this.#prepare(candidate);
    if (problem === undefined) this.#attempt(candidate, this.#connection.handle);
    else this.#failed(problem);
  }

  // One candidate failed. If it was the only one, the socket fails, too.
  #failed(error, later = false) {
    if (this.#candidates.length === 1) {
      this.#fail(error, later);
      return;
    }
    this.#errors.push(error);
    this.#next();
  }

  // Binds to the local address that was asked for, and checks whether the remote one is allowed. ->
  // an error, or undefined
  #prepare({ address, family }) {
    if (family === undefined) return undefined;
    const { localAddress, localPort } = this.#plan;
    const { handle, blockList } = this.#connection;
    if (localAddress || localPort) {
      const near = localAddress || (family === 4 ? '0.0.0.0' : '::');
      const err = family === 4 ? handle.bind(near, localPort || 0) : handle.bind6(near, localPort || 0, 0);
      if (err) return new ExceptionWithHostPort(err, 'bind', near, localPort);
    }
    return blockList?.check(address, `ipv${family}`) ? new codes.ERR_IP_BLOCKED(address) : undefined;
  }

  #attempt(candidate, handle) {
    const { address, family } = candidate;
    const socket = this.#socket;
    const last = this.#at === this.#candidates.length;
    let err;
    if (observed.net !== undefined) candidate.began = observed.now();
    const answered = (status) => this.#answered(candidate, handle, status);
    if (family === undefined) {
      err = isPlain(handle) ? handle.connect(address, answered) : connectAsInNode(handle, candidate, answered);
    } else {
      const { port } = this.#plan;
      if (this.#candidates.length > 1) socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
      socket.emit('connectionAttempt', address, port, family);
      if (!this.#wanted) return;
      if (isPlain(handle)) err = handle.connect(address, port, family, answered);
      else err = connectAsInNode(handle, { ...candidate, port, ...this.#near() }, answered);
    }
    if (err) {
      this.#refused(candidate, err);
    } else if (!last) {
      this.#timer = setTimeout(() => {
        if (!this.#wanted || this.#connection.handle !== handle) return;
        this.#errors.push(this.#errorOf(candidate, UV_ETIMEDOUT));
        socket.emit('connectionAttemptTimeout', address, this.#plan.port, family);
        this.#next();
      }, this.#plan.tryMs);
    }
  }

  #near() {
    const { localAddress, localPort } = this.#plan;
    return { localAddress, localPort };
  }

  // The system refused to begin the attempt.
  #refused(candidate, err) {
    const { address, family } = candidate;
    if (this.#candidates.length > 1) {
      const error = this.#errorOf(candidate, err);
      this.#socket.emit('connectionAttemptFailed', address, this.#plan.port, family, error);
      this.#failed(error);
      return;
    }
    const near = this.#socket.address();
    const details = near.address === undefined ? undefined : `${near.address}:${near.port}`;
    this.#failed(
      new ExceptionWithHostPort(err, 'connect', address, this.#plan?.port, details),
      this.#connection.bound && family !== undefined,
    );
  }

  #answered(candidate, handle, status) {
    const socket = this.#socket;
    clearTimeout(this.#timer);
    if (!this.#wanted || this.#connection.handle !== handle) return;
    if (status === 0) {
      if (candidate.began !== undefined && candidate.family !== undefined)
        observed.connected(candidate.began, candidate.address, this.#plan.port);
      this.#succeed();
      return;
    }
    const error = this.#errorOf(candidate, status);
    if (this.#candidates.length === 1) this.#connection.phase = IDLE;
    if (candidate.family !== undefined) {
      socket.emit('connectionAttemptFailed', candidate.address, this.#plan.port, candidate.family, error);
    }
    if (!socket.destroyed) this.#failed(error);
  }

  #succeed() {
    const socket = this.#socket;
    this.#connection.local = undefined;
    socket._unrefTimer();
    this.#connection.opened();
    socket.emit('connect');
    socket.emit('ready');
    if (socket.readable && !socket.destroyed && !socket.isPaused()) socket.read(0);
  }

  // The error, with the local address if the program chose it.
  #errorOf({ address }, status) {
    const { port, localAddress, localPort } = this.#plan ?? {};
    const near = localAddress || localPort ? `${localAddress || ''}${localPort ? `:${localPort}` : ''}` : undefined;
    const error = new ExceptionWithHostPort(status, 'connect', address, port, near);
    if (near !== undefined) {
      if (localAddress || this.#candidates.length === 1) error.localAddress = localAddress;
      error.localPort = localPort;
    }
    return error;
  }
}

// Programs that stand in for the network put functions of their own on a handle. They get what Node gives: a request
// whose `oncomplete` tells the outcome.
const isPlain = ({ connect: own }) => own === TCP.prototype.connect || own === Pipe.prototype.connect;

function connectAsInNode(handle, { address, port, family, localAddress, localPort }, answered) {
  const request = {
    oncomplete: (status) => answered(status),
    address,
    port,
    addressType: family,
    localAddress,
    localPort,
  };
  if (family === undefined) return handle.connect(request, address);
  return family === 6 ? handle.connect6(request, address, port) : handle.connect(request, address, port);
}

// The families alternate, beginning with that of the first address.
function takeTurns(list) {
  const { family } = list[0];
  const same = list.filter((entry) => entry.family === family);
  const other = list.filter((entry) => entry.family !== family);
  return same.flatMap((entry, i) => (i < other.length ? [entry, other[i]] : [entry])).concat(other.slice(same.length));
}

// Functions of the module `net`.
const setters = {
  getDefaultAutoSelectFamily: () => defaults.several,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    defaults.several = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => defaults.tryMs,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    defaults.tryMs = Math.max(value, SHORTEST_TRY_MS);
  },
};

module.exports = { connect, setters };
