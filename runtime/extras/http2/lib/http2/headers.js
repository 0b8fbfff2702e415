'use strict';

// Header fields: from an object (or a list) of the program to the form for C, and from the list that C
// gives to an object.
//
// Outgoing fields become one string of all names and values and three numbers for each field, in memory that is reused:
// C copies it at once.

const { codes } = require('internal/http2/constants');
const { isToken } = require('internal/http/fields');

const sensitiveHeaders = Symbol('sensitiveHeaders');

const words = (text) => text.trim().split(/\s+/);

// Later ones of these are dropped when they arrive, and refused when they are sent.
const single = new Set(
  words(`
:status :method :authority :scheme :path :protocol access-control-allow-credentials access-control-max-age
access-control-request-method age authorization content-encoding content-language content-length content-location
content-md5 content-range content-type date dnt etag expires from host if-match if-modified-since if-none-match
if-range if-unmodified-since last-modified location max-forwards proxy-authorization range referer retry-after tk
upgrade-insecure-requests user-agent x-content-type-options`),
);

const forConnectionsOnly = new Set(
  words('connection upgrade http2-settings keep-alive proxy-connection transfer-encoding'),
);

const REQUEST = new Set([':method', ':authority', ':scheme', ':path', ':protocol']);
const RESPONSE = new Set([':status']);
const TRAILERS = new Set();
const ANY = new Set([...REQUEST, ...RESPONSE]);

// ---- to be sent ----

// The block under construction.
const block = { text: '', numbers: new Uint32Array(3 * 64), count: 0 };

function add(name, value, secret) {
  let { numbers, count } = block;
  if (count * 3 === numbers.length) {
    const more = new Uint32Array(numbers.length * 2);
    more.set(numbers);
    block.numbers = numbers = more;
  }
  numbers[count * 3] = name.length;
  numbers[count * 3 + 1] = value.length;
  numbers[count * 3 + 2] = secret ? 1 : 0;
  block.text += name + value;
  block.count = count + 1;
}

// Most messages use the same names: a name is checked, and converted to lower case, once.
const fit = new Map();
function checkedName(name) {
  let lower = fit.get(name);
  if (lower !== undefined) return lower;
  lower = String(name).toLowerCase();
  if (lower.charCodeAt(0) !== 58) {
    if (!isToken(lower)) throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', name);
    if (forConnectionsOnly.has(lower)) throw new codes.ERR_HTTP2_INVALID_CONNECTION_HEADERS(name);
  }
  if (fit.size < 1024) fit.set(name, lower);
  return lower;
}

function checkValue(lower, value) {
  if (lower === 'te' && value !== 'trailers') throw new codes.ERR_HTTP2_INVALID_CONNECTION_HEADERS(lower);
}

function secretsOf(headers) {
  const list = headers[sensitiveHeaders];
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) throw new codes.ERR_INVALID_ARG_VALUE('headers[http2.neverIndex]', list);
  return new Set(list.map((name) => String(name).toLowerCase()));
}

// Adds one field, or defers it until the pseudo-headers are there. `seen` is null while no name can be repeated.
function take(given, value, rules, seen) {
  if (value === undefined || value === null || given === '') return;
  const name = checkedName(given);
  const isSingle = rules.strict && single.has(name);
  if (typeof value !== 'string') {
    if (!Array.isArray(value)) {
      value = String(value);
    } else {
      if (value.length === 0) return;
      if (value.length === 1) value = String(value[0]);
      else if (isSingle) throw new codes.ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    }
  }
  if (isSingle && seen !== null) {
    if (seen.has(name)) throw new codes.ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    seen.add(name);
  }
  if (name.charCodeAt(0) === 58) {
    if (!rules.pseudo.has(name)) throw new codes.ERR_HTTP2_INVALID_PSEUDOHEADER(name);
    if (rules.regular.length === 0) addAll(name, value, rules.secrets);
    else rules.late.push(name, value);
  } else {
    if (name === 'te') checkValue(name, value);
    rules.regular.push(name, value);
  }
}

function addAll(name, value, secrets) {
  const secret = secrets !== undefined && secrets.has(name);
  if (typeof value === 'string') add(name, value, secret);
  else for (const item of value) add(name, String(item), secret);
}

const isLower = (name) => fit.get(name) === name;

// -> the block, valid until the next call
function encode(headers, pseudo, strict = true) {
  block.text = '';
  block.count = 0;
  const rules = { pseudo, strict, secrets: secretsOf(headers), regular: [], late: [] };
  if (Array.isArray(headers)) {
    const seen = new Set();
    for (let i = 0; i + 1 < headers.length; i += 2) take(headers[i], headers[i + 1], rules, seen);
  } else {
    const names = Object.keys(headers);
    // Names that are in lower case are distinct; otherwise two may be the same.
    const seen = names.every(isLower) ? null : new Set();
    for (let i = 0; i < names.length; i++) take(names[i], headers[names[i]], rules, seen);
  }
  const { regular, late, secrets } = rules;
  for (let i = 0; i < late.length; i += 2) addAll(late[i], late[i + 1], secrets);
  for (let i = 0; i < regular.length; i += 2) addAll(regular[i], regular[i + 1], secrets);
  return block;
}

// ---- arrived ----

function decode(list, secrets) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    let value = list[i + 1];
    if (name === ':status') value |= 0;
    const before = headers[name];
    if (before === undefined) headers[name] = name === 'set-cookie' ? [value] : value;
    else if (single.has(name)) continue;
    else if (name === 'set-cookie') before.push(value);
    else headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  headers[sensitiveHeaders] = secrets ?? [];
  return headers;
}

module.exports = { ANY, REQUEST, RESPONSE, TRAILERS, decode, encode, forConnectionsOnly, sensitiveHeaders };
