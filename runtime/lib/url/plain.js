'use strict';

// URLs that need no parser: those of the web whose text is what it will be, with a name of small ASCII letters for a
// host. They are most of those that programs have, and the parser (internal/url_parser) takes longer to load than they
// take to read. Also a record's text.
//
// Invariant: a record from here is what the parser would make of the same text.

const defaultPorts = { __proto__: null, http: 80, https: 443, ws: 80, wss: 443 };

const kHash = 35;
const kSlash = 47;
const kQuestion = 63;

// Which parts may have a character, as bits of the letter that stands for it here, from the blank on: a name of a user,
// of what no part encodes (also ! $ % & ( ) * + , : ; = @), of a host, of a port.
const kinds =
  '@B@@BBB@BBBBBGG@OOOOOOOOOOBB@B@@' + 'BCCCCCCCCCCCCCCCCCCCCCCCCCC@@@@C' + '@GGGGGGGGGGGGGGGGGGGGGGGGGG@@@C@';
const kUser = 1;
const kKept = 2;
const kHost = 4;
const kPort = 8;

// Where the characters end that a part may have.
function skip(text, at, kind, slash, question) {
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if ((kinds.charCodeAt(c - 32) & kind) === 0 && c !== slash && c !== question) break; // of none, it is not a number
  }
  return at;
}

// A name whose last label begins with a letter is no number of IPv4.
function isPlainHost(host) {
  const last = host.charCodeAt(host.lastIndexOf('.') + 1);
  return last >= 97 && last <= 122 && !host.includes('xn--');
}

function hasDots(segments) {
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i];
    if (segment === '.' || segment === '..' || segment.includes('%2e') || segment.includes('%2E')) return true;
  }
  return false;
}

// The record of a text, as internal/url_parser has it; undefined: the parser has to look at it.
function parsePlain(text) {
  const colon = text.indexOf('://');
  const scheme = colon === -1 ? '' : text.slice(0, colon);
  const defaultPort = defaultPorts[scheme];
  if (defaultPort === undefined) return undefined;
  let at = colon + 3;
  let username = '';
  let end = skip(text, at, kUser);
  if (text[end] === '@' && end > at) {
    username = text.slice(at, end);
    at = end + 1;
  }
  end = skip(text, at, kHost);
  const host = text.slice(at, end);
  if (!isPlainHost(host)) return undefined;
  let port = null;
  if (text[end] === ':') {
    at = end + 1;
    end = skip(text, at, kPort);
    if (end === at || end - at > 5) return undefined;
    port = +text.slice(at, end);
    if (port > 65535) return undefined;
    if (port === defaultPort) port = null;
  }
  const record = { scheme, username, password: '', host, port, path: [''], query: null, fragment: null };
  return readRest(record, text, end) === text.length ? record : undefined;
}

// Path, query and fragment; gives where it has stopped.
function readRest(record, text, at) {
  let end = at;
  if (text.charCodeAt(at) === kSlash) {
    end = skip(text, at, kKept, kSlash);
    record.path = text.slice(at + 1, end).split('/');
    if (hasDots(record.path)) return -1;
  }
  if (text.charCodeAt(end) === kQuestion) {
    at = end + 1;
    end = skip(text, at, kKept, kSlash, kQuestion);
    record.query = text.slice(at, end);
  }
  if (text.charCodeAt(end) === kHash) {
    at = end + 1;
    end = skip(text, at, kKept, kSlash, kQuestion);
    record.fragment = text.slice(at, end);
  }
  return end;
}

function serializePath(url) {
  if (typeof url.path === 'string') return url.path;
  return url.path.length === 0 ? '' : `/${url.path.join('/')}`;
}

function serializeURL(url, withoutFragment) {
  let text = `${url.scheme}:`;
  if (url.host !== null) {
    text += '//';
    if (url.username !== '' || url.password !== '') {
      text += url.username;
      if (url.password !== '') text += `:${url.password}`;
      text += '@';
    }
    text += url.host;
    if (url.port !== null) text += `:${url.port}`;
  } else if (typeof url.path !== 'string' && url.path.length > 1 && url.path[0] === '') {
    text += '/.';
  }
  text += serializePath(url);
  if (url.query !== null) text += `?${url.query}`;
  if (!withoutFragment && url.fragment !== null) text += `#${url.fragment}`;
  return text;
}

module.exports = { parsePlain, serializeURL, serializePath };
