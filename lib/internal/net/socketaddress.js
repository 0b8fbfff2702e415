'use strict';

// net.SocketAddress: an address, a port, a family; nothing of it can change.

const { addressText, addressBytes } = internalBinding('stream');
const { codes } = require('internal/errors');
const { validateObject, validatePort, validateString, validateUint32 } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');

function invalidAddress() {
  const error = new Error('Invalid socket address');
  error.code = 'ERR_INVALID_ADDRESS';
  return error;
}

class SocketAddress {
  #address;
  #port;
  #family;
  #flowlabel;

  static isSocketAddress(value) {
    return typeof value === 'object' && value !== null && #address in value;
  }

  // Whatever a URL takes as host and port.
  static parse(input) {
    validateString(input, 'input');
    let url;
    try {
      url = new URL(`http://${input}`);
    } catch {
      return undefined;
    }
    let { hostname: address } = url;
    const family = address.startsWith('[') ? 'ipv6' : 'ipv4';
    if (family === 'ipv6') address = address.slice(1, -1);
    try {
      return new SocketAddress({ address, family, port: Number(url.port) });
    } catch {
      return undefined;
    }
  }

  constructor(options = {}) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    if (typeof family?.toLowerCase === 'function') family = family.toLowerCase();
    if (family !== 'ipv4' && family !== 'ipv6') throw new codes.ERR_INVALID_ARG_VALUE('options.family', options.family);
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    const text = addressText(address, family === 'ipv4' ? 4 : 6);
    if (text === undefined) throw invalidAddress();
    this.#address = text;
    this.#port = Number(port);
    this.#family = family;
    this.#flowlabel = family === 'ipv6' ? flowlabel : 0;
  }

  get address() {
    return this.#address;
  }

  get port() {
    return this.#port;
  }

  get family() {
    return this.#family;
  }

  get flowlabel() {
    return this.#flowlabel;
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return '[SocketAddress]';
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `SocketAddress ${require('internal/util/inspect').inspect(this.toJSON(), inner)}`;
  }

  toJSON() {
    return { address: this.#address, port: this.#port, family: this.#family, flowlabel: this.#flowlabel };
  }
}

// The bytes of an address, an IPv4 one inside of IPv6 as what it is. -> { family, bytes }
function addressOf(address) {
  const family = address.family === 'ipv4' ? 4 : 6;
  const bytes = addressBytes(address.address, family);
  if (family === 6 && bytes[10] === 255 && bytes[11] === 255 && bytes.slice(0, 10).every((byte) => byte === 0)) {
    return { family: 4, bytes: bytes.slice(12) };
  }
  return { family, bytes };
}

module.exports = { SocketAddress, addressOf };
