'use strict';

// net.SocketAddress: an immutable address, port and family.

const { addressText, addressBytes } = internalBinding('stream');
const { codes } = require('internal/errors');
const { validateObject, validatePort, validateString, validateUint32 } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');
const { inspectAs } = require('internal/net/util');

const versions = { __proto__: null, ipv4: 4, ipv6: 6 };
const anyAddress = { __proto__: null, ipv4: '127.0.0.1' };

class SocketAddress {
  #parts; // { address, port, family, flowlabel }

  constructor(options = {}) {
    validateObject(options, 'options');
    const { port = 0, flowlabel = 0, family: given = 'ipv4' } = options;
    const family = typeof given?.toLowerCase === 'function' ? given.toLowerCase() : undefined;
    if (versions[family] === undefined) throw new codes.ERR_INVALID_ARG_VALUE('options.family', given);
    // The name in the given letter case: Node, too, knows the IPv4 default only in lower case.
    const { address = anyAddress[given] ?? '::' } = options;
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    // In canonical form.
    const text = addressText(address, versions[family]);
    if (text === undefined) throw Object.assign(new Error('Invalid socket address'), { code: 'ERR_INVALID_ADDRESS' });
    this.#parts = { address: text, port: Number(port), family, flowlabel: family === 'ipv6' ? flowlabel : 0 };
  }

  static isSocketAddress(value) {
    return typeof value === 'object' && value !== null && #parts in value;
  }

  // Any text that a URL accepts as host and port.
  static parse(input) {
    validateString(input, 'input');
    try {
      const { hostname, port } = new URL(`http://${input}`);
      const [, inBrackets] = /^\[(.*)\]$/.exec(hostname) ?? [];
      return new SocketAddress({
        address: inBrackets ?? hostname,
        family: inBrackets === undefined ? 'ipv4' : 'ipv6',
        port: Number(port),
      });
    } catch {
      return undefined;
    }
  }

  get address() {
    return this.#parts.address;
  }

  get port() {
    return this.#parts.port;
  }

  get family() {
    return this.#parts.family;
  }

  get flowlabel() {
    return this.#parts.flowlabel;
  }

  toJSON() {
    return { ...this.#parts };
  }

  [Symbol.for('rota.clone')]() {
    return new SocketAddress(this.#parts);
  }
}
Object.defineProperty(SocketAddress.prototype, customInspectSymbol, {
  value: inspectAs('SocketAddress', (address) => address.toJSON()),
  writable: true,
  configurable: true,
});

// The bytes of an address; an IPv4 address inside of an IPv6 one is IPv4. -> { family, bytes }
function addressOf(address) {
  const family = address.family === 'ipv4' ? 4 : 6;
  const bytes = addressBytes(address.address, family);
  if (family === 6 && bytes[10] === 255 && bytes[11] === 255 && bytes.slice(0, 10).every((byte) => byte === 0)) {
    return { family: 4, bytes: bytes.slice(12) };
  }
  return { family, bytes };
}

module.exports = { SocketAddress, addressOf };
