'use strict';

// dns.Resolver and its relative that gives promises: a channel of c-ares each, questions by type, answers in Node's shapes.

const binding = internalBinding('dns');
const { codes, DNSException } = require('internal/errors');
const { validateArray, validateFunction, validateInt32, validateUint32, validateOneOf, validateString } = require('internal/validators');
const { isIP } = require('internal/net/util');
const { parse, types } = require('internal/dns/parse');

// c-ares' statuses, in their order.
const statuses = ['', 'ENODATA', 'EFORMERR', 'ESERVFAIL', 'ENOTFOUND', 'ENOTIMP', 'EREFUSED', 'EBADQUERY', 'EBADNAME', 'EBADFAMILY', 'EBADRESP',
  'ECONNREFUSED', 'ETIMEOUT', 'EOF', 'EFILE', 'ENOMEM', 'EDESTRUCTION', 'EBADSTR', 'EBADFLAGS', 'ENONAME', 'EBADHINTS', 'ENOTINITIALIZED',
  'ELOADIPHLPAPI', 'EADDRGETNETWORKPARAMS', 'ECANCELLED'];

const errorCodes = {
  NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP', REFUSED: 'EREFUSED',
  BADQUERY: 'EBADQUERY', BADNAME: 'EBADNAME', BADFAMILY: 'EBADFAMILY', BADRESP: 'EBADRESP', CONNREFUSED: 'ECONNREFUSED',
  TIMEOUT: 'ETIMEOUT', EOF: 'EOF', FILE: 'EFILE', NOMEM: 'ENOMEM', DESTRUCTION: 'EDESTRUCTION', BADSTR: 'EBADSTR',
  BADFLAGS: 'EBADFLAGS', NONAME: 'ENONAME', BADHINTS: 'EBADHINTS', NOTINITIALIZED: 'ENOTINITIALIZED',
  LOADIPHLPAPI: 'ELOADIPHLPAPI', ADDRGETNETWORKPARAMS: 'EADDRGETNETWORKPARAMS', CANCELLED: 'ECANCELLED',
};

const channels = new FinalizationRegistry((id) => binding.destroy(id));

class ResolverBase {
  #channel;

  constructor(options = undefined) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = options ?? {};
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    const id = binding.channel(timeout, tries);
    if (id < 0) throw new DNSException(statuses[-id], 'ares_init_options');
    this.#channel = id;
    this._handle = { getServers: () => binding.servers(id), cancel: () => binding.cancel(id) };
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
    const addresses = [];
    const ports = [];
    servers.forEach((server, index) => {
      validateString(server, `servers[${index}]`);
      if (isIP(server)) {
        addresses.push(server);
        ports.push(53);
        return;
      }
      const bracketed = /^\[([^[\]]*)\]/.exec(server);
      if (bracketed !== null && isIP(bracketed[1])) {
        const port = Number.parseInt(server.replace(/.+?(?::(\d+))?$/, '$1')) || 53;
        addresses.push(bracketed[1]);
        ports.push(port);
        return;
      }
      const split = /^(.+?):(\d+)$/.exec(server);
      if (split !== null) {
        const port = Number.parseInt(split[2]);
        if (port > 65535) throw new codes.ERR_SOCKET_BAD_PORT('Port', port);
        if (isIP(split[1])) {
          addresses.push(split[1]);
          ports.push(port);
          return;
        }
      }
      throw new codes.ERR_INVALID_IP_ADDRESS(server);
    });
    const status = binding.setServers(this.#channel, addresses, ports, addresses.length);
    if (status !== 0) {
      const reason = status === -1 ? 'There are pending queries.' : binding.statusText(status);
      throw new codes.ERR_DNS_SET_SERVERS_FAILED(reason, servers.join());
    }
  }

