'use strict';

// url.parse and url.format, which are older than the URL Standard.
//
// url.parse: the old parser, looser than the URL Standard's. It removes parts one after the other: surrounding white
// space, the protocol, then the hash and the query from the end, the authority from the front; the rest is the path. It
// throws only for invalid hosts and ports.

const { codes } = require('internal/errors');

// Protocols with `//` and a host (and with a path that begins with a slash), with or without their colon.
const slashed = new Set();
for (const name of ['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss']) slashed.add(name).add(`${name}:`);
const isHostless = (protocol) => protocol === 'javascript' || protocol === 'javascript:';

const surrounding = /^[\0-\x20\u00a0\ufeff]+|[\0-\x20\u00a0\ufeff]+$/g;
const escapes = new Map(
  [...'\t\n\r "\'<>\\^`{|}'].map((c) => [c, `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`]),
);
const unsafe = /[\t\n\r "'<>\\^`{|}]/g;
const outsideOfHosts = /[ "%';<>\\^`{|}]/;
const forbiddenInHosts = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const forbiddenInAddresses = /[\0\t\n\r #%/<>?@\\^|]/;

// [the part before the first `mark`, the rest from there on]
function cutAt(text, mark) {
  const at = text.indexOf(mark);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at)];
}

// Backslashes count as slashes, up to the query or hash.
function straighten(text) {
  const end = text.search(/[?#]/);
  if (end === -1) return text.replaceAll('\\', '/');
  return text.slice(0, end).replaceAll('\\', '/') + text.slice(end);
}

function parseInto(target, url, parseQuery, slashesDenoteHost) {
  const text = straighten(url.replace(surrounding, ''));
  if (!slashesDenoteHost && !/[#@]/.test(text) && /^\/(?!\/\/)[^?\s]*(?:\?\S*)?$/.test(text))
    return plainPath(target, text, parseQuery);

  const found = /^[a-z0-9.+-]+:/i.exec(text);
  const protocol = found === null ? null : found[0].toLowerCase();
  let rest = found === null ? text : text.slice(found[0].length);
  let slashes = false;
  if (slashesDenoteHost || protocol !== null || /^\/\/[^@/?#]+@[^@/]+/.test(rest)) {
    slashes = rest.startsWith('//') && !isHostless(protocol);
    if (slashes) rest = rest.slice(2);
  }
  target.protocol = protocol;
  if (slashes) target.slashes = true;
  // Only here the protocol's letter case counts: 'HTTP:x' has a host.
  if (!isHostless(protocol) && (slashes || (protocol !== null && !slashed.has(found[0]))))
    rest = takeAuthority(target, rest, url);
  if (!isHostless(protocol)) rest = rest.replace(unsafe, (c) => escapes.get(c));

  let path = rest;
  let hash;
  let search;
  [path, hash] = cutAt(path, '#');
  [path, search] = cutAt(path, '?');
  target.hash = hash;
  setQuery(target, search, parseQuery);
  target.pathname = path === '' ? (slashed.has(protocol) && target.hostname ? '/' : null) : path;
  target.path = target.pathname === null && search === null ? null : `${target.pathname ?? ''}${search ?? ''}`;
  target.href = target.format();
}

function setQuery(target, search, parseQuery) {
  target.search = search;
  if (parseQuery) target.query = search === null ? { __proto__: null } : require('querystring').parse(search.slice(1));
  else target.query = search === null ? null : search.slice(1);
}

// The most common case: a path and perhaps a query, with nothing to escape.
function plainPath(target, text, parseQuery) {
  const [path, search] = cutAt(text, '?');
  target.pathname = path;
  target.path = text;
  target.href = text;
  setQuery(target, search, parseQuery);
}

// Takes user and host from the front; returns the rest.
function takeAuthority(target, text, url) {
  const end = text.search(/[/?#]/);
  let authority = end === -1 ? text : text.slice(0, end);
  let rest = end === -1 ? '' : text.slice(end);
  const at = authority.lastIndexOf('@');
  if (at !== -1) target.auth = decodeURIComponent(authority.slice(0, at).replace(/[\t\n\r]/g, ''));
  authority = authority.slice(at + 1).replace(/[\t\n\r]/g, '');
  const stop = authority.search(outsideOfHosts);
  if (stop !== -1) {
    rest = authority.slice(stop) + rest;
    authority = authority.slice(0, stop);
  }
  setHost(target, authority);
  const isAddress = target.hostname.startsWith('[') && target.hostname.endsWith(']');
  if (!isAddress && target.hostname.includes(':')) {
    throw new codes.ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', url);
  }
  if (target.hostname.length > 255) target.hostname = '';
  target.hostname = target.hostname.toLowerCase();
  if (target.hostname !== '') checkHostname(target, isAddress, url);
  target.host = target.hostname + (target.port === null ? '' : `:${target.port}`);
  if (isAddress) {
    target.hostname = target.hostname.slice(1, -1);
    if (!rest.startsWith('/')) rest = `/${rest}`;
  }
  return rest;
}

function checkHostname(target, isAddress, url) {
  if (isAddress) {
    if (forbiddenInAddresses.test(target.hostname)) throw new codes.ERR_INVALID_URL(url);
    return;
  }
  target.hostname = asciiName(target.hostname);
  if (target.hostname === '' || forbiddenInHosts.test(target.hostname)) throw new codes.ERR_INVALID_URL(url);
}

function asciiName(name) {
  return /^[\0-\x7f]*$/.test(name) ? name : require('internal/idna').toASCII(name);
}

// Url.prototype.parseHost: a port after the last colon, a name before it.
function setHost(target, host) {
  const port = /:([0-9]*)$/.exec(host);
  if (port !== null && port[1] !== '') target.port = port[1];
  target.hostname = port === null ? host : host.slice(0, port.index);
}

// url.format: joins the parts, in the steps that the documentation of url.format(urlObject) lists.

function formatUrl(url) {
  const protocol = url.protocol ? (url.protocol.endsWith(':') ? url.protocol : `${url.protocol}:`) : '';
  const host = hostOf(url);
  let path = (url.pathname ?? '').replace(/[#?]/g, (c) => (c === '#' ? '%23' : '%3F'));
  let slashes = '';
  if (url.slashes || (slashed.has(protocol) && host !== '')) {
    slashes = '//';
    if (path !== '' && !path.startsWith('/')) path = `/${path}`;
  } else if (protocol === 'file:') {
    slashes = '//';
  }
  const isObject = url.query !== null && typeof url.query === 'object';
  const query = isObject ? require('querystring').stringify(url.query) : '';
  return protocol + slashes + host + path + search(url.search || (query && `?${query}`)) + hash(url.hash);
}

function hostOf(url) {
  const auth = url.auth ? `${encodeURIComponent(url.auth).replace(/%3A/gi, ':')}@` : '';
  if (url.host) return auth + url.host;
  if (!url.hostname) return '';
  const name = url.hostname.includes(':') && !/^\[.*\]$/.test(url.hostname) ? `[${url.hostname}]` : url.hostname;
  return `${auth}${name}${url.port ? `:${url.port}` : ''}`;
}

function search(text) {
  if (!text) return '';
  const escaped = text.replaceAll('#', '%23');
  return escaped.startsWith('?') ? escaped : `?${escaped}`;
}

function hash(text) {
  if (!text) return '';
  return text.startsWith('#') ? text : `#${text}`;
}

module.exports = { parseInto, setHost, slashed, isHostless, formatUrl };
