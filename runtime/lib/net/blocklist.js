'use strict';

// net.BlockList: blocked addresses, ranges and subnets. Every rule is an interval of addresses, from its first to its
// last, as numbers; single addresses are looked up, the others are compared. An IPv4 address inside of an IPv6 one
// counts as the IPv4 address.

const { codes } = require('internal/errors');
const { SocketAddress, addressOf } = require('internal/net/socketaddress');
const { inspectAs } = require('internal/net/util');
const { validateArray, validateInt32, validateString } = require('internal/validators');
const { customInspectSymbol } = require('internal/util');

const bitsOf = { 4: 32, 6: 128 };
const shownAs = { ipv4: 'IPv4', ipv6: 'IPv6' };

function toAddress(value, family, name) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validateString(value, name);
  validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

// -> { version, number }
function placeOf(address) {
  const { family: version, bytes } = addressOf(address);
  return { version, number: bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) };
}

const makers = {
  address(value, family, name = 'address') {
    const address = toAddress(value, family, name);
    const { version, number } = placeOf(address);
    return { version, first: number, last: number, text: `Address: ${shownAs[address.family]} ${address.address}` };
  },
  range(start, end, family) {
    const from = toAddress(start, family, 'start');
    const to = toAddress(end, family, 'end');
    const { version, number: first } = placeOf(from);
    const { version: other, number: last } = placeOf(to);
    if (version !== other || first > last) throw new codes.ERR_INVALID_ARG_VALUE('start', from, 'must come before end');
    return { version, first, last, text: `Range: ${shownAs[from.family]} ${from.address}-${to.address}` };
  },
  subnet(network, prefix, family) {
    const address = toAddress(network, family, 'network');
    const width = address.family === 'ipv4' ? 32 : 128;
    validateInt32(prefix, 'prefix', 0, width);
    const { version, number } = placeOf(address);
    // The prefix of an IPv4 network written as IPv6 counts all 128 bits.
    const free = BigInt(Math.min(width - prefix, bitsOf[version]));
    const first = (number >> free) << free;
    return {
      version,
      first,
      last: first | ((1n << free) - 1n),
      text: `Subnet: ${shownAs[address.family]} ${address.address}/${prefix}`,
    };
  },
  cidr(cidr) {
    validateString(cidr, 'cidr');
    const [, network, prefix] = /^(.*)\/(.*)$/s.exec(cidr) ?? [];
    if (network === undefined)
      throw new codes.ERR_INVALID_ARG_VALUE('cidr', cidr, 'must contain a prefix length (e.g. "10.0.0.0/8")');
    if (!/^\d+$/.test(prefix))
      throw new codes.ERR_INVALID_ARG_VALUE('cidr', cidr, 'prefix length must be a valid integer');
    return makers.subnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  },
};

// A rule as text, and back.
const readers = [
  [/^Address: (IPv[46]) (\S+)$/, (list, family, address) => list.addAddress(address, family)],
  [/^Range: (IPv[46]) ([^\s-]+)-(\S+)$/, (list, family, start, end) => list.addRange(start, end, family)],
  [
    /^Subnet: (IPv[46]) ([^\s/]+)\/(\d+)$/,
    (list, family, network, prefix) => list.addSubnet(network, Number(prefix), family),
  ],
];

class BlockList {
  #single = new Map(); // version and number -> rule
  #subnets = []; // the newest first
  #ranges = [];

  static PRIVATE_RANGES = Object.freeze([
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '127.0.0.0/8',
    '::1/128',
    '169.254.0.0/16',
    'fe80::/10',
    'fc00::/7',
  ]);

  static isBlockList(value) {
    return typeof value === 'object' && value !== null && #single in value;
  }

  #keep(rule) {
    this.#single.set(`${rule.version}/${rule.first}`, rule);
  }

  static #drop(rules, { text }) {
    const at = rules.findIndex((rule) => rule.text === text);
    if (at !== -1) rules.splice(at, 1);
  }

  addAddress(address, family = 'ipv4') {
    this.#keep(makers.address(address, family));
  }

  // All entries are valid, or none is added.
  addAddresses(addresses, family = 'ipv4') {
    validateArray(addresses, 'addresses');
    for (const rule of addresses.map((address, i) => makers.address(address, family, `addresses[${i}]`)))
      this.#keep(rule);
  }

  removeAddress(address, family = 'ipv4') {
    const { version, first } = makers.address(address, family);
    this.#single.delete(`${version}/${first}`);
  }

  addRange(start, end, family = 'ipv4') {
    this.#ranges.unshift(makers.range(start, end, family));
  }

  removeRange(start, end, family = 'ipv4') {
    BlockList.#drop(this.#ranges, makers.range(start, end, family));
  }

  addSubnet(network, prefix, family = 'ipv4') {
    this.#subnets.unshift(makers.subnet(network, prefix, family));
  }

  removeSubnet(network, prefix, family = 'ipv4') {
    BlockList.#drop(this.#subnets, makers.subnet(network, prefix, family));
  }

  addCIDR(cidr) {
    this.#subnets.unshift(makers.cidr(cidr));
  }

  addCIDRs(cidrs) {
    validateArray(cidrs, 'cidrs');
    for (const rule of cidrs.map(makers.cidr)) this.#subnets.unshift(rule);
  }

  removeCIDR(cidr) {
    BlockList.#drop(this.#subnets, makers.cidr(cidr));
  }

  check(address, family = 'ipv4') {
    let place;
    try {
      place = placeOf(toAddress(address, family, 'address'));
    } catch (error) {
      if (error.code === 'ERR_INVALID_ADDRESS') return false; // an invalid address is not blocked
      throw error;
    }
    const { version, number } = place;
    const covers = (rule) => rule.version === version && rule.first <= number && number <= rule.last;
    return this.#single.has(`${version}/${number}`) || this.#subnets.some(covers) || this.#ranges.some(covers);
  }

  clear() {
    this.#single.clear();
    this.#subnets.length = 0;
    this.#ranges.length = 0;
  }

  // A clone shares the rules, also those that are added later.
  [Symbol.for('rota.clone')]() {
    const other = new BlockList();
    other.#single = this.#single;
    other.#subnets = this.#subnets;
    other.#ranges = this.#ranges;
    return other;
  }

  get #all() {
    return [...this.#single.values(), ...this.#subnets, ...this.#ranges];
  }

  get rules() {
    return this.#all.map(({ text }) => text);
  }

  get size() {
    return this.#all.length;
  }

  toJSON() {
    return this.rules;
  }

  // Invalid rules are skipped.
  fromJSON(data) {
    const lines = typeof data === 'string' ? JSON.parse(data) : data;
    if (!Array.isArray(lines) || lines.some((line) => typeof line !== 'string')) {
      throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], lines);
    }
    for (const line of lines) {
      for (const [pattern, add] of readers) {
        const found = pattern.exec(line.trim());
        if (found === null) continue;
        try {
          add(this, found[1].toLowerCase(), ...found.slice(2));
        } catch {
          continue;
        }
      }
    }
  }
}
Object.defineProperty(BlockList.prototype, customInspectSymbol, {
  value: inspectAs('BlockList', ({ rules }) => ({ rules })),
  writable: true,
  configurable: true,
});

module.exports = { BlockList };
