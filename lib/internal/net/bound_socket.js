'use strict';

// net.BoundSocket: an address held before there is a server or a socket for it.

const { codes, ExceptionWithHostPort } = require('internal/errors');
const { TCP, Pipe } = require('internal/stream_base');
const { isIP } = require('internal/net/util');
const { validateBoolean, validateObject, validatePort, validateString } = require('internal/validators');

function adopted() {
  const error = new Error('The bound socket has already been adopted by a server or socket');
  error.code = 'ERR_SOCKET_HANDLE_ADOPTED';
  return error;
}

class BoundSocket {
  #handle = null;
  #path;

  constructor(options = {}) {
    validateObject(options, 'options');
    const { host, port, ipv6Only, reusePort, path } = options;
    if (path !== undefined) {
      validateString(path, 'options.path');
      if (host !== undefined || port !== undefined || ipv6Only !== undefined || reusePort !== undefined) {
        throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'path is mutually exclusive with host, port, ipv6Only, and reusePort');
      }
      const handle = new Pipe();
      const err = handle.bind(path);
      if (err) {
        handle.close();
        throw new ExceptionWithHostPort(err, 'bind', path);
      }
      this.#handle = handle;
      this.#path = path;
      return;
    }
    const number = port === undefined ? 0 : validatePort(port, 'options.port');
    if (ipv6Only !== undefined) validateBoolean(ipv6Only, 'options.ipv6Only');
    if (reusePort !== undefined) validateBoolean(reusePort, 'options.reusePort');
    const address = host ?? (ipv6Only ? '::' : '0.0.0.0');
    validateString(address, 'options.host');
    const version = isIP(address);
    if (version === 0) {
      throw new codes.ERR_INVALID_ARG_VALUE('options.host', address, 'must be a numeric IP address; net.BoundSocket does not perform DNS resolution');
    }
    const handle = new TCP();
    const flags = (ipv6Only ? 1 : 0) | (reusePort ? 2 : 0);
    let err = version === 6 ? handle.bind6(address, number, flags) : handle.bind(address, number, flags & 2);
    // A taken port is told when the kernel is asked for the name.
    if (!err) err = handle.getsockname({});
    if (err) {
      handle.close();
      throw new ExceptionWithHostPort(err, 'bind', address, number);
    }
    this.#handle = handle;
  }

  address() {
    if (this.#handle === null) throw adopted();
    if (this.#path !== undefined) return this.#path;
    const out = {};
    this.#handle.getsockname(out);
    return out;
  }

  fd() {
    if (this.#handle === null) throw adopted();
    return this.#handle.fd;
  }

  close() {
    if (this.#handle === null) throw adopted();
    this.#handle.close();
    this.#handle = null;
  }

  get isPipe() {
    return this.#path !== undefined;
  }

  [Symbol.dispose]() {
    if (this.#handle !== null) this.close();
  }

  // For net.Server and net.Socket, which take it over.
  [Symbol.for('rota.boundSocket')]() {
    if (this.#handle === null) throw adopted();
    const handle = this.#handle;
    this.#handle = null;
    return handle;
  }
}
Object.defineProperty(BoundSocket.prototype, Symbol.for('rota.boundSocket'), { enumerable: false });

module.exports = { BoundSocket };
