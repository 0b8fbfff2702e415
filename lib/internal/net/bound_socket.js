'use strict';

// net.BoundSocket: an address held before there is a server or a socket for it. Whoever takes it over asks for the handle
// through the symbol `rota.boundSocket`; from then on this object holds nothing.

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
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'path is mutually exclusive with host, port, ipv6Only, and reusePort');
  }
  const handle = new Pipe();
  return { handle, err: handle.bind(options.path), place: [options.path] };
}

function bindAddress(options) {
  const port = options.port === undefined ? 0 : validatePort(options.port, 'options.port');
  let flags = 0;
  for (const [name, flag] of [['ipv6Only', IPV6_ONLY], ['reusePort', REUSE_PORT]]) {
    if (options[name] === undefined) continue;
    validateBoolean(options[name], `options.${name}`);
    if (options[name]) flags |= flag;
  }
  const host = options.host ?? (flags & IPV6_ONLY ? '::' : '0.0.0.0');
  validateString(host, 'options.host');
  const version = isIP(host);
  if (version === 0) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.host', host, 'must be a numeric IP address; net.BoundSocket does not perform DNS resolution');
  }
  const handle = new TCP();
  const err = version === 6 ? handle.bind6(host, port, flags) : handle.bind(host, port, flags & REUSE_PORT);
  // A taken port is told when the kernel is asked for the name.
  return { handle, err: err || handle.getsockname({}), place: [host, port] };
}

class BoundSocket {
  #handle = null;
  #path;

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#path = options.path;
    const { handle, err, place } = this.isPipe ? bindPath(options) : bindAddress(options);
    if (err) {
      handle.close();
      throw new ExceptionWithHostPort(err, 'bind', ...place);
    }
    this.#handle = handle;
  }

  get #held() {
    if (this.#handle !== null) return this.#handle;
    throw Object.assign(new Error('The bound socket has already been adopted by a server or socket'), { code: 'ERR_SOCKET_HANDLE_ADOPTED' });
  }

  #letGo() {
    const handle = this.#held;
    this.#handle = null;
    return handle;
  }

  get isPipe() {
    return this.#path !== undefined;
  }

  address() {
    const name = {};
    this.#held.getsockname(name);
    return this.#path ?? name;
  }

  fd() {
    return this.#held.fd;
  }

  close() {
    this.#letGo().close();
  }

  [Symbol.dispose]() {
    if (this.#handle !== null) this.close();
  }

  [Symbol.for('rota.boundSocket')]() {
    return this.#letGo();
  }
}

module.exports = { BoundSocket };
