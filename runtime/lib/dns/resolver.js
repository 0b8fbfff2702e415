'use strict';

// dns.Resolver and its promise form: a channel of c-ares each, questions by type, answers in Node's shapes.

const { often, end } = require('internal/async/bound');
const frame = require('internal/async/context');
const binding = internalBinding('dns');
const { codes, DNSException } = require('internal/errors');
const {
  validateArray,
  validateFunction,
  validateInt32,
  validateUint32,
  validateOneOf,
  validateString,
} = require('internal/validators');
const { isIP, observed } = require('internal/net/util');
const { parse, types } = require('internal/dns/parse');

// c-ares' statuses, in their order.
const statuses = [
  '',
  'ENODATA',
  'EFORMERR',
  'ESERVFAIL',
  'ENOTFOUND',
  'ENOTIMP',
  'EREFUSED',
  'EBADQUERY',
  'EBADNAME',
  'EBADFAMILY',
  'EBADRESP',
  'ECONNREFUSED',
  'ETIMEOUT',
  'EOF',
  'EFILE',
  'ENOMEM',
  'EDESTRUCTION',
  'EBADSTR',
  'EBADFLAGS',
  'ENONAME',
  'EBADHINTS',
  'ENOTINITIALIZED',
  'ELOADIPHLPAPI',
  'EADDRGETNETWORKPARAMS',
  'ECANCELLED',
];

const DNS_PORT = 53;
const DEFAULT_TIMEOUT_MS = 5000;

// Their public names: without the E in front, except the one that is a word without it.
const errorCodes = Object.fromEntries(statuses.slice(1).map((code) => [code === 'EOF' ? code : code.slice(1), code]));

// A server as a program writes it: an address, with or without a port. -> [address, port], or undefined
function serverOf(text) {
  if (isIP(text)) return [text, DNS_PORT];
  const { address, port } =
    /^\[(?<address>[^[\]]*)\](?::(?<port>\d+))?/.exec(text)?.groups ??
    /^(?<address>.+?):(?<port>\d+)$/.exec(text)?.groups ??
    {};
  const number = port === undefined ? DNS_PORT : Number(port);
  if (number > 65535) throw new codes.ERR_SOCKET_BAD_PORT('Port', number);
  return address !== undefined && isIP(address) ? [address, number || DNS_PORT] : undefined;
}

const channels = new FinalizationRegistry((id) => binding.destroy(id));

class ResolverBase {
  #channel;
  #tries;

