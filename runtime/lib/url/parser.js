'use strict';

// The URL Standard's basic parser. A record is { scheme, username, password, host, port, path, query, fragment }; host
// is null or its serialized text, port is null or a number, path a string (opaque) or an array of segments.

const { utf8Length, utf8Write } = require('internal/encoding/utf8');

const specialPorts = { '__proto__': null, 'http': 80, 'https': 443, 'ws': 80, 'wss': 443, 'ftp': 21, 'file': null };

function isSpecial(scheme) {
  return specialPorts[scheme] !== undefined;
}

// ---------------------------------------------------------------- percent encoding

// A table for each set, made when it is first needed: 1 if the character (below 128) is encoded.
function makeSet(base, characters) {
  let set;
  return () => {
    if (set !== undefined) return set;
    set = new Uint8Array(128);
    if (base === undefined) {
      set.fill(1, 0, 32);
      set[127] = 1;
    } else {
      set.set(base());
    }
    for (let i = 0; i < characters.length; i++) set[characters.charCodeAt(i)] = 1;
    return set;
  };
}
const c0Set = makeSet(undefined, '');
const fragmentSet = makeSet(c0Set, ' "<>`');
const querySet = makeSet(c0Set, ' "#<>');
const specialQuerySet = makeSet(querySet, "'");
const pathSet = makeSet(querySet, '?^`{}');
const userinfoSet = makeSet(pathSet, '/:;=@[\\]|');

const hexBytes = []; // %00 to %FF, as far as they were needed
function encodedByte(byte) {
  return (hexBytes[byte] ??= `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`);
}
const scratch = new Uint8Array(4);

function needsEncoding(text, set) {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128 || set[code] === 1) return true;
  }
  return false;
}

function percentEncode(text, set) {
  const table = set();
  if (!needsEncoding(text, table)) return text;
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0);
    if (code < 128) {
      out += table[code] === 1 ? encodedByte(code) : char;
    } else {
      const { written } = utf8Write(char, scratch, 0, 4);
      for (let i = 0; i < written; i++) out += encodedByte(scratch[i]);
    }
  }
  return out;
}

function hexDigit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 70) return code - 55;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
}

function percentDecodeBytes(text) {
  const bytes = new Uint8Array(utf8Length(text));
  utf8Write(text, bytes, 0, bytes.length);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 37 && i + 2 < bytes.length) {
      const high = hexDigit(bytes[i + 1]);
      const low = hexDigit(bytes[i + 2]);
      if (high >= 0 && low >= 0) {
        bytes[at++] = high * 16 + low;
        i += 2;
        continue;
      }
    }
    bytes[at++] = bytes[i];
  }
  return bytes.subarray(0, at);
}

function percentDecode(text) {
  if (!text.includes('%')) return text;
  const bytes = percentDecodeBytes(text);
  return require('internal/encoding/utf8').utf8Decode(bytes, 0, bytes.length, false, undefined);
}

// ---------------------------------------------------------------- hosts

const forbiddenHost = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const forbiddenDomain = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

function parseIPv4Number(text) {
  if (text === '') return NaN;
  let radix = 10;
  if (text.length >= 2 && (text.startsWith('0x') || text.startsWith('0X'))) {
    text = text.slice(2);
    radix = 16;
  } else if (text.length >= 2 && text[0] === '0') {
    text = text.slice(1);
    radix = 8;
  }
  if (text === '') return 0;
  const pattern = radix === 10 ? /^[0-9]+$/ : radix === 16 ? /^[0-9a-fA-F]+$/ : /^[0-7]+$/;
  return pattern.test(text) ? parseInt(text, radix) : NaN;
}

function endsInNumber(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '') {
    if (parts.length === 1) return false;
    parts.pop();
  }
  const last = parts[parts.length - 1];
  return /^[0-9]+$/.test(last) || /^0[xX][0-9a-fA-F]*$/.test(last);
}

