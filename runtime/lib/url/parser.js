'use strict';

// The URL standard's basic parser: a state machine over the code units of the input.

const {
  specialPorts,
  isSpecial,
  c0Set,
  fragmentSet,
  querySet,
  specialQuerySet,
  pathSet,
  userinfoSet,
  percentEncode,
  parseHost,
} = require('internal/url/hosts');

// ---------------------------------------------------------------- the parser

const windowsLetter = /^[A-Za-z][:|]$/;

const normalizedWindowsLetter = /^[A-Za-z]:$/;

function isSingleDot(segment) {
  return segment === '.' || segment.toLowerCase() === '%2e';
}

function isDoubleDot(segment) {
  if (segment === '..') return true;
  if (segment.length < 4) return false;
  segment = segment.toLowerCase();
  return segment === '.%2e' || segment === '%2e.' || segment === '%2e%2e';
}

function startsWithWindowsLetter(text, at) {
  if (text.length - at < 2 || !windowsLetter.test(text.slice(at, at + 2))) return false;
  return text.length - at === 2 || '/\\?#'.includes(text[at + 2]);
}

function shortenPath(url) {
  const { path } = url;
  if (url.scheme === 'file' && path.length === 1 && normalizedWindowsLetter.test(path[0])) return;
  path.pop();
}

function cannotHaveCredentialsOrPort(url) {
  return url.host === null || url.host === '' || url.scheme === 'file';
}

