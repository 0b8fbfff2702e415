'use strict';

// dns.lookup and dns.lookupService: the system's resolver, called in the thread pool. A question is one object, made
// from the arguments by a table; the callback forms and the promise forms differ only in how the result is delivered.

const { once } = require('internal/async/bound');
const binding = internalBinding('dns');
const { codes, DNSException } = require('internal/errors');
const {
  validateBoolean,
  validateFunction,
  validateNumber,
  validateOneOf,
  validatePort,
  validateString,
} = require('internal/validators');
const { isIP, observed } = require('internal/net/util');
const { getDefaultResultOrder, orders } = require('internal/dns/resolver');
const { customPromisifyArgs } = require('internal/util');

const allHints = binding.AI_ADDRCONFIG | binding.AI_ALL | binding.AI_V4MAPPED;
const familyNames = { __proto__: null, IPv4: 4, IPv6: 6 };

// The name in the form for name servers (ASCII).
function toASCII(name) {
  return /^[\x00-\x7f]*$/.test(name) ? name : require('url').domainToASCII?.(name) || name;
}

function familyOf(value, name) {
  if (value in familyNames) return familyNames[value];
  validateOneOf(value, name, [0, 4, 6]);
  return value;
}

// How each option changes the question.
const readers = {
  hints(question, value) {
    validateNumber(value, 'options.hints');
    question.hints = value >>> 0;
    if (question.hints & ~allHints) throw new codes.ERR_INVALID_ARG_VALUE('hints', question.hints);
  },
  family(question, value) {
    question.family = familyOf(value, 'options.family');
  },
  all(question, value) {
    validateBoolean(value, 'options.all');
    question.all = value;
  },
  verbatim(question, value) {
    validateBoolean(value, 'options.verbatim');
    question.order = value ? 'verbatim' : 'ipv4first';
  },
  order(question, value) {
    validateOneOf(value, 'options.order', orders);
    question.order = value;
  },
};

function questionFor(hostname, options) {
  const question = { hostname, family: 0, hints: 0, all: false, order: getDefaultResultOrder() };
  if (typeof options === 'number') {
    question.family = familyOf(options, 'family');
  } else if (options !== undefined && options !== null) {
    if (typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
    for (const name of Object.keys(readers)) {
      const value = options[name];
      if (value !== undefined && value !== null) readers[name](question, value);
    }
  }
  return question;
}

function needName(hostname) {
  if (!hostname) throw new codes.ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');
}

// The answer's addresses as entries, those of the wanted family first.
function inOrder(addresses, order) {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  if (order === 'verbatim') return entries;
  const ahead = order === 'ipv4first' ? 4 : 6;
  return entries.sort((a, b) => (b.family === ahead) - (a.family === ahead));
}

// heard(error), or heard(null, entries). Never called synchronously, except for an empty name.
function ask({ hostname, family, hints, order, all }, heard) {
  if (observed.dns !== undefined) {
    heard = observed.asked('lookup', heard, (entries) => ({
      hostname,
      family,
      hints,
      verbatim: order === 'verbatim',
      order,
      addresses: all ? entries : [entries[0].address],
    }));
  }
  const problem = (status) => new DNSException(status, 'getaddrinfo', hostname);
  let err;
  try {
    err = binding.addresses(
      once('GETADDRINFOREQWRAP', (status, addresses) => {
        if (status === 0) heard(null, inOrder(addresses, order));
        else heard(problem(status));
      }),
      toASCII(hostname),
      family,
      hints,
    );
  } catch (refusal) {
    err = refusal.code;
  }
  if (err) process.nextTick(heard, problem(err));
  return err === 0;
}

// The resource that process.getActiveResourcesInfo() shows.
class GetAddrInfoReqWrap {
  constructor(question, callback) {
    this.callback = this.oncomplete = callback;
    this.family = question.family;
    this.hostname = question.hostname;
  }
}

class GetNameInfoReqWrap {
  constructor(hostname, port, callback) {
    this.callback = this.oncomplete = callback;
    this.hostname = hostname;
    this.port = port;
  }
}

// The system's function would use only the part before a null byte.
function checkName(hostname) {
  validateString(hostname, 'hostname');
  if (hostname.includes('\0'))
    throw new codes.ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a string without null bytes');
}

function lookup(hostname, options, callback) {
  if (hostname) checkName(hostname);
  if (typeof options === 'function') [options, callback] = [undefined, options];
  // With two arguments, the second should have been the callback.
  const odd = options != null && typeof options !== 'number' && typeof options !== 'object';
  validateFunction(odd && arguments.length === 2 ? options : callback, 'callback');
  const question = questionFor(hostname, options);
  needName(hostname);
  const tell = (error, entries) => {
    if (error) callback(error);
    else if (question.all) callback(null, entries);
    else callback(null, entries[0].address, entries[0].family);
  };
  const family = isIP(hostname);
  if (family !== 0) process.nextTick(tell, null, [{ address: hostname, family }]);
  else if (ask(question, tell)) return new GetAddrInfoReqWrap(question, callback);
  return {};
}

async function settle(question) {
  const { hostname, all } = question;
  needName(hostname);
  const family = isIP(hostname);
  if (family !== 0) return all ? [{ address: hostname, family }] : { address: hostname, family };
  const { promise, resolve, reject } = Promise.withResolvers();
  ask(question, (error, entries) => (error ? reject(error) : resolve(entries)));
  const entries = await promise;
  return all ? entries : entries[0];
}

function lookupPromise(hostname, options) {
  if (hostname) checkName(hostname);
  return settle(questionFor(hostname, options));
}

// -> 0, or an error of the call itself
function askService(address, port, heard) {
  if (observed.dns !== undefined) {
    heard = observed.asked('lookupService', heard, (hostname, service) => ({ host: address, port, hostname, service }));
  }
  try {
    return binding.name(
      once('GETNAMEINFOREQWRAP', (status, hostname, service) => {
        if (status === 0) heard(null, hostname, service);
        else heard(new DNSException(status, 'getnameinfo', address));
      }),
      address,
      Number(port),
    );
  } catch (refusal) {
    heard(new DNSException(refusal.code, 'getnameinfo', address)); // at once, as in Node
    return 0;
  }
}

function checkService(given, names) {
  if (given.length !== names.length) throw new codes.ERR_MISSING_ARGS(...names);
  const [address, port] = given;
  if (!isIP(address)) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
}

function lookupService(address, port, callback) {
  checkService(arguments, ['address', 'port', 'callback']);
  validateFunction(callback, 'callback');
  const err = askService(address, port, callback);
  if (err) throw new DNSException(err, 'getnameinfo', address);
  return new GetNameInfoReqWrap(address, Number(port), callback);
}

function lookupServicePromise(address, port) {
  checkService(arguments, ['address', 'port']);
  const { promise, resolve, reject } = Promise.withResolvers();
  const err = askService(address, port, (error, hostname, service) =>
    error ? reject(error) : resolve({ hostname, service }),
  );
  if (err) reject(new DNSException(err, 'getnameinfo', address));
  return promise;
}

// util.promisify gives an object with these names.
for (const [run, names] of [
  [lookup, ['address', 'family']],
  [lookupService, ['hostname', 'service']],
]) {
  Object.defineProperty(run, customPromisifyArgs, { value: names });
}

module.exports = { lookup, lookupService, lookupPromise, lookupServicePromise, toASCII };