function parseIPv4(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return undefined;
  const numbers = [];
  for (const part of parts) {
    const number = parseIPv4Number(part);
    if (number !== number) return undefined;
    numbers.push(number);
  }
  for (let i = 0; i < numbers.length - 1; i++) if (numbers[i] > 255) return undefined;
  if (numbers[numbers.length - 1] >= 256 ** (5 - numbers.length)) return undefined;
  let address = numbers[numbers.length - 1];
  for (let i = 0; i < numbers.length - 1; i++) address += numbers[i] * 256 ** (3 - i);
  return [16777216, 65536, 256, 1].map((unit) => Math.floor(address / unit) % 256).join('.');
}

function parseIPv6(text) {
  const address = [0, 0, 0, 0, 0, 0, 0, 0];
  let piece = 0;
  let compress = null;
  let i = 0;
  if (text[i] === ':') {
    if (text[i + 1] !== ':') return undefined;
    i += 2;
    piece++;
    compress = piece;
  }
  while (i < text.length) {
    if (piece === 8) return undefined;
    if (text[i] === ':') {
      if (compress !== null) return undefined;
      i++;
      piece++;
      compress = piece;
      continue;
    }
    let value = 0;
    let length = 0;
    while (length < 4 && i < text.length && hexDigit(text.charCodeAt(i)) >= 0) {
      value = value * 16 + hexDigit(text.charCodeAt(i));
      i++;
      length++;
    }
    if (text[i] === '.') {
      if (length === 0) return undefined;
      i -= length;
      if (piece > 6) return undefined;
      let seen = 0;
      while (i < text.length) {
        let v4 = null;
        if (seen > 0) {
          if (text[i] === '.' && seen < 4) i++;
          else return undefined;
        }
        if (i >= text.length || !/[0-9]/.test(text[i])) return undefined;
        while (i < text.length && /[0-9]/.test(text[i])) {
          const number = text.charCodeAt(i) - 48;
          if (v4 === null) v4 = number;
          else if (v4 === 0) return undefined;
          else v4 = v4 * 10 + number;
          if (v4 > 255) return undefined;
          i++;
        }
        address[piece] = address[piece] * 256 + v4;
        seen++;
        if (seen === 2 || seen === 4) piece++;
      }
      if (seen !== 4) return undefined;
      break;
    } else if (text[i] === ':') {
      i++;
      if (i >= text.length) return undefined;
    } else if (i < text.length) {
      return undefined;
    }
    address[piece] = value;
    piece++;
  }
  if (compress !== null) {
    let swaps = piece - compress;
    piece = 7;
    while (piece !== 0 && swaps > 0) {
      const kept = address[compress + swaps - 1];
      address[compress + swaps - 1] = address[piece];
      address[piece] = kept;
      piece--;
      swaps--;
    }
  } else if (piece !== 8) {
    return undefined;
  }
  return serializeIPv6(address);
}

function serializeIPv6(address) {
  let best = -1;
  let bestLength = 1;
  for (let i = 0; i < 8;) {
    if (address[i] !== 0) {
      i++;
      continue;
    }
    let j = i;
    while (j < 8 && address[j] === 0) j++;
    if (j - i > bestLength) {
      best = i;
      bestLength = j - i;
    }
    i = j;
  }
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === best) {
      text += i === 0 ? '::' : ':';
      i += bestLength - 1;
      continue;
    }
    text += address[i].toString(16);
    if (i !== 7) text += ':';
  }
  return `[${text}]`;
}

function parseHost(text, isNotSpecial) {
  if (text[0] === '[') {
    return text[text.length - 1] === ']' ? parseIPv6(text.slice(1, -1)) : undefined;
  }
  if (isNotSpecial) return forbiddenHost.test(text) ? undefined : percentEncode(text, c0Set);
  const domain = percentDecode(text);
  let ascii;
  if (/^[\x00-\x7f]*$/.test(domain) && !/(^|\.)xn--/i.test(domain)) ascii = domain.toLowerCase();
  else ascii = require('internal/idna').toASCII(domain);
  if (ascii === '' || forbiddenDomain.test(ascii)) return undefined;
  if (endsInNumber(ascii)) return parseIPv4(ascii);
  return ascii;
}

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

module.exports = {
  parseURL,
  percentEncode,
  percentDecode,
  percentDecodeBytes,
  isSpecial,
  cannotHaveCredentialsOrPort,
  userinfoSet,
  specialPorts,
};