function isAlpha(code) {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

// ---- the states of the URL standard's basic parser ----
//
// A state is a function of the parser and the code of the character at `p` (kEnd after the last one). It returns kGoOn,
// or how parsing ends. A state that must see the same character again sets `p` back.

const kEnd = -1;

const kGoOn = 0;

const kDone = 1;

const kInvalid = 2;

const kHash = 35;

const kPlus = 43;

const kMinus = 45;

const kDot = 46;

const kSlash = 47;

const kColon = 58;

const kQuestion = 63;

const kAt = 64;

const kOpening = 91;

const kBackslash = 92;

const kClosing = 93;

const isDigit = (c) => c >= 48 && c <= 57;

function isSlashOf(url, c) {
  return c === kSlash || (c === kBackslash && isSpecial(url.scheme));
}

function endsAuthority(url, c) {
  return c === kEnd || c === kQuestion || c === kHash || isSlashOf(url, c);
}

function takeAuthority(url, base) {
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
}

// The character is one that begins the query or the fragment. -> whether it is
function beginsRest(parser, c) {
  if (c === kQuestion) {
    parser.url.query = '';
    parser.state = query;
    return true;
  }
  if (c !== kHash) return false;
  parser.url.fragment = '';
  parser.state = fragment;
  return true;
}

// The next state sees the same character.
function again(parser, state) {
  parser.state = state;
  parser.p--;
  return kGoOn;
}

function schemeStart(parser, c) {
  if (isAlpha(c)) {
    parser.buffer += parser.input[parser.p].toLowerCase();
    parser.state = scheme;
    return kGoOn;
  }
  return parser.isOverride ? kInvalid : again(parser, noScheme);
}

function scheme(parser, c) {
  if (isAlpha(c) || isDigit(c) || c === kPlus || c === kMinus || c === kDot) {
    parser.buffer += parser.input[parser.p].toLowerCase();
    return kGoOn;
  }
  if (c === kColon) return parser.isOverride ? changeScheme(parser) : endOfScheme(parser);
  if (parser.isOverride) return kInvalid;
  parser.buffer = '';
  parser.state = noScheme;
  parser.p = -1;
  return kGoOn;
}

function changeScheme({ url, buffer }) {
  if (isSpecial(url.scheme) !== isSpecial(buffer)) return kDone;
  if ((url.username !== '' || url.password !== '' || url.port !== null) && buffer === 'file') return kDone;
  if (url.scheme === 'file' && (url.host === '' || url.host === null)) return kDone;
  url.scheme = buffer;
  if (url.port === specialPorts[url.scheme]) url.port = null;
  return kDone;
}

function endOfScheme(parser) {
  const { url, base } = parser;
  url.scheme = parser.buffer;
  parser.buffer = '';
  if (url.scheme === 'file') {
    parser.state = file;
  } else if (isSpecial(url.scheme)) {
    parser.state =
      base !== undefined && base.scheme === url.scheme ? specialRelativeOrAuthority : specialAuthoritySlashes;
  } else if (parser.input[parser.p + 1] === '/') {
    parser.state = pathOrAuthority;
    parser.p++;
  } else {
    url.path = '';
    parser.state = opaquePath;
  }
  return kGoOn;
}

function noScheme(parser, c) {
  const { url, base } = parser;
  if (base === undefined) return kInvalid;
  if (typeof base.path !== 'string') return again(parser, base.scheme === 'file' ? file : relative);
  if (c !== kHash) return kInvalid;
  url.scheme = base.scheme;
  url.path = base.path;
  url.query = base.query;
  url.fragment = '';
  parser.state = fragment;
  return kGoOn;
}

function specialRelativeOrAuthority(parser, c) {
  if (c !== kSlash || parser.input[parser.p + 1] !== '/') return again(parser, relative);
  parser.state = specialAuthorityIgnoreSlashes;
  parser.p++;
  return kGoOn;
}

function pathOrAuthority(parser, c) {
  if (c !== kSlash) return again(parser, path);
  parser.state = authority;
  return kGoOn;
}

function relative(parser, c) {
  const { url, base } = parser;
  url.scheme = base.scheme;
  if (isSlashOf(url, c)) {
    parser.state = relativeSlash;
    return kGoOn;
  }
  takeAuthority(url, base);
  url.path = base.path.slice();
  url.query = base.query;
  if (beginsRest(parser, c) || c === kEnd) return kGoOn;
  url.query = null;
  shortenPath(url);
  return again(parser, path);
}

function relativeSlash(parser, c) {
  const { url } = parser;
  if (isSlashOf(url, c)) {
    parser.state = isSpecial(url.scheme) ? specialAuthorityIgnoreSlashes : authority;
    return kGoOn;
  }
  takeAuthority(url, parser.base);
  return again(parser, path);
}

function specialAuthoritySlashes(parser, c) {
  if (c !== kSlash || parser.input[parser.p + 1] !== '/') return again(parser, specialAuthorityIgnoreSlashes);
  parser.state = specialAuthorityIgnoreSlashes;
  parser.p++;
  return kGoOn;
}

function specialAuthorityIgnoreSlashes(parser, c) {
  return c === kSlash || c === kBackslash ? kGoOn : again(parser, authority);
}

function authority(parser, c) {
  if (c === kAt) {
    takeCredentials(parser);
    parser.buffer = '';
  } else if (endsAuthority(parser.url, c)) {
    if (parser.atSignSeen && parser.buffer === '') return kInvalid;
    parser.p -= parser.buffer.length + 1;
    parser.buffer = '';
    parser.state = host;
  } else {
    parser.buffer += parser.input[parser.p];
  }
  return kGoOn;
}

function takeCredentials(parser) {
  const { url } = parser;
  if (parser.atSignSeen) parser.buffer = `%40${parser.buffer}`;
  parser.atSignSeen = true;
  for (const char of parser.buffer) {
    if (char === ':' && !parser.passwordTokenSeen) {
      parser.passwordTokenSeen = true;
      continue;
    }
    if (parser.passwordTokenSeen) url.password += percentEncode(char, userinfoSet);
    else url.username += percentEncode(char, userinfoSet);
  }
}

function host(parser, c) {
  const { url, isOverride } = parser;
  if (isOverride && url.scheme === 'file') return again(parser, fileHost);
  if (c === kColon && !parser.insideBrackets) {
    if (parser.buffer === '' || parser.override === 'hostname' || !takeHost(parser)) return kInvalid;
    parser.state = port;
    return kGoOn;
  }
  if (!endsAuthority(url, c)) {
    if (c === kOpening) parser.insideBrackets = true;
    else if (c === kClosing) parser.insideBrackets = false;
    parser.buffer += parser.input[parser.p];
    return kGoOn;
  }
  if (parser.buffer === '') {
    if (isSpecial(url.scheme)) return kInvalid;
    if (isOverride && (url.username !== '' || url.password !== '' || url.port !== null)) return kInvalid;
    url.host = '';
  } else if (!takeHost(parser)) {
    return kInvalid;
  }
  return isOverride ? kDone : again(parser, pathStart);
}

// -> whether the buffer is a host
function takeHost(parser) {
  const found = parseHost(parser.buffer, !isSpecial(parser.url.scheme));
  if (found === undefined) return false;
  parser.url.host = found;
  parser.buffer = '';
  return true;
}

function port(parser, c) {
  const { url, isOverride } = parser;
  if (isDigit(c)) {
    parser.buffer += parser.input[parser.p];
    return kGoOn;
  }
  if (!isOverride && !endsAuthority(url, c)) return kInvalid;
  if (parser.buffer !== '') {
    const number = parseInt(parser.buffer, 10);
    if (number > 65535) return kInvalid;
    url.port = number === specialPorts[url.scheme] ? null : number;
    parser.buffer = '';
    if (isOverride) return kDone;
  }
  return isOverride ? kInvalid : again(parser, pathStart);
}

function file(parser, c) {
  const { url, base } = parser;
  url.scheme = 'file';
  url.host = '';
  if (c === kSlash || c === kBackslash) {
    parser.state = fileSlash;
    return kGoOn;
  }
  if (base === undefined || base.scheme !== 'file') return again(parser, path);
  url.host = base.host;
  url.path = base.path.slice();
  url.query = base.query;
  if (beginsRest(parser, c) || c === kEnd) return kGoOn;
  url.query = null;
  if (startsWithWindowsLetter(parser.input, parser.p)) url.path = [];
  else shortenPath(url);
  return again(parser, path);
}

function fileSlash(parser, c) {
  const { url, base } = parser;
  if (c === kSlash || c === kBackslash) {
    parser.state = fileHost;
    return kGoOn;
  }
  if (base !== undefined && base.scheme === 'file') {
    url.host = base.host;
    const keepsLetter = base.path.length > 0 && normalizedWindowsLetter.test(base.path[0]);
    if (keepsLetter && !startsWithWindowsLetter(parser.input, parser.p)) url.path.push(base.path[0]);
  }
  return again(parser, path);
}

function fileHost(parser, c) {
  const { url, isOverride } = parser;
  if (c !== kEnd && c !== kSlash && c !== kBackslash && c !== kQuestion && c !== kHash) {
    parser.buffer += parser.input[parser.p];
    return kGoOn;
  }
  if (!isOverride && windowsLetter.test(parser.buffer)) return again(parser, path); // it stays in the buffer
  if (parser.buffer === '') url.host = '';
  else if (!takeHost(parser)) return kInvalid;
  else if (url.host === 'localhost') url.host = '';
  return isOverride ? kDone : again(parser, pathStart);
}

function pathStart(parser, c) {
  const { url, isOverride } = parser;
  if (isSpecial(url.scheme)) {
    parser.state = path;
    if (c !== kSlash && c !== kBackslash) parser.p--;
  } else if (!isOverride && beginsRest(parser, c)) {
    return kGoOn;
  } else if (c !== kEnd) {
    parser.state = path;
    if (c !== kSlash) parser.p--;
  } else if (isOverride && url.host === null) {
    url.path.push('');
  }
  return kGoOn;
}

function path(parser, c) {
  const { url, isOverride } = parser;
  const isSlash = isSlashOf(url, c);
  if (!isSlash && c !== kEnd && (isOverride || (c !== kQuestion && c !== kHash))) {
    parser.buffer += parser.input[parser.p];
    return kGoOn;
  }
  let segment = percentEncode(parser.buffer, pathSet);
  parser.buffer = '';
  if (isDoubleDot(segment)) {
    shortenPath(url);
    if (!isSlash) url.path.push('');
  } else if (isSingleDot(segment)) {
    if (!isSlash) url.path.push('');
  } else {
    if (url.scheme === 'file' && url.path.length === 0 && windowsLetter.test(segment)) segment = `${segment[0]}:`;
    url.path.push(segment);
  }
  beginsRest(parser, c);
  return kGoOn;
}

function opaquePath(parser) {
  const { url, input, p } = parser;
  let end = p;
  while (end < input.length && input[end] !== '?' && input[end] !== '#') end++;
  let part = input.slice(p, end);
  // A space before the query or the fragment would be lost when the URL is serialized.
  if (part.endsWith(' ') && end < input.length) part = `${part.slice(0, -1)}%20`;
  url.path += percentEncode(part, c0Set);
  if (end >= input.length) return kDone;
  beginsRest(parser, input.charCodeAt(end));
  parser.p = end;
  return kGoOn;
}

function query(parser) {
  const { url, input, p } = parser;
  const hash = parser.isOverride ? -1 : input.indexOf('#', p);
  const end = hash === -1 ? input.length : hash;
  url.query += percentEncode(input.slice(p, end), isSpecial(url.scheme) ? specialQuerySet : querySet);
  if (hash === -1) return kDone;
  url.fragment = '';
  parser.state = fragment;
  parser.p = end;
  return kGoOn;
}

function fragment({ url, input, p }) {
  url.fragment += percentEncode(input.slice(p), fragmentSet);
  return kDone;
}

// Where the setters begin.
const overrides = {
  __proto__: null,
  'scheme start': schemeStart,
  host,
  'hostname': host,
  port,
  'path start': pathStart,
  'opaque path': opaquePath,
  query,
  fragment,
};

class Parser {
  p = 0;
  buffer = '';
  atSignSeen = false;
  insideBrackets = false;
  passwordTokenSeen = false;

  constructor(input, base, url, override) {
    this.input = input;
    this.base = base;
    this.url = url;
    this.override = override;
    this.isOverride = override !== undefined;
    this.state = override === undefined ? schemeStart : overrides[override];
  }

  // -> the record, or undefined
  run() {
    const { input } = this;
    const { length } = input;
    for (; ; this.p++) {
      const c = this.p < length ? input.charCodeAt(this.p) : kEnd;
      const end = this.state(this, c);
      if (end !== kGoOn) return end === kDone ? this.url : undefined;
      if (c === kEnd && this.p >= length) return this.url;
    }
  }
}

// Parses `input`; with `url` and `override`, only one part of it (for the setters). Returns the record, or undefined if
// `input` is no URL.
function parseURL(input, base, url, override) {
  if (override === undefined) {
    url = { scheme: '', username: '', password: '', host: null, port: null, path: [], query: null, fragment: null };
    let start = 0;
    let end = input.length;
    while (start < end && input.charCodeAt(start) <= 32) start++;
    while (end > start && input.charCodeAt(end - 1) <= 32) end--;
    if (start > 0 || end < input.length) input = input.slice(start, end);
  }
  if (/[\t\n\r]/.test(input)) input = input.replace(/[\t\n\r]/g, '');
  return new Parser(input, base, url, override).run();
}

module.exports = { parseURL, cannotHaveCredentialsOrPort };