  constructor(options = undefined) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = options ?? {};
    frame.tracker?.create('DNSCHANNEL', this);
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    // c-ares doubles the timeout with each try. With an upper limit, the retries are made here, each
    // with the same timeout.
    this.#tries = maxTimeout > 0 ? tries : 1;
    const id =
      maxTimeout > 0
        ? binding.channel(Math.min(timeout < 0 ? DEFAULT_TIMEOUT_MS : timeout, maxTimeout), 1)
        : binding.channel(timeout, tries);
    if (id < 0) throw new DNSException(statuses[-id], 'ares_init_options');
    this.#channel = id;
    // They hold the resolver: its number is another's when it is gone.
    this._handle = {
      getServers: () => binding.servers(this.#channel),
      cancel: () => binding.cancel(this.#channel),
    };
    channels.register(this, id);
  }

  cancel() {
    this._handle.cancel();
  }

  getServers() {
    return (this._handle.getServers() || []).map(([address, port]) => {
      if (!port || port === 53) return address;
      return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    });
  }

  setServers(servers) {
    validateArray(servers, 'servers');
    const places = servers.map((server, index) => {
      validateString(server, `servers[${index}]`);
      const place = serverOf(server);
      if (place === undefined) throw new codes.ERR_INVALID_IP_ADDRESS(server);
      return place;
    });
    const status = binding.setServers(
      this.#channel,
      places.map(([address]) => address),
      places.map(([, port]) => port),
      places.length,
    );
    if (status !== 0) {
      const reason = status === -1 ? 'There are pending queries.' : binding.statusText(status);
      throw new codes.ERR_DNS_SET_SERVERS_FAILED(reason, servers.join());
    }
  }

  setLocalAddress(ipv4, ipv6) {
    const versions = [];
    for (const [address, name] of [
      [ipv4, 'ipv4'],
      [ipv6, 'ipv6'],
    ]) {
      if (address === undefined && name === 'ipv6') continue;
      validateString(address, name);
      const version = isIP(address);
      if (version === 0) throw Object.assign(new Error('Invalid IP address.'), { code: 'ERR_INVALID_ARG_VALUE' });
      if (versions.includes(version))
        throw Object.assign(new Error(`Cannot specify two IPv${version} addresses.`), {
          code: 'ERR_INVALID_ARG_VALUE',
        });
      versions.push(version);
    }
    const [first] = versions;
    binding.localAddress(this.#channel, first === 4 ? ipv4 : ipv6, first === 4 ? ipv6 : ipv4);
  }

  // The answer comes in the check phase, never synchronously.
  _ask(kind, hostname, ttl, done) {
    if (observed.dns !== undefined)
      done = observed.asked(kind.syscall, done, (result) => ({ host: hostname, ttl, result }));
    const query = {};
    const settle = (status, result) =>
      setImmediate(() => {
        end(query);
        if (status !== 0) {
          done(new DNSException(statuses[status] ?? 'EBADRESP', kind.syscall, hostname));
          return;
        }
        let value;
        try {
          value = kind.shape(result, ttl);
        } catch {
          done(new DNSException('EBADRESP', kind.syscall, hostname));
          return;
        }
        if (value === undefined) done(new DNSException('ENODATA', kind.syscall, hostname));
        else done(null, value);
      });
    let left = this.#tries;
    const heard = often(
      'QUERYWRAP',
      (status, result) => {
        if (status !== 0 && statuses[status] === 'ETIMEOUT' && --left > 0) put();
        else settle(status, result);
      },
      query,
    );
    const put =
      kind.type === undefined
        ? () => binding.reverse(this.#channel, heard, hostname)
        : () => binding.query(this.#channel, heard, require('internal/dns/lookup').toASCII(hostname), kind.type);
    try {
      return put();
    } catch (refusal) {
      setImmediate(() => {
        end(query);
        done(new DNSException(refusal.code, kind.syscall, hostname));
      });
      return 0;
    }
  }
}

function pick(records, type) {
  return records.filter((record) => record.type === type);
}

// A shape gives undefined for an answer without the records that were asked for.
function list(type, make) {
  return (memory, ttl) => {
    const records = pick(parse(memory), type);
    return records.length === 0 ? undefined : records.map((record) => make(record, ttl));
  };
}

function address(record, ttl) {
  return ttl ? { address: record.data.address, ttl: record.ttl } : record.data.address;
}

const names = Object.fromEntries(Object.entries(types).map(([name, number]) => [number, name]));

const anyOrder = ['A', 'CNAME', 'AAAA', 'MX', 'NS', 'TXT', 'SRV', 'PTR', 'NAPTR', 'SOA', 'TLSA', 'CAA'];

function any(memory) {
  const result = [];
  const records = parse(memory);
  for (const name of anyOrder) {
    for (const record of pick(records, types[name])) {
      if (name === 'A' || name === 'AAAA') result.push({ address: record.data.address, ttl: record.ttl, type: name });
      else if (name === 'CAA') result.push(caa(record));
      else if (name === 'TLSA') result.push(record.data);
      else result.push({ ...record.data, type: name });
    }
  }
  return result.length === 0 ? undefined : result;
}

const value = (record) => record.data.value;
// Some records contain the name of their type, both alone and in resolveAny; others do not.
const whole = (record) => ({ ...record.data, type: names[record.type] });
const untyped = (record) => ({ ...record.data, type: undefined });
const caa = ({ data: { critical, ...tag } }) => ({ critical, type: 'CAA', ...tag });

const kinds = {
  resolveAny: { syscall: 'queryAny', type: types.ANY, shape: any },
  resolve4: { syscall: 'queryA', type: types.A, shape: list(types.A, address) },
  resolve6: { syscall: 'queryAaaa', type: types.AAAA, shape: list(types.AAAA, address) },
  resolveCaa: { syscall: 'queryCaa', type: types.CAA, shape: list(types.CAA, caa) },
  resolveCname: { syscall: 'queryCname', type: types.CNAME, shape: list(types.CNAME, value) },
  resolveMx: { syscall: 'queryMx', type: types.MX, shape: list(types.MX, whole) },
  resolveNs: { syscall: 'queryNs', type: types.NS, shape: list(types.NS, value) },
  resolveTlsa: { syscall: 'queryTlsa', type: types.TLSA, shape: list(types.TLSA, (record) => record.data) },
  resolveTxt: { syscall: 'queryTxt', type: types.TXT, shape: list(types.TXT, (record) => record.data.entries) },
  resolveSrv: { syscall: 'querySrv', type: types.SRV, shape: list(types.SRV, whole) },
  resolvePtr: { syscall: 'queryPtr', type: types.PTR, shape: list(types.PTR, value) },
  resolveNaptr: { syscall: 'queryNaptr', type: types.NAPTR, shape: list(types.NAPTR, untyped) },
  resolveSoa: {
    syscall: 'querySoa',
    type: types.SOA,
    shape: (memory) => pick(parse(memory), types.SOA).map(untyped)[0],
  },
  reverse: { syscall: 'getHostByAddr', type: undefined, shape: (found) => found },
};

const byType = {
  __proto__: null,
  ANY: 'resolveAny',
  A: 'resolve4',
  AAAA: 'resolve6',
  CAA: 'resolveCaa',
  CNAME: 'resolveCname',
  MX: 'resolveMx',
  NS: 'resolveNs',
  TLSA: 'resolveTlsa',
  TXT: 'resolveTxt',
  SRV: 'resolveSrv',
  PTR: 'resolvePtr',
  NAPTR: 'resolveNaptr',
  SOA: 'resolveSoa',
};

const UV_EINVAL = -22;

class QueryReqWrap {
  constructor(fields) {
    Object.assign(this, fields);
  }
}

function methodFor(rrtype) {
  const method = byType[rrtype];
  if (method === undefined) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', rrtype);
  return method;
}

class Resolver extends ResolverBase {
  resolve(hostname, rrtype, callback) {
    if (typeof rrtype === 'function') return this.resolve4(hostname, rrtype);
    validateString(rrtype, 'rrtype');
    return this[methodFor(rrtype)](hostname, callback);
  }
}

class PromisesResolver extends ResolverBase {
  resolve(hostname, rrtype = 'A') {
    validateString(rrtype, 'rrtype');
    return this[methodFor(rrtype)](hostname);
  }
}
Object.defineProperty(PromisesResolver, 'name', { value: 'Resolver' });

// The methods of both classes, by type of record.
function addMethod(Class, name, value) {
  Object.defineProperty(Class.prototype, name, { value, writable: true, configurable: true });
}

function checkName(kind, name) {
  if (kind.type === undefined && !isIP(name)) throw new DNSException(UV_EINVAL, kind.syscall, name);
}

for (const [method, kind] of Object.entries(kinds)) {
  addMethod(Resolver, method, function (...args) {
    const [name, second] = args;
    const [options, callback] = args.length > 2 ? [second, args[2]] : [undefined, second];
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    checkName(kind, name);
    const ttl = !!options?.ttl;
    this._ask(kind, name, ttl, (error, result) => (error ? callback(error) : callback(null, result)));
    return new QueryReqWrap({ bindingName: kind.syscall, callback, hostname: name, oncomplete: callback, ttl });
  });
  addMethod(PromisesResolver, method, function (name, options) {
    validateString(name, 'name');
    return new Promise((resolve, reject) => {
      checkName(kind, name);
      this._ask(kind, name, !!options?.ttl, (error, result) => (error ? reject(error) : resolve(result)));
    });
  });
}

// The resolver of the module's functions; setServers replaces it while it has open questions.
let defaultResolver;
function getDefaultResolver() {
  return (defaultResolver ??= new Resolver());
}

let defaultPromises;
function getDefaultPromisesResolver() {
  if (defaultPromises === undefined) {
    defaultPromises = new PromisesResolver();
    defaultPromises._ask = (...args) => getDefaultResolver()._ask(...args);
    defaultPromises.getServers = () => getDefaultResolver().getServers();
  }
  return defaultPromises;
}

function setDefaultServers(servers) {
  const next = new Resolver();
  next.setServers(servers);
  defaultResolver = next;
}

let defaultOrder;
const orders = ['verbatim', 'ipv4first', 'ipv6first'];
function getDefaultResultOrder() {
  if (defaultOrder === undefined) {
    defaultOrder = require('internal/process/flags').valuesOf('--dns-result-order').at(-1) ?? 'verbatim';
  }
  return defaultOrder;
}

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', orders);
  defaultOrder = order;
}

// Adds the methods of the default resolver to a module's exports.
function addResolving(exports, defaultResolver) {
  for (const method of ['getServers', 'resolve', ...Object.keys(kinds).sort()]) {
    exports[method] = {
      [method](...args) {
        return defaultResolver()[method](...args);
      },
    }[method];
  }
}

module.exports = {
  addResolving,
  Resolver,
  PromisesResolver,
  getDefaultResolver,
  getDefaultPromisesResolver,
  setDefaultServers,
  errorCodes,
  getDefaultResultOrder,
  setDefaultResultOrder,
  orders,
};
