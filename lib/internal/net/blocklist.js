'use strict';

// net.BlockList: addresses, ranges and subnets that are not welcome. Single addresses are looked up, the rest is compared.

const { codes } = require('internal/errors');
const { SocketAddress, addressOf } = require('internal/net/socketaddress');
const { validateArray, validateInt32, validateString } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');

const shown = { ipv4: 'IPv4', ipv6: 'IPv6' };

function toAddress(address, family, name = 'address') {
  if (SocketAddress.isSocketAddress(address)) return address;
  validateString(address, name);
  validateString(family, 'family');
  return new SocketAddress({ address, family });
}

function compare(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

function keyOf(address) {
  const { family, bytes } = addressOf(address);
  return `${family}/${bytes.join('.')}`;
}

function inSubnet(bytes, network, prefix) {
  const whole = prefix >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== network[i]) return false;
  const rest = prefix & 7;
  return rest === 0 || bytes[whole] >> (8 - rest) === network[whole] >> (8 - rest);
}

class BlockList {
  #addresses = new Map(); // key -> rule
  #subnets = [];
  #ranges = [];

  static isBlockList(value) {
    return typeof value === 'object' && value !== null && #addresses in value;
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return '[BlockList]';
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `BlockList ${require('internal/util/inspect').inspect({ rules: this.rules }, inner)}`;
  }

  addAddress(address, family = 'ipv4') {
    address = toAddress(address, family);
    this.#addresses.set(keyOf(address), `Address: ${shown[address.family]} ${address.address}`);
  }

  addAddresses(addresses, family = 'ipv4') {
    validateArray(addresses, 'addresses');
    const list = addresses.map((address, i) => toAddress(address, family, `addresses[${i}]`));
    for (const address of list) this.addAddress(address);
  }

  removeAddress(address, family = 'ipv4') {
    this.#addresses.delete(keyOf(toAddress(address, family)));
  }

  #range(start, end, family) {
    start = toAddress(start, family, 'start');
    end = toAddress(end, family, 'end');
    const from = addressOf(start);
    const to = addressOf(end);
    if (from.family !== to.family || compare(from.bytes, to.bytes) > 0) {
      throw new codes.ERR_INVALID_ARG_VALUE('start', start, 'must come before end');
    }
    return { from: from.bytes, to: to.bytes, family: from.family, rule: `Range: ${shown[start.family]} ${start.address}-${end.address}` };
  }

  addRange(start, end, family = 'ipv4') {
    this.#ranges.unshift(this.#range(start, end, family));
  }

  removeRange(start, end, family = 'ipv4') {
    const { rule } = this.#range(start, end, family);
    const index = this.#ranges.findIndex((range) => range.rule === rule);
    if (index !== -1) this.#ranges.splice(index, 1);
  }

  #subnet(network, prefix, family) {
    network = toAddress(network, family, 'network');
    validateInt32(prefix, 'prefix', 0, network.family === 'ipv4' ? 32 : 128);
    const { family: version, bytes } = addressOf(network);
    // A subnet of IPv4 addresses written as IPv6 counts the bits of the whole.
    const bits = network.family === 'ipv6' && version === 4 ? Math.max(prefix - 96, 0) : prefix;
    return { network: bytes, bits, family: version, rule: `Subnet: ${shown[network.family]} ${network.address}/${prefix}` };
  }

  addSubnet(network, prefix, family = 'ipv4') {
    this.#subnets.unshift(this.#subnet(network, prefix, family));
  }

  removeSubnet(network, prefix, family = 'ipv4') {
    const { rule } = this.#subnet(network, prefix, family);
    const index = this.#subnets.findIndex((subnet) => subnet.rule === rule);
    if (index !== -1) this.#subnets.splice(index, 1);
  }

  #cidr(cidr) {
    validateString(cidr, 'cidr');
    const slash = cidr.lastIndexOf('/');
    if (slash === -1) throw new codes.ERR_INVALID_ARG_VALUE('cidr', cidr, 'must contain a prefix length (e.g. "10.0.0.0/8")');
    const text = cidr.slice(slash + 1);
    if (!/^\d+$/.test(text)) throw new codes.ERR_INVALID_ARG_VALUE('cidr', cidr, 'prefix length must be a valid integer');
    const address = cidr.slice(0, slash);
    return [address, Number(text), address.includes(':') ? 'ipv6' : 'ipv4'];
  }

  addCIDR(cidr) {
    this.addSubnet(...this.#cidr(cidr));
  }

  addCIDRs(cidrs) {
    validateArray(cidrs, 'cidrs');
    // All or nothing.
    for (const subnet of cidrs.map((cidr) => this.#subnet(...this.#cidr(cidr)))) this.#subnets.unshift(subnet);
  }

  removeCIDR(cidr) {
    this.removeSubnet(...this.#cidr(cidr));
  }

  check(address, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      try {
        address = new SocketAddress({ address, family });
      } catch (error) {
        if (error.code === 'ERR_INVALID_ADDRESS') return false; // no address is none of ours
        throw error;
      }
    }
    const { family: version, bytes } = addressOf(address);
    if (this.#addresses.has(`${version}/${bytes.join('.')}`)) return true;
    for (const subnet of this.#subnets) {
      if (subnet.family === version && inSubnet(bytes, subnet.network, subnet.bits)) return true;
    }
    for (const range of this.#ranges) {
      if (range.family === version && compare(bytes, range.from) >= 0 && compare(bytes, range.to) <= 0) return true;
    }
    return false;
  }

  clear() {
    this.#addresses.clear();
    this.#subnets = [];
    this.#ranges = [];
  }

  toJSON() {
    return this.rules;
  }

  fromJSON(data) {
    if (typeof data === 'string') data = JSON.parse(data);
    if (!Array.isArray(data) || data.some((rule) => typeof rule !== 'string')) {
      throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], data);
    }
    // Lines that are no rules are skipped.
    for (const rule of data) {
      const match = /^(Address|Range|Subnet): (IPv4|IPv6) (.+)$/.exec(rule.trim());
      if (match === null) continue;
      const [, kind, name, text] = match;
      const family = name.toLowerCase();
      try {
        if (kind === 'Address') {
          this.addAddress(text, family);
        } else if (kind === 'Range') {
          const [start, end] = text.split('-');
          this.addRange(start, end, family);
        } else {
          const [network, prefix] = text.split('/');
          this.addSubnet(network, Number(prefix), family);
        }
      } catch {
        continue;
      }
    }
  }

  get rules() {
    return [...this.#addresses.values(), ...this.#subnets.map((subnet) => subnet.rule), ...this.#ranges.map((range) => range.rule)];
  }

  get size() {
    return this.#addresses.size + this.#subnets.length + this.#ranges.length;
  }

  static PRIVATE_RANGES = Object.freeze(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '::1/128', '169.254.0.0/16', 'fe80::/10', 'fc00::/7']);
}

module.exports = { BlockList };
