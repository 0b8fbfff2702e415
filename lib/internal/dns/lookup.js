'use strict';

// dns.lookup and dns.lookupService: what the system knows of names, asked on the pool. The callback forms and those that give
// promises share the checks and the shapes.

const binding = internalBinding('dns');
const { codes, DNSException } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString } = require('internal/validators');
const { isIP } = require('internal/net/util');
const { getDefaultResultOrder, orders } = require('internal/dns/resolver');
const { customPromisifyArgs } = require('internal/util');

const families = [0, 4, 6];

function toASCII(name) {
  // eslint-disable-next-line no-control-regex
  if (!/[^\x00-\x7f]/.test(name)) return name;
  const url = require('url');
  return (url.domainToASCII?.(name) || name);
}

function validateHints(hints) {
  if ((hints & ~(binding.AI_ADDRCONFIG | binding.AI_ALL | binding.AI_V4MAPPED)) !== 0) throw new codes.ERR_INVALID_ARG_VALUE('hints', hints);
}

// -> { family, hints, all, order }
function readOptions(options) {
  const result = { family: 0, hints: 0, all: false, order: getDefaultResultOrder() };
  if (options === undefined || options === null) return result;
  if (typeof options === 'number') {
    validateOneOf(options, 'family', families);
    result.family = options;
    return result;
  }
  if (typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  if (options.hints != null) {
    validateNumber(options.hints, 'options.hints');
    result.hints = options.hints >>> 0;
    validateHints(result.hints);
  }
  if (options.family != null) {
    if (options.family === 'IPv4') result.family = 4;
    else if (options.family === 'IPv6') result.family = 6;
    else {
      validateOneOf(options.family, 'options.family', families);
      result.family = options.family;
    }
  }
  if (options.all != null) {
    validateBoolean(options.all, 'options.all');
    result.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    result.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options.order != null) {
    validateOneOf(options.order, 'options.order', orders);
    result.order = options.order;
  }
  return result;
}

function sort(addresses, order) {
  const list = addresses.map((address) => ({ address, family: isIP(address) }));
  if (order === 'verbatim') return list;
  const first = order === 'ipv4first' ? 4 : 6;
  return [...list.filter((entry) => entry.family === first), ...list.filter((entry) => entry.family !== first)];
}

// settle(error) or settle(null, list of { address, family })
function find(hostname, options, settle) {
  const err = binding.addresses((status, addresses) => {
    if (status !== 0) return settle(new DNSException(status, 'getaddrinfo', hostname));
    settle(null, sort(addresses, options.order));
  }, toASCII(hostname), options.family, options.hints);
  return err;
}

class GetAddrInfoReqWrap {}

function validateHostname(hostname) {
  if (!hostname) throw new codes.ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, 'hostname');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  } else if (options !== null && options !== undefined && typeof options !== 'number' && typeof options !== 'object') {
    validateFunction(arguments.length === 2 ? options : callback, 'callback');
    throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  } else {
    validateFunction(callback, 'callback');
  }
  const query = readOptions(options);
  validateHostname(hostname);
  const family = isIP(hostname);
  if (family) {
    if (query.all) process.nextTick(callback, null, [{ address: hostname, family }]);
    else process.nextTick(callback, null, hostname, family);
    return {};
  }
  const request = Object.assign(new GetAddrInfoReqWrap(), { callback, family: query.family, hostname, oncomplete: callback });
  const err = find(hostname, query, (error, list) => {
    if (error) callback(error);
    else if (query.all) callback(null, list);
    else callback(null, list[0].address, list[0].family);
  });
  if (err) {
    process.nextTick(callback, new DNSException(err, 'getaddrinfo', hostname));
    return {};
  }
  return request;
}
Object.defineProperty(lookup, customPromisifyArgs, { __proto__: null, value: ['address', 'family'], enumerable: false });

function lookupPromise(hostname, options) {
  if (hostname) validateString(hostname, 'hostname');
  const query = readOptions(options);
  return new Promise((resolve, reject) => {
    validateHostname(hostname);
    const family = isIP(hostname);
    if (family) {
      const entry = { address: hostname, family };
      resolve(query.all ? [entry] : entry);
      return;
    }
    const err = find(hostname, query, (error, list) => {
      if (error) reject(error);
      else resolve(query.all ? list : list[0]);
    });
    if (err) reject(new DNSException(err, 'getaddrinfo', hostname));
  });
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new codes.ERR_MISSING_ARGS('address', 'port', 'callback');
  if (isIP(address) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
  validateFunction(callback, 'callback');
  port = +port;
  const err = binding.name((status, hostname, service) => {
    if (status !== 0) return callback(new DNSException(status, 'getnameinfo', address));
    callback(null, hostname, service);
  }, address, port);
  if (err) throw new DNSException(err, 'getnameinfo', address);
  return Object.assign(new GetNameInfoReqWrap(), { callback, hostname: address, port, oncomplete: callback });
}
class GetNameInfoReqWrap {}
Object.defineProperty(lookupService, customPromisifyArgs, { __proto__: null, value: ['hostname', 'service'], enumerable: false });

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new codes.ERR_MISSING_ARGS('address', 'port');
  if (isIP(address) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
  return new Promise((resolve, reject) => {
    const err = binding.name((status, hostname, service) => {
      if (status !== 0) reject(new DNSException(status, 'getnameinfo', address));
      else resolve({ hostname, service });
    }, address, +port);
    if (err) reject(new DNSException(err, 'getnameinfo', address));
  });
}

module.exports = { lookup, lookupService, lookupPromise, lookupServicePromise, toASCII };