  setLocalAddress(ipv4, ipv6) {
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const first = isIP(ipv4);
    const second = ipv6 === undefined ? 0 : isIP(ipv6);
    if (!first || (ipv6 !== undefined && !second)) throw Object.assign(new Error('Invalid IP address.'), { code: 'ERR_INVALID_ARG_VALUE' });
    if (first === second) throw Object.assign(new Error(`Cannot specify two IPv${first} addresses.`), { code: 'ERR_INVALID_ARG_VALUE' });
    binding.localAddress(this.#channel, first === 4 ? ipv4 : ipv6, first === 4 ? ipv6 : ipv4);
  }

  // The answer comes in the check phase, never from within this call.
  _ask(kind, hostname, ttl, done) {
    const settle = (status, result) => setImmediate(() => {
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
    if (kind.type === undefined) return binding.reverse(this.#channel, settle, hostname);
    return binding.query(this.#channel, settle, kind.ascii === false ? hostname : require('internal/dns/lookup').toASCII(hostname), kind.type);
  }
}

function pick(records, type) {
  return records.filter((record) => record.type === type);
}

// A shape gives undefined for an answer without what was asked for.
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
// The records that name their type do so alone as well as among others; some name none.
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
  resolveSoa: { syscall: 'querySoa', type: types.SOA, shape: (memory) => pick(parse(memory), types.SOA).map(untyped)[0] },
  reverse: { syscall: 'getHostByAddr', type: undefined, shape: (found) => found },
};

const byType = {
  __proto__: null, ANY: 'resolveAny', A: 'resolve4', AAAA: 'resolve6', CAA: 'resolveCaa', CNAME: 'resolveCname', MX: 'resolveMx', NS: 'resolveNs',
  TLSA: 'resolveTlsa', TXT: 'resolveTxt', SRV: 'resolveSrv', PTR: 'resolvePtr', NAPTR: 'resolveNaptr', SOA: 'resolveSoa',
};

const UV_EINVAL = -22;

class QueryReqWrap {
  constructor(fields) {
    Object.assign(this, fields);
  }
}

class Resolver extends ResolverBase {
  resolve(hostname, rrtype, callback) {
    let method;
    if (typeof rrtype === 'string') {
      method = byType[rrtype];
    } else if (typeof rrtype === 'function') {
      method = 'resolve4';
      callback = rrtype;
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('rrtype', 'string', rrtype);
    }
    if (method === undefined) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', rrtype);
    return this[method](hostname, callback);
  }
}

class PromisesResolver extends ResolverBase {
  resolve(hostname, rrtype) {
    let method = 'resolve4';
    if (rrtype !== undefined) {
      validateString(rrtype, 'rrtype');
      method = byType[rrtype];
      if (method === undefined) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', rrtype);
    }
    return this[method](hostname);
  }
}
Object.defineProperty(PromisesResolver, 'name', { value: 'Resolver' });

for (const [method, kind] of Object.entries(kinds)) {
  Object.defineProperty(Resolver.prototype, method, {
    __proto__: null,
    writable: true,
    configurable: true,
    enumerable: false,
    value: function query(name, options, callback) {
      if (arguments.length <= 2) {
        callback = options;
        options = undefined;
      }
      validateString(name, 'name');
      validateFunction(callback, 'callback');
      const ttl = !!(options?.ttl);
      if (kind.type === undefined && !isIP(name)) throw new DNSException(UV_EINVAL, kind.syscall, name);
      this._ask(kind, name, ttl, (err, result) => (err ? callback(err) : callback(null, result)));
      return new QueryReqWrap({ bindingName: kind.syscall, callback, hostname: name, oncomplete: callback, ttl });
    },
  });
  Object.defineProperty(PromisesResolver.prototype, method, {
    __proto__: null,
    writable: true,
    configurable: true,
    enumerable: false,
    value: function query(name, options) {
      validateString(name, 'name');
      const ttl = !!(options?.ttl);
      return new Promise((resolve, reject) => {
        if (kind.type === undefined && !isIP(name)) throw new DNSException(UV_EINVAL, kind.syscall, name);
        this._ask(kind, name, ttl, (err, result) => (err ? reject(err) : resolve(result)));
      });
    },
  });
}

// The resolver that the functions of the module use; setServers replaces it while it has questions open.
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
    const option = process.execArgv.find((argument) => argument.startsWith('--dns-result-order='));
    defaultOrder = option?.slice(19) ?? 'verbatim';
  }
  return defaultOrder;
}

function setDefaultResultOrder(order) {
  validateOneOf(order, 'dnsOrder', orders);
  defaultOrder = order;
}

module.exports = { Resolver, PromisesResolver, getDefaultResolver, getDefaultPromisesResolver, setDefaultServers, errorCodes, kinds,
  getDefaultResultOrder, setDefaultResultOrder, orders };
