'use strict';

// net.BoundSocket: an address that is bound before there is a server or a socket for it. The new owner takes the handle
// through the symbol `rota.boundSocket`; after that this object has none.

const { codes, ExceptionWithHostPort } = require('internal/errors');
const { TCP, Pipe } = require('internal/stream_base');
const { isIP } = require('internal/net/util');
const { validateBoolean, validateObject, validatePort, validateString } = require('internal/validators');

const IPV6_ONLY = 1;
const REUSE_PORT = 2;
const ofAddresses = ['host', 'port', 'ipv6Only', 'reusePort'];

function bindPath(options) {
  validateString(options.path, 'options.path');
  if (ofAddresses.some((name) => options[name] !== undefined)) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'options',
      options,
      'path is mutually exclusive with host, port, ipv6Only, and reusePort',
    );
  }
  const handle = new Pipe();
  return { handle, err: handle.bind(options.path), place: [options.path] };
}

function bindAddress(options) {
  const port = options.port === undefined ? 0 : validatePort(options.port, 'options.port');
  let flags = 0;
  for (const [name, flag] of [
    ['ipv6Only', IPV6_ONLY],
    ['reusePort', REUSE_PORT],
  ]) {
    if (options[name] === undefined) continue;
    validateBoolean(options[name], `options.${name}`);
    if (options[name]) flags |= flag;
  }
  const host = options.host ?? (flags & IPV6_ONLY ? '::' : '0.0.0.0');
  validateString(host, 'options.host');
  const version = isIP(host);
  if (version === 0) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'options.host',
      host,
      'must be a numeric IP address; net.BoundSocket does not perform DNS resolution',
    );
  }
  const handle = new TCP();
  const bound = version === 4 ? handle.bind(host, port, flags & REUSE_PORT) : handle.bind6(host, port, flags);
  // The error of a port in use is reported by getsockname.
  return { handle, err: bound || handle.getsockname({}), place: [host, port] };
}

class BoundSocket {
  #hold; // the handle, until it is given away
  #path;

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#path = options.path;
    const { handle, err, place } = this.isPipe ? bindPath(options) : bindAddress(options);
    if (err) {
      handle.close();
      throw new ExceptionWithHostPort(err, 'bind', ...place);
    }
    this.#hold = handle;
  }

  // The handle, to be shared or (last) to be given away.
  #use(last = false) {
    const handle = this.#hold;
    if (handle === undefined) {
      throw Object.assign(new Error('The bound socket has already been adopted by a server or socket'), {
        code: 'ERR_SOCKET_HANDLE_ADOPTED',
      });
    }
    if (last) this.#hold = undefined;
    return handle;
  }

  address() {
    const name = {};
    this.#use().getsockname(name);
    return this.#path ?? name;
  }

  fd() {
    return this.#use().fd;
  }

  get isPipe() {
    return this.#path !== undefined;
  }

  close() {
    this.#use(true).close();
  }

  [Symbol.dispose]() {
    if (this.#hold !== undefined) this.close();
  }

  [Symbol.for('rota.boundSocket')]() {
    return this.#use(true);
  }
}

module.exports = { BoundSocket };
